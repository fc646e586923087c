import GeoCore

/// How many bytes a file must have.
public enum SizeCondition: Hashable, Sendable {
  /// More than so many.
  case above(Int64)
  /// Fewer than so many.
  case below(Int64)
  /// Exactly so many.
  case exactly(Int64)

  /// Reads `+10M`, `-1kB`, `=0` or `512`: a sign for more, less or exactly (which may be left out), a
  /// whole number, and a ``SizeUnit``. Nil if it is none, or no size can be as large.
  public init?(parsing text: [UInt8]) {
    var digits = text[...]
    let sign = digits.first
    switch sign {
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="): digits = digits.dropFirst()
    default: break
    }
    let unit = SizeUnit.take(from: &digits)
    guard let number = Int64(wholeNumber: digits) else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    switch sign {
    case UInt8(ascii: "+"): self = .above(bytes)
    case UInt8(ascii: "-"): self = .below(bytes)
    default: self = .exactly(bytes)
    }
  }

  /// The condition as it can be read again.
  package var text: String {
    switch self {
    case .above(let bytes): "+\(bytes)"
    case .below(let bytes): "-\(bytes)"
    case .exactly(let bytes): "=\(bytes)"
    }
  }

  /// Whether a file of so many bytes is meant.
  public func holds(for size: Int64) -> Bool {
    switch self {
    case .above(let bytes): size > bytes
    case .below(let bytes): size < bytes
    case .exactly(let bytes): size == bytes
    }
  }
}
