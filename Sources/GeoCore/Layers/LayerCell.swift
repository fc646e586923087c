/// The value of one layer at one node; its layer says how the bits are read.
package struct LayerCell: BitwiseCopyable, Sendable, Hashable {
  /// An integer, the bits of a double, or the number of a word.
  package var bits: UInt64 = 0
  /// The bits of a ratio's denominator, or of a word's share.
  package var more: UInt64 = 0
  /// How many values it sums up; 0 without a value.
  package var count: Int64 = 0

  package static var none: LayerCell { LayerCell() }

  package init() {}
  package init(integer: Int64) { (bits, count) = (UInt64(bitPattern: integer), 1) }
  package init(number: Double) { (bits, count) = (number.bitPattern, 1) }

  package init(_ numerator: Double, of denominator: Double) {
    (bits, more, count) = (numerator.bitPattern, denominator.bitPattern, 1)
  }

  /// `word` is its number in ``LayerWords``.
  package init(word: Int, share: Double = 1) {
    (bits, more, count) = (UInt64(word), share.bitPattern, 1)
  }

  @inlinable package var isThere: Bool { count != 0 }
  @inlinable package var integer: Int64 { Int64(bitPattern: bits) }
  @inlinable package var number: Double { Double(bitPattern: bits) }
  @inlinable package var denominator: Double { Double(bitPattern: more) }
  @inlinable package var word: Int { Int(bits) }
  @inlinable package var share: Double { Double(bitPattern: more) }

  /// Adds the value of a node below a folder to that of the folder. Words are summed up by
  /// ``WordSums``.
  package mutating func add(_ other: LayerCell, of layer: Layer) {
    if !other.isThere { return }
    if !isThere {
      self = other
      return
    }
    switch (layer.summary, layer.kind) {
    case (.sum, .integer):
      bits = UInt64(bitPattern: integer.adding(saturating: other.integer))
    case (.sum, _), (.mean, _): bits = Self.sum(number, other.number).bitPattern
    case (.ratio, _):
      bits = Self.sum(number, other.number).bitPattern
      more = Self.sum(denominator, other.denominator).bitPattern
    case (.max, .integer): bits = UInt64(bitPattern: Swift.max(integer, other.integer))
    case (.max, _): bits = Swift.max(number, other.number).bitPattern
    case (.min, .integer): bits = UInt64(bitPattern: Swift.min(integer, other.integer))
    case (.min, _): bits = Swift.min(number, other.number).bitPattern
    case (.share, _): break
    }
    count += other.count
  }

  /// The sum, within the range of finite numbers, as JSON has no others.
  private static func sum(_ a: Double, _ b: Double) -> Double {
    let sum = a + b
    if sum.isFinite { return sum }
    return sum < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
  }
}

/// The value of a layer at a path.
public enum LayerValue: Sendable, Hashable {
  /// An integer.
  case integer(Int64)
  /// A finite number.
  case number(Double)
  /// A word, UTF-8 as far as its source is.
  case word([UInt8])
}

extension Layer {
  package func value(of cell: LayerCell, _ words: LayerWords) -> LayerValue? {
    if !cell.isThere { return nil }
    switch kind {
    case .word: return .word(words[cell.word])
    case .integer: return .integer(cell.integer)
    case .number: return number(of: cell).map { .number($0) }
    }
  }

  package func number(of cell: LayerCell) -> Double? { cell.number(summary, kind) }
}

extension LayerCell {
  /// The number that it says in a layer that sums up in a way; nil without one, and for words.
  @inlinable
  package func number(_ summary: Layer.Summary, _ kind: Layer.Kind) -> Double? {
    if !isThere { return nil }
    switch (kind, summary) {
    case (.word, _): return nil
    case (.integer, _): return Double(integer)
    case (_, .ratio):
      let ratio = number / denominator
      // Never −0, which not all formats have.
      return ratio.isFinite ? ratio + 0 : nil
    case (_, .mean): return number / Double(count)
    case (.number, _): return number
    }
  }
}
