import GeoCore
import GeoSystem

/// Collects the values of layers, in any order, and sorts them by path.
///
/// Values come as texts, because only the last row decides whether a column has numbers or words.
package struct LayerSetBuilder {
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

  private struct Column {
    enum Reading {
      case words, ratios, numbers
      /// Numbers, as long as no value is a word.
      case any
    }

    var draft: Draft
    var derived: (any DerivedLayer)?
    var hasWords = false
    var hasFractions = false

    var reading: Reading {
      if draft.isWords { return .words }
      return switch draft.summary {
      case .share: .words
      case .ratio: .ratios
      case .sum, .mean, .max, .min: .numbers
      case nil: .any
      }
    }

    /// Takes notice of a value. Returns why it can't be one; nil if it can.
    mutating func check(_ text: Span<UInt8>) -> String? {
      let longest = LayerSetBuilder.longestValue
      if text.count > longest { return "... has more than \(longest) bytes, and can't be a value" }
      switch reading {
      case .words: return nil
      case .ratios:
        return LayerNumber.ratio(text) == nil ? "is not two numbers, and can't be a value" : nil
      case .numbers, .any:
        // After a word, numbers are words, too.
        if hasWords { return nil }
        switch LayerNumber(text) {
        case .whole?: break
        case .fraction?: hasFractions = true
        case nil where reading == .numbers: return "is not a number, and can't be a value"
        case nil: hasWords = true
        }
        return nil
      }
    }
  }

  private var sources: [Source] = []
  private var columns: [Column] = []
  private let memory: Int
  private var sorter: RunSorter<LayerRow>
  private var rows = 0
  private var foreign = LayerSet.Unmatched(counts: [])
  private let words = LayerWords()

  /// `memory` is in bytes, for rows; others wait in a scratch file. A sixth of it is for values once
  /// they are sorted.
  package init(memory: Int = 24 << 20) {
    self.memory = memory
    sorter = RunSorter(memory: memory, sortsAside: true)
  }

  /// The greatest length of a value in bytes.
  package static let longestValue = 1024

  package var names: [String] { columns.map(\.draft.name) }

  /// Begins a source, whose rows follow: with its name in messages, and its layers in the order of
  /// the values of a row. Throws if there are too many layers, or two of one name.
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
        throw .usage("two layers have the name \(name); give one another, such as \(name)2")
      }
      columns.append(column)
    }
    if columns.count > Layer.maximum {
      throw .usage("\(columns.count) layers are too many; at most \(Layer.maximum) are possible")
    }
  }

  /// Adds a row of the last source. `texts` has one for each layer of the source: a number as in
  /// JSON, a word, or for a ratio two numbers with `/` between them; empty without a value. `line` is
  /// 0 if the source has none. Throws if a value can't be one of its layer.
  package mutating func add(
    path: Span<UInt8>, _ texts: LayerTexts, line: Int
  ) throws(Failure) {
    guard let source = sources.indices.last else { return }
    try check(texts, of: sources[source].layers, line)
    var slash = path.count
    repeat { slash -= 1 } while slash > 0 && path[slash] != .slash
    do throws(Errno) {
      try sorter.add(bytes: LayerRow.bound(path, texts)) { bytes in
        LayerRow.append(
          path, slash: max(slash, 0), texts, source: source, line: line, number: rows, to: &bytes)
      }
    } catch {
      throw Self.noScratch(error)
    }
    rows += 1
  }

  /// Adds a row of the last source whose path, as in the source, is not below a root. It is only
  /// counted.
  package mutating func addForeign(
    path: Span<UInt8>, _ texts: LayerTexts, line: Int
  ) throws(Failure) {
    guard let source = sources.indices.last else { return }
    try check(texts, of: sources[source].layers, line)
    foreign.rows += 1
    foreign.add([UInt8](copying: path)[...])
    foreign.counts += repeatElement(0, count: columns.count - foreign.counts.count)
    for (index, layer) in sources[source].layers.enumerated() where !texts[index].isEmpty {
      foreign.counts[layer] += 1
    }
  }

  private mutating func check(
    _ texts: LayerTexts, of layers: Range<Int>, _ line: Int
  ) throws(Failure) {
    let bytes = texts.bytes.span
    for index in 0..<texts.count where !texts[index].isEmpty {
      let layer = layers.lowerBound + index
      if let fault = columns[layer].check(bytes.extracting(texts[index])) {
        let shown = TerminalText.escaped(Array(texts.bytes[texts[index]].prefix(60)))
        throw .usage(
          "\(place(ofLayer: layer, line)): '\(shown)' \(fault) of \(columns[layer].draft.name)")
      }
    }
  }

  private func place(ofLayer layer: Int, _ line: Int) -> String {
    let source = sources.first { $0.layers.contains(layer) }?.name ?? ""
    return line > 0 ? "\(source), line \(line)" : source
  }

  static func noScratch(_ reason: Errno) -> Failure {
    .noScratch("keep the values of layers in a scratch file", reason)
  }

  /// Ends the rows. Throws if a source has a path twice, or there are too many words.
  package consuming func finish() throws(Failure) -> LayerSet {
    let layers = columns.map { column in
      Layer(
        name: column.draft.name,
        summary: column.draft.summary ?? (column.draft.isWords || column.hasWords ? .share : .sum),
        isWhole: !column.hasFractions)
    }
    let (sources, words) = (sources, words)
    var foreign = foreign
    let schema = LayerSchema(layers: layers, words: words)
    var table = LayerTable.Writer(schema, sources.map(\.layers), memory: memory / 6)
    let runs = try rethrowing(sorter.finish(), as: Self.noScratch)
    var merge = runs.cursor()
    while try rethrowing(merge.advance(), as: Self.noScratch) {
      try merge.withFirst { (run) throws(Failure) in
        try table.add(run.bytes.span, at: run.range.lowerBound)
      }
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
