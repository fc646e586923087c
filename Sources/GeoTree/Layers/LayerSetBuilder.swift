import GeoCore
import GeoSystem

/// Collects the values of layers, in any order, and sorts them by path.
///
/// Values come as texts, because only the last row decides whether a column has numbers or words.
package struct LayerSetBuilder {
  /// A layer that is asked for.
  package struct Draft: Sendable {
    package var name: String
    /// How folders sum up; nil for the default of its values.
    package var summary: Layer.Summary?
    /// Whether numbers are words.
    package var isWords: Bool

    package init(name: String, summary: Layer.Summary? = nil, isWords: Bool = false) {
      (self.name, self.summary, self.isWords) = (name, summary, isWords)
    }
  }

  /// Layers whose values come in the same rows.
  private struct Source {
    /// Its name in messages.
    var name: String
    var layers: Range<Int>
  }

  /// A layer so far.
  private struct Column {
    var draft: Draft
    var derived: (any DerivedLayer)?
    var hasWords = false
    var hasFractions = false
  }

  private var sources: [Source] = []
  private var columns: [Column] = []
  private let memory: Int
  private var sorter: RunSorter<LayerRow>
  private var rows = 0
  /// Rows whose paths are not below a root.
  private var foreign = LayerSet.Unmatched(counts: [])
  private let words = LayerWords()

  /// Makes a builder without layers.
  ///
  /// - Parameter memory: Bytes of memory for rows; others wait in a scratch file. A sixth of it is
  ///   for values once they are sorted.
  package init(memory: Int = 24 << 20) {
    self.memory = memory
    sorter = RunSorter(memory: memory)
  }

  /// The greatest length of a value in bytes.
  package static let longestValue = 1024

  /// The names of all layers so far.
  package var names: [String] { columns.map(\.draft.name) }

  /// Begins a source, whose rows follow.
  ///
  /// - Parameters:
  ///   - source: Its name in messages, as `x.csv`.
  ///   - drafts: Its layers, in the order of the values of a row.
  /// - Throws: A usage error if there are too many layers, or two of one name.
  package mutating func begin(_ source: String, _ drafts: [Draft]) throws(Failure) {
    try add(drafts.map { Column(draft: $0) })
    sources.append(Source(name: source, layers: (columns.count - drafts.count)..<columns.count))
  }

  /// Adds a layer whose values follow from the files themselves.
  package mutating func add(_ name: String, _ derived: any DerivedLayer) throws(Failure) {
    try add([Column(draft: Draft(name: name, summary: .share, isWords: true), derived: derived)])
  }

  private mutating func add(_ more: [Column]) throws(Failure) {
    for column in more {
      let name = column.draft.name
      if names.contains(name) {
        throw .usage("two layers have the name \(name); give one another, as in \(name)2=SOURCE")
      }
      columns.append(column)
    }
    if columns.count > Layer.maximum {
      throw .usage("\(columns.count) layers are too many; at most \(Layer.maximum) are possible")
    }
  }

  /// Adds a row of the last source.
  ///
  /// - Parameters:
  ///   - path: The path on the map: the root's label, then names, joined by `/`.
  ///   - values: One for each layer of the source: a number as in JSON, a word, or for a ratio two
  ///     numbers with `/` between them; empty without a value.
  ///   - line: The line of the source, for messages; 0 if it has none.
  /// - Throws: A usage error if a value can't be one of its layer.
  package mutating func add(
    path: [UInt8], _ values: [ArraySlice<UInt8>], line: Int
  ) throws(Failure) {
    guard let source = sources.indices.last else { return }
    try look(at: values, of: source, line)
    let folder = path.lastIndex(of: .slash) ?? 0
    let row = LayerRow(
      folder: path[..<folder], name: path[folder...].drop { $0 == .slash }, source: source,
      line: line, number: rows, values: values)
    do throws(Errno) {
      try sorter.add(bytes: row.count) { row.append(to: &$0) }
    } catch {
      throw Self.noScratch(error)
    }
    rows += 1
  }

  /// Adds a row of the last source whose path is not below a root. It is only counted.
  ///
  /// - Parameter path: The path as in the source, for messages.
  package mutating func addForeign(
    path: ArraySlice<UInt8>, _ values: [ArraySlice<UInt8>], line: Int
  ) throws(Failure) {
    guard let source = sources.indices.last else { return }
    try look(at: values, of: source, line)
    foreign.rows += 1
    foreign.add(path)
    foreign.counts += repeatElement(0, count: columns.count - foreign.counts.count)
    for (layer, value) in zip(sources[source].layers, values) where !value.isEmpty {
      foreign.counts[layer] += 1
    }
  }

  private mutating func look(
    at values: [ArraySlice<UInt8>], of source: Int, _ line: Int
  ) throws(Failure) {
    for (layer, value) in zip(sources[source].layers, values) where !value.isEmpty {
      try look(at: value, of: layer, line)
    }
  }

  private mutating func look(
    at value: ArraySlice<UInt8>, of layer: Int, _ line: Int
  ) throws(Failure) {
    let draft = columns[layer].draft
    func refuse(_ what: String) -> Failure {
      let shown = TerminalText.escaped(Array(value.prefix(60)))
      return .usage("\(place(ofLayer: layer, line)): '\(shown)' \(what) of \(draft.name)")
    }
    if value.count > Self.longestValue {
      throw refuse("... has more than \(Self.longestValue) bytes, and can't be a value")
    }
    if draft.isWords || draft.summary == .share { return }
    if draft.summary == .ratio {
      guard LayerNumber.ratio(value) != nil else {
        throw refuse("is not two numbers, and can't be a value")
      }
      return
    }
    switch LayerNumber(value) {
    case .whole?: break
    case .fraction?: columns[layer].hasFractions = true
    case nil where draft.summary != nil: throw refuse("is not a number, and can't be a value")
    case nil: columns[layer].hasWords = true
    }
  }

  /// The source and line in messages.
  private func place(ofLayer layer: Int, _ line: Int) -> String {
    let source = sources.first { $0.layers.contains(layer) }?.name ?? ""
    return line > 0 ? "\(source), line \(line)" : source
  }

  static func noScratch(_ reason: Errno) -> Failure {
    .noScratch("keep the values of layers in a scratch file", reason)
  }

  /// Ends the rows.
  ///
  /// - Complexity: O(rows × log runs).
  /// - Throws: A usage error if a source has a path twice, or there are too many words.
  package consuming func finish() throws(Failure) -> LayerSet {
    let layers = columns.map { column in
      let isWords = column.draft.isWords || column.hasWords
      return Layer(
        name: column.draft.name, summary: column.draft.summary ?? (isWords ? .share : .sum),
        isWhole: !column.hasFractions)
    }
    let (sources, words) = (sources, words)
    var foreign = foreign
    let schema = LayerSchema(layers: layers, words: words)
    var table = LayerTable.Writer(schema, sources.map(\.layers), memory: memory / 6)
    let runs = try rethrowing(sorter.finish(), as: Self.noScratch)
    var merge = runs.cursor()
    while try rethrowing(merge.advance(), as: Self.noScratch) {
      let failure = merge.withFirst { run in
        do throws(Failure) {
          try table.add(run.bytes, run.range)
          return Failure?.none
        } catch {
          return error
        }
      }
      if let failure { throw failure }
    }
    if let doubled = table.doubled {
      throw .usage(
        "\(sources[doubled.source].name), line \(doubled.line): "
          + "'\(TerminalText.escaped(doubled.path))' has a value already by line \(doubled.first); "
          + "each path can be there once")
    }
    foreign.counts += repeatElement(0, count: columns.count - foreign.counts.count)
    return LayerSet(
      schema: schema, derived: columns.map(\.derived), table: try table.finish(),
      foreign: foreign)
  }
}

