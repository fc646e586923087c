import GeoCore

/// The formats of files with values for layers.
enum LayerFormat {
  case csv, tsv
  case lines
  /// An lcov report.
  case coverage
  /// A SARIF report.
  case findings
  case codeowners

  var isTable: Bool { self == .csv || self == .tsv || self == .lines }

  private static let endings: [(text: String, format: LayerFormat)] = [
    (".csv", .csv), (".tsv", .tsv), (".jsonl", .lines), (".ndjson", .lines), (".info", .coverage),
    (".sarif", .findings), (".sarif.json", .findings),
  ]

  init?(of path: [UInt8]) {
    let name = Array(path.lastComponent)
    if name.elementsEqual("CODEOWNERS".utf8) {
      self = .codeowners
      return
    }
    let lower = name.lowercased
    let found = Self.endings.first { (text, _) in
      lower.count > text.utf8.count && lower.suffix(text.utf8.count).elementsEqual(text.utf8)
    }
    guard let found else { return nil }
    self = found.format
  }

  init(of input: ListInput) throws(Failure) {
    let bytes = try rethrowing(
      input.beginning(ListFormat.beginning) { Self.format($0) != nil }, as: Failure.unreadableLayer)
    guard let format = Self.format(bytes) else {
      throw .usage(
        "can't see what '\(input.name)' is; name it .csv, .tsv, .jsonl, .info (lcov) or .sarif")
    }
    self = format
  }

  private static func format(_ bytes: [UInt8]) -> LayerFormat? {
    if ["TN:", "SF:"].contains(where: { bytes.starts(with: $0.utf8) }) { return .coverage }
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return ofObject(bytes) }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    for (format, separator) in [(LayerFormat.tsv, UInt8(0x09)), (.csv, UInt8(ascii: ","))] {
      let names = line.split(separator: separator).map { $0.filter { $0 != UInt8(ascii: "\"") } }
      let hasPath = names.contains(TableColumns.path) || names.contains(TableColumns.rawPath)
      if hasPath, names.count > 1 { return format }
    }
    return nil
  }

  private static func ofObject(_ bytes: [UInt8]) -> LayerFormat? {
    let names = JSONNames(["path", "rawPath", "runs"])
    var json = JSONReader(JSONBytes(bytes))
    var format: LayerFormat?
    do throws(JSONReader.Failure) {
      try json.eachMember(of: names) { (json, member) throws(JSONReader.Failure) in
        format = format ?? (member == 2 ? .findings : .lines)
        try json.skipValue()
      }
    } catch {
      // The beginning may end in the object.
    }
    return format
  }
}
