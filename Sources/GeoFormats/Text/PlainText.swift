/// UTF-8 as it is; only what is ill-formed is repaired.
enum PlainText: TextRule {
  static let expansion = 3

  @inline(__always)
  static func flags(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> { block }

  @inline(__always)
  static func put(ascii byte: UInt8, to cursor: inout OutputCursor) { cursor.put(byte: byte) }

  @inline(__always)
  static func put(
    scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    cursor.put(text.extracting(range))
  }
}
