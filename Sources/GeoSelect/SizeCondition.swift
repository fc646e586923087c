import GeoPath

/// How many bytes a file must have.
public enum SizeCondition: Hashable, Sendable {
  /// More than so many.
  case above(Int64)
  /// Fewer than so many.
  case below(Int64)
  /// Exactly so many.
  case exactly(Int64)

  /// Reads `+10M`, `-1k`, `=0` or `512`: a sign for more, less or exactly (which may be left out), a
  /// whole number, and a unit: none or `c` for bytes; `k`, `M`, `G` or `T`, of either case, for
  /// powers of 1024. Nil if it is none, or no size can be as large.
  public init?(parsing text: [UInt8]) {
    var digits = text[...]
    let sign = digits.first
    switch sign {
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="): digits = digits.dropFirst()
    default: break
    }
    var unit: Int64 = 1
    if let last = digits.last, let shift = Self.shift(of: last) {
      unit <<= shift
      digits = digits.dropLast()
    }
    guard let number = Int64(wholeNumber: digits) else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
    if overflow { return nil }
    switch sign {
    case UInt8(ascii: "+"): self = .above(bytes)
    case UInt8(ascii: "-"): self = .below(bytes)
    default: self = .exactly(bytes)
    }
  }

  private static func shift(of unit: UInt8) -> Int64? {
    switch unit {
    case UInt8(ascii: "c"): 0
    case UInt8(ascii: "k"), UInt8(ascii: "K"): 10
    case UInt8(ascii: "M"), UInt8(ascii: "m"): 20
    case UInt8(ascii: "G"), UInt8(ascii: "g"): 30
    case UInt8(ascii: "T"), UInt8(ascii: "t"): 40
    default: nil
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
