import Statistics

/// The results of `all`.
struct AllReport {
  let date: String
  let machine: Machine
  var compare: Report?
  /// The comparison with caches dropped before each run; nil without `--cold`.
  var cold: Report?
  var latency: Report?
  var scale: Report?
  var cliffs: Report?

  init(date: String, machine: Machine) {
    self.date = date
    self.machine = machine
  }

  var isIncomplete: Bool {
    compare == nil || latency == nil || scale == nil || cliffs == nil
  }

  var json: JSON {
    let parts: [(name: String, value: JSON?)] = [
      ("compare", compare?.json), ("cold", cold?.json), ("latency", latency?.json),
      ("scale", scale?.json), ("cliffs", cliffs?.json),
    ]
    let versions = (compare?.versions ?? []).map { one in
      JSON.object([("name", .string(one.name)), ("version", .string(one.version))])
    }
    return .object(
      [
        ("kind", .string("all")), ("schema", .number(3)), ("date", .string(date)),
        ("machine", machine.json), ("versions", .array(versions)),
      ] + parts.compactMap { part in part.value.map { (part.name, $0) } })
  }

  /// Writes the results and the chart of the comparison into a folder, and returns their names.
  func write(to folder: String) throws(Failure) -> [String] {
    let charts = [("compare.svg", compare), ("cold.svg", cold)].compactMap { name, report in
      report.map { (name, BarChart.draw($0)) }
    }
    let files = [("results.json", json.text + "\n")] + charts
    for (name, text) in files { try System.replace("\(folder)/\(name)", with: text) }
    return files.map(\.0)
  }

  /// The most important figures.
  var summary: String {
    var table = Table(["", "figure", "bounds", "confidence"])
    if let compare {
      func named(_ name: String) -> Series? { compare.trees.first?.series(name) }
      func add(_ first: Series?, _ second: Series?, _ text: String? = nil) {
        guard let first, let second else { return }
        let comparison = Comparison(second.seconds, first.seconds)
        guard let ratio = Summary(first.ratios(to: second)) else { return }
        let bounds = comparison.map {
          "\(Text.decimals($0.bounds.lowerBound, 2))–\(Text.decimals($0.bounds.upperBound, 2))"
        }
        let confidence = comparison.map { "\(Text.decimals($0.confidence * 100, 0)) %" }
        table.add([
          text ?? "\(first.name) / \(second.name)", "\(Text.decimals(ratio.median, 3))×",
          bounds ?? "–", confidence ?? "",
        ])
      }
      let own = named("geomapper")
      for other in compare.series where !other.name.hasPrefix("geomapper") { add(own, other) }
      add(named("geomapper --no-stat"), own)
      add(named("geomapper --threads 1"), named("geomapper --threads 2"))
      add(named("geomapper --threads 16"), named("geomapper --threads 2"))
      add(named("geomapper to /dev/null"), own)
      add(named("geomapper to a pipe"), own)
      for name in ["geomapper --zoom 4", "geomapper --version"] {
        guard let time = named(name).flatMap({ Summary($0.seconds) }) else { continue }
        table.add([name, "\(Text.significant(time.median * 1000)) ms"])
      }
    }
    for tree in scale?.trees ?? [] where tree.entries ?? 0 >= 1_000_000 {
      let own = tree.series("geomapper")
      guard let peak = own?.summary({ Double($0.measurement.peak) }) else { continue }
      table.add([
        "peak memory, \(Text.grouped(tree.entries ?? 0)) entries",
        "\(Text.mebibytes(Int(peak.median))) MiB",
      ])
    }
    if let latency, let slow = latency.series.first, let fast = latency.series.last,
      let ratio = Summary(slow.ratios(to: fast))
    {
      table.add([
        "\(slow.name) / \(fast.name), \(latency.delay ?? 0) µs for each call",
        "\(Text.significant(ratio.median))×",
      ])
    }
    return table.text
  }
}
