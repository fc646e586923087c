import Statistics

/// The times of single stages.
struct StagesReport {
  struct Stage {
    var name: String
    /// The thing that each time is for.
    var item: String
    /// One figure for each round.
    var nanoseconds: [Double] = []
  }

  var date: String
  var machine: Machine
  var stages: [Stage]

  init(date: String, machine: Machine, stages: [Stage]) {
    self.date = date
    self.machine = machine
    self.stages = stages
  }

  var runs: Int { stages.first?.nanoseconds.count ?? 0 }

  var text: String {
    var table = Table(["stage", "median ns", "min–max ns", "IQR", "for each"])
    for stage in stages {
      guard let summary = Summary(stage.nanoseconds) else { continue }
      table.add([
        stage.name, Text.significant(summary.median),
        "\(Text.significant(summary.least))–\(Text.significant(summary.most))",
        "\(Text.decimals(summary.spread * 100, 1)) %", stage.item,
      ])
    }
    return table.text
  }

  var json: JSON {
    let list = stages.map { stage in
      JSON.object([
        ("name", .string(stage.name)), ("item", .string(stage.item)),
        ("nanoseconds", .array(stage.nanoseconds.map { .number($0) })),
      ])
    }
    return .object([
      ("kind", .string("stages")), ("schema", .number(1)), ("date", .string(date)),
      ("machine", machine.json), ("stages", .array(list)),
    ])
  }

  init(_ json: JSON) {
    date = json["date"].string ?? ""
    machine = Machine(json["machine"])
    stages = json["stages"].array.map { stage in
      Stage(
        name: stage["name"].string ?? "?", item: stage["item"].string ?? "",
        nanoseconds: stage["nanoseconds"].array.compactMap(\.number))
    }
  }
}
