import Statistics

/// What a comparison found.
struct Report {
  var date: String
  var machine: Machine
  var isCold: Bool
  /// How many entries the tree has; nil if nobody said.
  var folders: Int?
  var files: Int?
  var series: [Series]
  var missing: [(name: String, source: String)] = []

  var entries: Int? {
    guard let folders, let files else { return nil }
    return folders + files
  }

  var json: JSON {
    .object([
      ("kind", .string("compare")), ("schema", .number(1)), ("date", .string(date)),
      ("machine", machine.json), ("cold", .bool(isCold)),
      ("folders", folders.map { .number(Double($0)) } ?? .null),
      ("files", files.map { .number(Double($0)) } ?? .null),
      ("series", .array(series.map(\.json))),
      (
        "missing",
        .array(missing.map { .object([("name", .string($0.name)), ("how", .string($0.source))]) })
      ),
    ])
  }

  init(
    date: String, machine: Machine, isCold: Bool, folders: Int?, files: Int?, series: [Series]
  ) {
    self.date = date
    self.machine = machine
    self.isCold = isCold
    self.folders = folders
    self.files = files
    self.series = series
  }

  init(_ json: JSON) {
    date = json["date"].string ?? ""
    machine = Machine(json["machine"])
    if case .bool(let value) = json["cold"] { isCold = value } else { isCold = false }
    folders = json["folders"].number.map { Int($0) }
    files = json["files"].number.map { Int($0) }
    series = json["series"].array.map { Series($0) }
  }

  /// The figures of all, their versions, and what is missing.
  var text: String {
    var lines = [table(base: "geomapper"), ""]
    lines += versions.map { "\($0.name): \($0.version)" }
    for (name, source) in missing { lines.append("missing: \(name) (\(source))") }
    return lines.joined(separator: "\n")
  }

  /// What was measured, each program once.
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

  /// One line about the tree and the cache.
  var treeText: String {
    let cache = isCold ? "cold cache" : "warm cache"
    guard let folders, let files else { return cache }
    return "\(Text.grouped(files)) files in \(Text.grouped(folders)) folders, \(cache)"
  }

  /// The figures of all series; ratios are to the one named `base`.
  func table(base: String) -> String {
    var table = Table([
      "", "median s", "min–max s", "IQR", "ratio", "ns/entry", "peak MiB", "user s", "system s",
      "output MiB", "status",
    ])
    let reference = series.first { $0.name == base } ?? series.first
    for one in series {
      guard let time = Summary(one.seconds) else { continue }
      let ratio = reference.flatMap { Summary(one.ratios(to: $0)) }
      func median(_ figure: (Series.Run) -> Double) -> Double { one.summary(figure)?.median ?? 0 }
      table.add([
        one.name, Text.significant(time.median),
        "\(Text.significant(time.least))–\(Text.significant(time.most))",
        "\(Text.decimals(time.spread * 100, 1)) %",
        ratio.map { "\(Text.significant($0.median))×" } ?? "–",
        entries.map { Text.significant(time.median / Double($0) * 1e9) } ?? "–",
        Text.mebibytes(Int(median { Double($0.measurement.peak) })),
        Text.significant(median(\.measurement.user)),
        Text.significant(median(\.measurement.system)),
        Text.mebibytes(Int(median { Double($0.outputBytes) })), String(one.worstStatus),
      ])
    }
    return table.text + (reference.map { "\n\nratios are to \($0.name)" } ?? "")
  }
}
