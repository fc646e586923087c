import GeoCore

/// A place in reserved memory where bytes are put without further questions.
///
/// Whoever asks ``OutputBuffer/cursor(reserving:)`` for one names an upper bound of what will be
/// put; debug builds check it byte by byte, release builds once, when the cursor is handed back. A
/// `put` may store up to ``OutputBuffer/slack`` bytes more than it advances.
@safe struct OutputCursor {
  /// Where the next byte goes.
  private(set) var next: UnsafeMutablePointer<UInt8>
  /// The end of what was reserved, before the slack.
  private let end: UnsafeMutablePointer<UInt8>

  @inline(__always)
  init(next: UnsafeMutablePointer<UInt8>, end: UnsafeMutablePointer<UInt8>) {
    unsafe self.next = next
    unsafe self.end = end
  }

  /// Bytes that are left of what was reserved.
  @inline(__always)
  var room: Int { unsafe end - next }

  /// Moves on over `length` bytes that were stored.
  @inline(__always)
  mutating func advance(_ length: Int) {
    assert(unsafe length >= 0 && length <= end - next, "the reservation was too small")
    unsafe next += length
  }

  /// Moves back over what was put since `mark`.
  @inline(__always)
  mutating func rewind(to mark: OutputMark) {
    assert(unsafe mark.place <= next)
    unsafe next = mark.place
  }

  /// The place where the cursor is now.
  @inline(__always)
  var mark: OutputMark { unsafe OutputMark(place: next) }

  /// Stores a word, the lowest byte first, `offset` bytes ahead, without moving on.
  @inline(__always)
  func store(_ word: UInt64, at offset: Int = 0) {
    assert(unsafe offset >= 0 && offset + 8 <= end - next + OutputBuffer.slack)
    unsafe UnsafeMutableRawPointer(next + offset).storeBytes(
      of: word.littleEndian, as: UInt64.self)
  }

  /// Stores sixteen bytes `offset` bytes ahead, without moving on.
  @inline(__always)
  func store(_ block: SIMD16<UInt8>, at offset: Int = 0) {
    assert(unsafe offset >= 0 && offset + 16 <= end - next + OutputBuffer.slack)
    unsafe UnsafeMutableRawPointer(next + offset).storeBytes(of: block, as: SIMD16<UInt8>.self)
  }

  /// Puts one byte.
  @inline(__always)
  mutating func put(byte: UInt8) {
    unsafe next.pointee = byte
    advance(1)
  }

  /// Puts any bytes.
  @inline(__always)
  mutating func put(_ bytes: Span<UInt8>) {
    let start = unsafe next
    advance(bytes.count)
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      unsafe start.initialize(from: base, count: source.count)
    }
  }

  /// Puts text whose length is known at compile time, and with it the few moves that it takes.
  @inline(__always)
  mutating func put(_ literal: StaticString) {
    let start = unsafe next
    advance(literal.utf8CodeUnitCount)
    unsafe start.initialize(from: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  /// Puts a text that was made before.
  ///
  /// It is copied in blocks of 32 bytes, the last one as a whole: for texts of some dozen bytes
  /// that is faster than a call of `memcpy`.
  @inline(__always)
  mutating func put(_ text: PaddedText) { put(text, count: text.count) }

  /// Puts the first `count` bytes of a text that was made before.
  @inline(__always)
  mutating func put(_ text: PaddedText, count: Int) {
    assert(count >= 0 && count <= text.bytes.count - PaddedText.padding)
    let start = unsafe next
    advance(count)
    unsafe text.bytes.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      var done = 0
      repeat {
        let block = unsafe UnsafeRawPointer(base + done).loadUnaligned(as: SIMD32<UInt8>.self)
        unsafe UnsafeMutableRawPointer(start + done).storeBytes(of: block, as: SIMD32<UInt8>.self)
        done &+= 32  // far below the size of memory
      } while done < count
    }
  }

  /// Puts again what was put between `mark` and `mark + count`.
  mutating func repeatBytes(from mark: OutputMark, count: Int) {
    assert(unsafe count >= 0 && mark.place + count <= next)
    let start = unsafe next
    advance(count)
    unsafe start.initialize(from: mark.place, count: count)
  }

  /// Stores four bytes, the lowest first, `offset` bytes after a place that the cursor has passed.
  @inline(__always)
  func store(_ number: UInt32, at mark: OutputMark, offset: Int = 0) {
    assert(unsafe offset >= 0 && mark.place + offset + 4 <= next)
    unsafe UnsafeMutableRawPointer(mark.place + offset).storeBytes(
      of: number.littleEndian, as: UInt32.self)
  }

  /// Stores two bytes, the lowest first, `offset` bytes after a place that the cursor has passed.
  @inline(__always)
  func store(_ number: UInt16, at mark: OutputMark, offset: Int) {
    assert(unsafe offset >= 0 && mark.place + offset + 2 <= next)
    unsafe UnsafeMutableRawPointer(mark.place + offset).storeBytes(
      of: number.littleEndian, as: UInt16.self)
  }

  /// Bytes put since `mark`.
  @inline(__always)
  func count(since mark: OutputMark) -> Int { unsafe next - mark.place }
}

/// A place that a cursor has passed.
@safe struct OutputMark {
  fileprivate let place: UnsafeMutablePointer<UInt8>

  @inline(__always)
  fileprivate init(place: UnsafeMutablePointer<UInt8>) { unsafe self.place = place }
}
