/// Bytes on their way out: a block of memory that grows by doubling and is reused.
///
/// An array would do, but each byte appended to it is checked for capacity, bounds and uniqueness;
/// here a writer reserves room once for a whole feature and fills it through an ``OutputCursor``.
/// This file, the cursor's and that of ``PaddedText`` are the only ones of the module with pointers.
///
/// It is safe to send: the buffer owns its memory alone, and can't be copied.
@safe public struct OutputBuffer: ~Copyable, @unchecked Sendable {
  private var base: UnsafeMutablePointer<UInt8>

  /// Bytes written so far.
  public private(set) var count = 0

  /// Bytes for which there is memory, at least ``count``.
  public private(set) var capacity: Int

  /// Bytes after every reservation that a cursor may scribble on: it stores whole words where it
  /// needs a part of one.
  static let slack = 64

  /// An empty buffer.
  ///
  /// - Parameter capacity: Bytes that can be written before it has to grow; it is kept as a hint.
  public init(capacity: Int) {
    self.capacity = max(capacity, 0) + Self.slack
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit { unsafe base.deallocate() }

  /// Forgets what was written and keeps the memory.
  public mutating func removeAll() { count = 0 }

  /// Adds bytes.
  ///
  /// - Complexity: O(count), amortised.
  public mutating func append(_ bytes: Span<UInt8>) {
    var cursor = self.cursor(reserving: bytes.count)
    cursor.put(bytes)
    commit(cursor)
  }

  /// Adds text that is known at compile time.
  public mutating func append(_ literal: StaticString) {
    var cursor = self.cursor(reserving: literal.utf8CodeUnitCount)
    cursor.put(literal)
    commit(cursor)
  }

  /// Adds a byte.
  public mutating func append(byte: UInt8) {
    var cursor = self.cursor(reserving: 1)
    cursor.put(byte: byte)
    commit(cursor)
  }

  /// Calls `body` with what was written so far.
  public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe Span(_unsafeStart: base, count: count))
  }

  /// A copy of what was written so far.
  ///
  /// - Complexity: O(count).
  public var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  /// What was written so far as text, of which what is ill-formed is repaired.
  ///
  /// - Complexity: O(count).
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A cursor at the end, with room for `room` bytes.
  ///
  /// The buffer must be left alone until the cursor is handed to ``commit(_:)``.
  @inline(__always)
  mutating func cursor(reserving room: Int) -> OutputCursor {
    precondition(room >= 0)
    if room > capacity - count - Self.slack { grow(by: room) }
    return unsafe OutputCursor(next: base + count, end: base + (capacity - Self.slack))
  }

  /// Takes over what was written through a cursor.
  @inline(__always)
  mutating func commit(_ cursor: OutputCursor) {
    let written = unsafe cursor.next - base
    precondition(written >= count && written <= capacity - Self.slack)
    count = written
  }

  /// Moves to memory of twice the size, or more if that is not enough.
  @inline(never)
  private mutating func grow(by room: Int) {
    let larger = max(capacity * 2, count + room + Self.slack)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = memory
    capacity = larger
  }
}