/// A number in a table, by the grammar of JSON.
enum LayerNumber {
  /// An integer whose magnitude is below 2^53.
  case whole(Int64)
  case fraction(Double)

  /// Reads a number; nil if the text is not a number, or not finite.
  init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    let digits = rest.prefix { Self.isDigit($0) }
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else {
      return nil
    }
    if digits.count == rest.count, digits.count <= 16 {
      let whole = digits.reduce(Int64(0)) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
      if whole < 1 << 53 {
        self = .whole(isNegative ? -whole : whole)
        return
      }
    }
    rest = rest.dropFirst(digits.count)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let decimals = rest.prefix { Self.isDigit($0) }
      if decimals.isEmpty { return nil }
      rest = rest.dropFirst(decimals.count)
    }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
        rest.removeFirst()
      }
      if rest.isEmpty { return nil }
      rest = rest.drop { Self.isDigit($0) }
    }
    guard rest.isEmpty, let number = Double(String(decoding: text, as: UTF8.self)),
      number.isFinite
    else { return nil }
    self = .fraction(number == 0 ? 0 : number)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  var double: Double {
    switch self {
    case .whole(let number): Double(number)
    case .fraction(let number): number
    }
  }

  /// The two numbers of a ratio; nil if the text has none. Those of a denominator of 0 are no value.
  static func ratio(_ text: ArraySlice<UInt8>) -> (numerator: Double, denominator: Double)? {
    guard let slash = text.firstIndex(of: .slash), let a = LayerNumber(text[..<slash]),
      let b = LayerNumber(text[(slash + 1)...])
    else { return nil }
    return (a.double, b.double)
  }
}
