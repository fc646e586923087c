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
  /// The name of runs into a slow pipe, whose times mean nothing.
  static let slow = "slow pipe"

  private static let columns = [
    "", "median s", "min–max s", "IQR", "ratio", "ns/entry", "peak MiB", "user s", "system s",
    "output MiB", "status",
  ]

  /// The row of a series: its figures as ``columns``; `base` is the series that ratios refer to.
  private static func row(_ series: Series, of tree: Tree, base: Series?) -> [String] {
    func median(_ figure: (Series.Run) -> Double) -> String {
      series.summary(figure).map { Text.significant($0.median) } ?? "–"
    }
    guard let time = Summary(series.seconds) else { return [series.name] }
    let ratio = base.flatMap { Summary(series.ratios(to: $0)) }
    let each = series.name == slow ? nil : tree.entries.map { time.median / Double($0) * 1e9 }
    let output = series.summary { Double($0.outputBytes) }?.median ?? 0
    return [
      series.name, Text.significant(time.median),
      "\(Text.significant(time.least))–\(Text.significant(time.most))",
      "\(Text.decimals(time.spread * 100, 1)) %",
      ratio.map { "\(Text.significant($0.median))×" } ?? "–",
      each.map { Text.significant($0) } ?? "–", median { Double($0.measurement.peak) / 1_048_576 },
      median(\.measurement.user), median(\.measurement.system),
      output > 0 ? Text.mebibytes(Int(output)) : "–", String(series.worstStatus),
    ]
  }

  /// The figures of all series, their versions, and the missing programs.
  var text: String {
    let hasTrees = trees.count > 1
    var table = Table((hasTrees ? ["tree", "entries"] : []) + Self.columns)
    for tree in trees {
      let base = tree.series("geomapper") ?? tree.series.first
      for series in tree.series {
        let place = [tree.name, Text.grouped(tree.entries ?? 0)]
        table.add((hasTrees ? place : []) + Self.row(series, of: tree, base: base))
      }
    }
    var lines = [table.text, ""]
    if let base = series.first { lines.append("ratios are to \(base.name)") }
    if kind == .compare { lines += versions.map { "\($0.name): \($0.version)" } }
    lines += missing.map { "missing: \($0.name) (\($0.source))" }
    if let bytes = bytesOfName {
      lines.append(
        "a listing on the current path takes \(Text.significant(bytes)) bytes a name "
          + "(peak of flat less that of empty)")
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
