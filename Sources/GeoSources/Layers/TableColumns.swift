import GeoCore
import GeoTree

/// The columns of a table, or the members of JSON lines, that become layers.
struct TableColumns {
  /// Where a layer's values come from, by index into ``names``.
  enum Pick {
    case column(Int)
    case ratio(Int, Int)
  }

  /// The columns with paths: as they are, and percent-encoded.
  static let path = Array("path".utf8)
  static let rawPath = Array("rawPath".utf8)
  static let maximum = 4096

  private(set) var names: [[UInt8]] = []
  private(set) var picks: [Pick] = []
  private(set) var drafts: [LayerSetBuilder.Draft] = []

  /// Chooses among all columns with values; nil if any may occur. The source is named in messages.
  init(
    _ request: MapLayer, _ column: [UInt8]?, among all: [[UInt8]]?, source: String
  ) throws(Failure) {
    if request.how == .ratio {
      let pairs = (column ?? []).indices.filter { column?[$0] == .slash }.map { index in
        (Array(column?[..<index] ?? []), Array(column?[(index + 1)...] ?? []))
      }
      guard let first = pairs.first else {
        throw .usage(
          "a ratio needs two columns of \(source), joined by '/'",
          option: ", as in \(request.name ?? "NAME"):ratio=\(source)#COVERED/LINES")
      }
      let pair = pairs.first { all?.contains($0) ?? true && all?.contains($1) ?? true } ?? first
      names = [pair.0, pair.1]
      picks = [.ratio(0, 1)]
    } else {
      names = column.map { [$0] } ?? all ?? []
      picks = names.indices.map { .column($0) }
    }
    if let missing = names.first(where: { all?.contains($0) == false }) {
      throw .usage(
        "\(source) has no column '\(TerminalText.escaped(missing))' with values; it has "
          + Self.list(all ?? []))
    }
    if let all, let doubled = names.first(where: { name in all.count { $0 == name } > 1 }) {
      throw .usage("\(source) has the column '\(TerminalText.escaped(doubled))' twice")
    }
    if names.isEmpty { throw .usage("\(source) has no column with values") }
    if request.name != nil || picks.count > Layer.maximum, picks.count > 1 {
      let name = request.name ?? "NAME"
      throw .usage(
        "\(source) has \(picks.count) columns: \(Self.list(names)); choose one",
        option: ", as in \(name)=\(source)#\(TerminalText.escaped(names[0]))")
    }
    for pick in picks {
      var name = request.name ?? ""
      if request.name == nil, case .column(let index) = pick {
        name = String(decoding: names[index], as: UTF8.self)
        if !Layer.isName(name) {
          let shown = TerminalText.escaped(names[index])
          throw .usage(
            "the column '\(shown)' of \(source) can't be the name of a layer, which has letters, "
              + "digits, '_' and '-'; give it another", option: ", as in NAME=\(source)#\(shown)")
        }
      }
      drafts.append(
        LayerSetBuilder.Draft(
          name: name, summary: request.how?.summary, isWords: request.how == .word))
    }
  }

  /// Sets the values of a row, whose columns are ranges of a text.
  func set(
    _ values: inout LayerTexts, to text: Span<UInt8>, _ range: (Int) -> Range<Int>
  ) {
    values.removeAll()
    for pick in picks {
      switch pick {
      case .column(let index): values.append(text.extracting(range(index)))
      case .ratio(let a, let b):
        values.append(text.extracting(range(a)), of: text.extracting(range(b)))
      }
    }
  }

  static func list(_ names: [[UInt8]]) -> String {
    let shown = names.prefix(20).map { TerminalText.escaped(Array($0.prefix(40))) }
    return (shown + (names.count > 20 ? ["…"] : [])).joined(separator: ", ")
  }
}

extension LayerLoader {
  mutating func readTable(
    _ input: ListInput, separator: UInt8, _ request: MapLayer, _ column: [UInt8]?
  ) throws(Failure) {
    var table = TableReader(input, separator: separator)
    guard try table.advance() else {
      throw .usage("\(input.name) is empty; its first line names the columns")
    }
    let header = table.fields.indices.map { Array(table[$0]) }
    if header.count > TableColumns.maximum {
      throw .usage(
        "\(table.place): \(header.count) columns are too many; at most \(TableColumns.maximum) are "
          + "possible")
    }
    let (path, rawPath) = (
      header.firstIndex(of: TableColumns.path), header.firstIndex(of: TableColumns.rawPath)
    )
    if path == nil, rawPath == nil {
      throw .usage(
        "\(table.place) has no column 'path'; it has \(TableColumns.list(header))")
    }
    let all = header.indices.filter { $0 != path && $0 != rawPath }.map { header[$0] }
    let columns = try TableColumns(request, column, among: all, source: input.name)
    let places = columns.names.map { header.firstIndex(of: $0) ?? 0 }
    try builder.begin(input.name, columns.drafts)
    var values = LayerTexts()
    while try table.advance() {
      if table.fields.count != header.count {
        throw .usage(
          "\(table.place) has \(table.fields.count) fields, and the first line has \(header.count)")
      }
      columns.set(&values, to: table.buffer.span) { table.fields[places[$0]] }
      try add(
        path.map { table[$0] } ?? [], encoded: rawPath.map { table[$0] } ?? [], values,
        line: table.line, input.name)
    }
  }
}
