extension BoundingBox {
  /// Reads `W,S,E,N`: decimal numbers of degrees, exponents allowed, without spaces.
  public init(parsing text: [UInt8]) throws(BoundingBoxError) {
    let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if parts.count != 4 { throw .wrongCount(text.isEmpty ? 0 : parts.count) }
    func number(_ index: Int, _ edge: BoundingBoxError.Edge) throws(BoundingBoxError) -> Double {
      guard let number = Self.number(parts[index]) else { throw .notANumber(edge) }
      return number
    }
    self.init(
      west: try number(0, .west), south: try number(1, .south),
      east: try number(2, .east), north: try number(3, .north))
    if !(-180...180).contains(west) { throw .outOfRange(.west) }
    if !(-90...90).contains(south) { throw .outOfRange(.south) }
    if !(-180...180).contains(east) { throw .outOfRange(.east) }
    if !(-90...90).contains(north) { throw .outOfRange(.north) }
    if south > north { throw .southAboveNorth }
  }

  /// The number nearest to a decimal one, such as degrees are given in; nil if the text is none.
  package static func degrees(_ text: ArraySlice<UInt8>) -> Double? { number(text) }

  /// The number nearest to a decimal one: a sign, digits with a point among or beside them, and an
  /// exponent, of which only some digits are needed.
  static func number(_ text: ArraySlice<UInt8>) -> Double? {
    var rest = text
    func takeSign() {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    }
    func takeDigits() -> Int {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    takeSign()
    var digits = takeDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += takeDigits()
    }
    if digits == 0 { return nil }
    if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      rest.removeFirst()
      takeSign()
      if takeDigits() == 0 { return nil }
    }
    // The grammar is checked, since the standard library's also knows `nan`, `inf` and `0x`.
    return rest.isEmpty ? Double(String(decoding: text, as: UTF8.self)) : nil
  }
}
