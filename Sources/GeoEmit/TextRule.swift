import GeoPath

/// How raw bytes become text of one format.
///
/// Nearly all names are clean: they are copied a word at a time while ``flags(_:)`` looks for a
/// byte that may need more. Only a text in which it finds one is gone through by scalars.
protocol TextRule {
  /// How many bytes one byte of the text can become, at most.
  static var expansion: Int { get }

  /// Not zero if any of the eight bytes is not ASCII or may have to be escaped.
  static func flags(_ word: UInt64) -> UInt64

  /// Puts an ASCII character, escaped if need be.
  static func put(ascii byte: UInt8, to cursor: inout OutputCursor)

  /// Puts the well-formed scalar of two bytes or more at `range`, escaped if need be.
  static func put(scalar range: Range<Int>, of text: Span<UInt8>, to cursor: inout OutputCursor)
}

extension TextRule {
  /// Puts a whole text by scalars, U+FFFD in place of each maximal subpart that is ill-formed.
  ///
  /// - Returns: Whether all of it was well-formed UTF-8.
  @inline(never)
  static func put(scalarsOf text: Span<UInt8>, to cursor: inout OutputCursor) -> Bool {
    var isValid = true
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        put(ascii: byte, to: &cursor)
        index += 1
        continue
      }
      let step = text.utf8Step(at: index)
      let end = index + step.length
      if step.isValid {
        put(scalar: index..<end, of: text, to: &cursor)
      } else {
        cursor.put("\u{FFFD}")
        isValid = false
      }
      index = end
    }
    return isValid
  }

  /// Puts a text.
  ///
  /// - Returns: Whether all of it was well-formed UTF-8.
  @inline(__always)
  static func put(_ text: Span<UInt8>, to cursor: inout OutputCursor) -> Bool {
    if cursor.putWords(of: text, flags) == 0 { return true }
    return put(scalarsOf: text, to: &cursor)
  }
}

extension OutputCursor {
  /// Puts a text as it is if no flag is raised, else nothing.
  ///
  /// - Parameter flags: What to look for in each word.
  /// - Returns: All flags together.
  @inline(__always)
  mutating func putWords(of text: Span<UInt8>, _ flags: (UInt64) -> UInt64) -> UInt64 {
    let count = text.count
    var found: UInt64 = 0
    if count >= 8 {
      var offset = 0
      while offset < count - 8 {
        let word = text.loadWord(at: offset)
        found |= flags(word)
        store(word, at: offset)
        offset += 8
      }
      // The last word overlaps the one before, so that nothing behind the text is read.
      let word = text.loadWord(at: count - 8)
      found |= flags(word)
      store(word, at: count - 8)
    } else {
      let word = text.shortWord
      found = flags(word)
      store(word)
    }
    if found == 0 { advance(count) }
    return found
  }

  /// Puts a text again, of which ``putWords(of:_:)`` has raised no flag.
  ///
  /// It is read from where it came from: a load of what was just stored in smaller parts stalls.
  @inline(__always)
  mutating func putAgain(_ text: Span<UInt8>) { _ = putWords(of: text) { _ in 0 } }
}

extension Span<UInt8> {
  /// Fewer than eight bytes as a little-endian number, filled up with letters.
  @inline(__always)
  fileprivate var shortWord: UInt64 {
    let filler: UInt64 = 0x6161_6161_6161_6161
    if count >= 4 {
      let low = UInt64(loadHalfWord(at: 0))
      let high = UInt64(loadHalfWord(at: count - 4))
      return low | high &<< UInt64(8 * (count - 4)) | filler &<< UInt64(8 * count)
    }
    if count == 0 { return filler }
    // One to three bytes: first, middle and last cover them all.
    let first = UInt64(self[0])
    let middle = UInt64(self[count / 2])
    let last = UInt64(self[count - 1])
    return first | middle &<< UInt64(8 * (count / 2)) | last &<< UInt64(8 * (count - 1))
      | filler &<< UInt64(8 * count)
  }
}

/// Searches in the eight bytes of a word at once.
extension UInt64 {
  /// The highest bit of each byte.
  @inline(__always) static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// The given byte eight times.
  @inline(__always)
  static func eight(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Has a high bit set if a byte is below `limit`, which is at most 0x80; clean else.
  ///
  /// The lowest bit set is exact; a borrow can raise false ones above it.
  @inline(__always)
  func hasByte(below limit: UInt8) -> UInt64 { (self &- .eight(limit)) & ~self & .highBits }

  /// Has a high bit set if a byte is `byte`; clean else.
  @inline(__always)
  func hasByte(_ byte: UInt8) -> UInt64 { (self ^ .eight(byte)).hasByte(below: 1) }
}
