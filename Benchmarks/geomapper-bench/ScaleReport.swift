import Statistics

/// Time and memory of a few subjects at trees of growing size.
struct ScaleReport {
  struct Point {
    var folders: Int
    var files: Int
    var series: [Series]

    var entries: Int { folders + files }
  }

  var date: String
  var machine: Machine
  var points: [Point] = []

  init(date: String, machine: Machine) {
    self.date = date
    self.machine = machine
  }

  var json: JSON {
    let list = points.map { point in
      JSON.object([
        ("folders", .number(Double(point.folders))), ("files", .number(Double(point.files))),
        ("series", .array(point.series.map(\.json))),
      ])
    }
    return .object([
      ("kind", .string("scale")), ("schema", .number(1)), ("date", .string(date)),
      ("machine", machine.json), ("points", .array(list)),
    ])
  }

  init(_ json: JSON) {
    date = json["date"].string ?? ""
    machine = Machine(json["machine"])
    points = json["points"].array.map { point in
      Point(
        folders: Int(point["folders"].number ?? 0), files: Int(point["files"].number ?? 0),
        series: point["series"].array.map { Series($0) })
    }
  }

  /// The names of all subjects, in the order of their first appearance.
  var names: [String] {
    var names: [String] = []
    for point in points {
      for series in point.series where !names.contains(series.name) { names.append(series.name) }
    }
    return names
  }

  /// A figure's medians over the sizes.
  func curve(_ name: String, _ figure: (Series.Run) -> Double) -> [(x: Double, y: Double)] {
    points.compactMap { point in
      guard let series = point.series.first(where: { $0.name == name }),
        let median = series.summary(figure)?.median, median > 0
      else { return nil }
      return (Double(point.entries), median)
    }
  }

  var table: String {
    var table = Table(["entries", "", "median s", "min–max s", "ns/entry", "peak MiB"])
    for point in points {
      for series in point.series {
        guard let time = Summary(series.seconds) else { continue }
        let peak = series.summary { Double($0.measurement.peak) }?.median ?? 0
        table.add([
          Text.grouped(point.entries), series.name, Text.significant(time.median),
          "\(Text.significant(time.least))–\(Text.significant(time.most))",
          Text.significant(time.median / Double(point.entries) * 1e9), Text.mebibytes(Int(peak)),
        ])
      }
    }
    return table.text
  }
}
