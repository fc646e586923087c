import Statistics

/// The measurements of a command: some subjects on one or more trees.
struct Report {
  enum Kind: String {
    case compare
    case latency
    case scale
    case cliffs
    case time
  }

  struct Tree {
    /// The name of the tree, such as its shape.
    var name = ""
    var files: Int?
    var folders: Int?
    var series: [Series]

    /// The number of entries; nil if unknown.
    var entries: Int? { files.flatMap { files in folders.map { files + $0 } } }

    func series(_ name: String) -> Series? { series.first { $0.name == name } }
  }

  var kind: Kind
  var date = System.date()
  var machine: Machine
  var isCold = false
  /// Microseconds that each call waits; nil without a delay.
  var delay: Int?
  var trees: [Tree] = []
  var missing: [(name: String, source: String)] = []

  init(_ kind: Kind, on folder: String) {
    self.kind = kind
    machine = Machine.current(folder: folder)
  }

  /// The series of the first tree, which is the only one of most reports.
  var series: [Series] { trees.first?.series ?? [] }

  /// The measured programs, each once.
  var versions: [(name: String, version: String)] {
    var versions: [(name: String, version: String)] = []
    for one in series where !one.version.isEmpty {
      let name = one.name.split(separator: ",")[0].split(separator: " ")[0]
      guard !versions.contains(where: { $0.name == name && $0.version == one.version }) else {
        continue
      }
      versions.append((String(name), one.version))
    }
    return versions
  }

  /// One line about the tree and the conditions.
  var treeText: String {
    var parts: [String] = []
    if trees.count == 1, let files = trees[0].files, let folders = trees[0].folders {
      parts.append("\(Text.grouped(files)) files in \(Text.grouped(folders)) folders")
    }
    if kind == .compare { parts.append(isCold ? "cold cache" : "warm cache") }
    if let delay { parts.append("\(delay) µs for each call") }
    return parts.joined(separator: ", ")
  }

  /// Prints the report, and writes the files of `--json` and `--chart`.
  func publish(_ arguments: Arguments) throws(Failure) {
    let rounds = treeText.isEmpty ? [] : ["\(treeText), \(series.first?.runs.count ?? 0) rounds"]
    let head = kind == .time ? [] : [machine.text] + rounds + [""]
    System.print((head + [text]).joined(separator: "\n"))
    if let path = arguments.text("json") {
      try System.replace(path, with: json.text + "\n")
    }
    if let path = arguments.text("chart") { try System.replace(path, with: BarChart.draw(self)) }
  }
}

extension Report {
  var json: JSON {
    let trees = trees.map { tree in
      JSON.object([
        ("name", .string(tree.name)), ("files", JSON(tree.files)),
        ("folders", JSON(tree.folders)), ("series", .array(tree.series.map(\.json))),
      ])
    }
    let missing = missing.map {
      JSON.object([("name", .string($0.name)), ("how", .string($0.source))])
    }
    return .object([
      ("kind", .string(kind.rawValue)), ("schema", .number(3)), ("date", .string(date)),
      ("machine", machine.json), ("cold", .string(isCold ? "yes" : "no")),
      ("delayMicroseconds", JSON(delay)),
      ("trees", .array(trees)), ("missing", .array(missing)),
    ])
  }
}

extension Report {
  /// A column of the table; `base` is the series that ratios refer to.
  private typealias Column = (
    title: String, text: (_ series: Series, _ tree: Tree, _ base: Series?) -> String
  )

  /// The name of runs into a slow pipe, whose times mean nothing.
  static let slow = "slow pipe"

  private static func time(_ series: Series) -> Summary? { Summary(series.seconds) }

  private static func median(_ title: String, _ figure: @escaping (Series.Run) -> Double) -> Column
  {
    (title, { series, _, _ in series.summary(figure).map { Text.significant($0.median) } ?? "–" })
  }

  private static func perEntry(_ title: String, _ factor: Double) -> Column {
    (
      title,
      { series, tree, _ in
        guard series.name != slow, let entries = tree.entries, let time = time(series) else {
          return "–"
        }
        return Text.significant(time.median / Double(entries) * factor)
      }
    )
  }

  private static var name: Column { ("", { series, _, _ in series.name }) }
  private static var peak: Column { median("peak MiB") { Double($0.measurement.peak) / 1_048_576 } }
  private static var status: Column { ("status", { series, _, _ in String(series.worstStatus) }) }
  private static var processors: [Column] {
    [median("user s", \.measurement.user), median("system s", \.measurement.system)]
  }

