import Statistics

/// How the tool fares on trees of awkward shapes.
struct CliffsReport {
  struct Case {
    var shape: String
    var files: Int
    var folders: Int
    /// One for each kind of output.
    var series: [Series]

    var entries: Int { files + folders }

    func peak(_ name: String) -> Double? {
      series.first { $0.name == name }?.summary { Double($0.measurement.peak) }?.median
    }
  }

  /// The name of the runs into a slow pipe.
  static let slow = "slow pipe"

  var date: String
  var machine: Machine
  var cases: [Case] = []

  init(date: String, machine: Machine) {
    self.date = date
    self.machine = machine
  }

  var text: String {
    var table = Table([
      "shape", "files", "folders", "output", "median s", "min–max s", "ns/entry", "MiB written",
      "MiB/s", "peak MiB", "busy", "status",
    ])
    for one in cases {
      for series in one.series {
        guard let time = Summary(series.seconds) else { continue }
        let peak = series.summary { Double($0.measurement.peak) }?.median ?? 0
        let written = series.summary { Double($0.outputBytes) }?.median ?? 0
        let busy = series.summary {
          ($0.measurement.user + $0.measurement.system) / max($0.measurement.seconds, 1e-9)
        }
        let isSlow = series.name == Self.slow
        table.add([
          one.shape, Text.grouped(one.files), Text.grouped(one.folders), series.name,
          Text.significant(time.median),
          "\(Text.significant(time.least))–\(Text.significant(time.most))",
          isSlow ? "–" : Text.significant(time.median / Double(one.entries) * 1e9),
          written == 0 ? "–" : Text.mebibytes(Int(written)),
          isSlow || written == 0 ? "–" : Text.mebibytes(Int(written / time.median)),
          Text.mebibytes(Int(peak)), isSlow ? "–" : Text.decimals(busy?.median ?? 0, 2),
          String(series.worstStatus),
        ])
      }
    }
    let legend = "busy: how many processors were, in the middle"
    guard let bytes = bytesOfName else { return table.text + "\n\n" + legend }
    return """
      \(table.text)

      \(legend)
      a listing on the current path takes \(Text.significant(bytes)) bytes a name (peak of flat \
      less that of empty)
      """
  }

  /// What a name takes in memory as long as its folder is read.
  var bytesOfName: Double? {
    guard let flat = cases.first(where: { $0.shape == "flat" }), flat.files >= 100_000,
      let much = flat.peak("file"),
      let little = cases.first(where: { $0.shape == "empty" })?.peak("file"), much > little
    else { return nil }
    return (much - little) / Double(flat.files)
  }

  /// The times, by shape, of the runs into a file.
  var chart: String {
    let rows = cases.compactMap { one -> Series? in
      guard var series = one.series.first(where: { $0.name == "file" }) else { return nil }
      series.name = "\(one.shape), \(Text.grouped(one.entries))"
      return series
    }
    return BarChart.draw(
      rows, title: "Trees of awkward shapes", tree: "geomapper, into a file; entries of the tree",
      base: nil, isSorted: false, foot: BarChart.foot(rows, nil, machine, date))
  }

  var json: JSON {
    let list = cases.map { one in
      JSON.object([
        ("shape", .string(one.shape)), ("files", .number(Double(one.files))),
        ("folders", .number(Double(one.folders))), ("series", .array(one.series.map(\.json))),
      ])
    }
    return .object([
      ("kind", .string("cliffs")), ("schema", .number(1)), ("date", .string(date)),
      ("machine", machine.json), ("cases", .array(list)),
    ])
  }

  init(_ json: JSON) {
    date = json["date"].string ?? ""
    machine = Machine(json["machine"])
    cases = json["cases"].array.map { one in
      Case(
        shape: one["shape"].string ?? "?", files: Int(one["files"].number ?? 0),
        folders: Int(one["folders"].number ?? 0), series: one["series"].array.map { Series($0) })
    }
  }
}
