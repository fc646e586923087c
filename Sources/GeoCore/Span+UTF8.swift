/// One step through bytes that are meant to be UTF-8.
@frozen public struct UTF8Step: BitwiseCopyable, Sendable, Equatable {
  /// Bytes of the step: 1 to 4 if it is well-formed, else 1 to 3.
  public let length: Int
  /// Whether the bytes are one well-formed scalar; if not, one U+FFFD stands for them.
  public let isValid: Bool

  /// A step of the given length.
  @inlinable
  public init(length: Int, isValid: Bool) {
    self.length = length
    self.isValid = isValid
  }
}

extension Span<UInt8> {
  /// The scalar that begins at `index`, or the maximal subpart of an ill-formed sequence there.
  ///
  /// Follows table 3-7 and the practice "U+FFFD substitution of maximal subparts" of the Unicode
  /// standard, chapter 3, as `String(decoding:as:)` does.
  ///
  /// - Parameter index: Where to look, in `0..<count`.
  /// - Complexity: O(1); four bytes at most are read.
  @inlinable
  public func utf8Step(at index: Int) -> UTF8Step {
    let lead = self[index]
    if lead < 0x80 { return UTF8Step(length: 1, isValid: true) }
    // The bounds of the second byte exclude overlong forms, surrogates and what is above U+10FFFF.
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { low = 0xA0 } else if lead == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { low = 0x90 } else if lead == 0xF4 { high = 0x8F }
    default: return UTF8Step(length: 1, isValid: false)
    }
    for step in 1..<length {
      let next = index + step
      guard next < count, self[next] >= low, self[next] <= high else {
        return UTF8Step(length: step, isValid: false)
      }
      low = 0x80
      high = 0xBF
    }
    return UTF8Step(length: length, isValid: true)
  }

  /// Whether the bytes are well-formed UTF-8.
  ///
  /// - Complexity: O(count).
  @inlinable public var isValidUTF8: Bool {
    var index = 0
    while index < count {
      let step = utf8Step(at: index)
      if !step.isValid { return false }
      index += step.length
    }
    return true
  }
}