  private static var times: [Column] {
    let range: Column = (
      "min–max s",
      { series, _, _ in
        time(series).map { "\(Text.significant($0.least))–\(Text.significant($0.most))" } ?? "–"
      }
    )
    return [median("median s", \.measurement.seconds), range]
  }

  private static var ratios: [Column] {
    let spread: Column = (
      "IQR", { series, _, _ in "\(Text.decimals((time(series)?.spread ?? 0) * 100, 1)) %" }
    )
    let ratio: Column = (
      "ratio",
      { series, _, base in
        base.flatMap { Summary(series.ratios(to: $0)) }.map { "\(Text.significant($0.median))×" }
          ?? "–"
      }
    )
    return [spread, ratio]
  }

  private var columns: [Column] {
    switch kind {
    case .time: return [Self.name] + Self.times + Self.ratios + [Self.peak] + Self.processors
    case .compare:
      return [Self.name] + Self.times + Self.ratios + [Self.perEntry("ns/entry", 1e9), Self.peak]
        + Self.processors
        + [Self.median("output MiB") { Double($0.outputBytes) / 1_048_576 }, Self.status]
    case .latency:
      let speed: Column = (
        "speed-up",
        { series, _, base in
          base.flatMap { Summary($0.ratios(to: series)) }.map { "\(Text.significant($0.median))×" }
            ?? "–"
        }
      )
      return [Self.name] + Self.times + [speed, Self.perEntry("µs/entry", 1e6), Self.peak]
    case .scale:
      let entries: Column = ("entries", { _, tree, _ in Text.grouped(tree.entries ?? 0) })
      return [entries, Self.name] + Self.times + [Self.perEntry("ns/entry", 1e9), Self.peak]
    case .cliffs:
      let written: (Series) -> Double = { $0.summary { Double($0.outputBytes) }?.median ?? 0 }
      let tree: [Column] = [
        ("shape", { _, tree, _ in tree.name }),
        ("files", { _, tree, _ in Text.grouped(tree.files ?? 0) }),
        ("folders", { _, tree, _ in Text.grouped(tree.folders ?? 0) }),
        ("output", { series, _, _ in series.name }),
      ]
      let output: [Column] = [
        (
          "MiB written",
          { series, _, _ in
            written(series) == 0 ? "–" : Text.mebibytes(Int(written(series)))
          }
        ),
        (
          "MiB/s",
          { series, _, _ in
            guard series.name != Self.slow, written(series) > 0, let time = Self.time(series) else {
              return "–"
            }
            return Text.mebibytes(Int(written(series) / time.median))
          }
        ),
      ]
      let busy: Column = (
        "busy",
        { series, _, _ in
          let busy = series.summary {
            ($0.measurement.user + $0.measurement.system) / max($0.measurement.seconds, 1e-9)
          }
          return series.name == Self.slow ? "–" : Text.decimals(busy?.median ?? 0, 2)
        }
      )
      return tree + Self.times + [Self.perEntry("ns/entry", 1e9)] + output
        + [Self.peak, busy, Self.status]
    }
  }

  /// The figures of all series, their versions, and the missing programs.
  var text: String {
    let columns = columns
    var table = Table(columns.map(\.title))
    var base: Series?
    for tree in trees {
      base = tree.series("geomapper") ?? tree.series.first
      for series in tree.series where !series.runs.isEmpty {
        table.add(columns.map { $0.text(series, tree, base) })
      }
    }
    var lines = [table.text]
    switch kind {
    case .compare, .time:
      if let base { lines += ["", "ratios are to \(base.name)"] }
      if kind == .compare { lines.append("") }
      lines += versions.map { "\($0.name): \($0.version)" }
      lines += missing.map { "missing: \($0.name) (\($0.source))" }
    case .cliffs:
      lines += ["", "busy: how many processors were, in the middle"]
      if let bytes = bytesOfName {
        lines.append(
          "a listing on the current path takes \(Text.significant(bytes)) bytes a name "
            + "(peak of flat less that of empty)")
      }
    case .latency, .scale: break
    }
    return lines.joined(separator: "\n")
  }

  /// Bytes of memory for each name while its folder is read.
  private var bytesOfName: Double? {
    func peak(_ tree: Tree?) -> Double? {
      tree?.series("file")?.summary { Double($0.measurement.peak) }?.median
    }
    let flat = trees.first { $0.name == "flat" }
    guard let files = flat?.files, files >= 100_000, let much = peak(flat),
      let little = peak(trees.first { $0.name == "empty" }), much > little
    else { return nil }
    return (much - little) / Double(files)
  }
}
