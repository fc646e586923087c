/// A set of bytes, as a bit map.
struct ByteSet: Sendable, Equatable, BitwiseCopyable {
  private var words = SIMD4<UInt64>(repeating: 0)

  init() {}

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { insert(byte) }
  }

  func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 != 0 }
  mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
  mutating func remove(_ byte: UInt8) { words[Int(byte >> 6)] &= ~(1 << UInt64(byte & 63)) }
  mutating func formUnion(_ other: ByteSet) { words |= other.words }
  mutating func invert() { words = ~words }

  /// Adds the other case of its ASCII letters. Returns whether it contains any.
  @discardableResult
  mutating func foldCase() -> Bool {
    // All letters are in one word; a capital is 32 bits below its small letter.
    let letters: UInt64 = 0x07FF_FFFE
    let found = (words[1] | words[1] >> 32) & letters
    words[1] |= found | found << 32
    return found != 0
  }

  /// The bytes of a POSIX character class in ASCII, as in git: `space` has only four bytes.
  init?(className: some Sequence<UInt8>) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
    let lower = UInt8(ascii: "a")...UInt8(ascii: "z")
    let ranges: [ClosedRange<UInt8>]
    switch String(decoding: Array(className), as: UTF8.self) {
    case "alnum": ranges = [digits, upper, lower]
    case "alpha": ranges = [upper, lower]
    case "blank": ranges = [0x09...0x09, 0x20...0x20]
    case "cntrl": ranges = [0x00...0x1F, 0x7F...0x7F]
    case "digit": ranges = [digits]
    case "graph": ranges = [0x21...0x7E]
    case "lower": ranges = [lower]
    case "print": ranges = [0x20...0x7E]
    case "punct": ranges = [0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]
    case "space": ranges = [0x09...0x0A, 0x0D...0x0D, 0x20...0x20]
    case "upper": ranges = [upper]
    case "xdigit": ranges = [digits, 0x41...0x46, 0x61...0x66]
    default: return nil
    }
    self.init(ranges.joined())
  }
}
