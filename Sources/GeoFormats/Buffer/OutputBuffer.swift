import GeoCore

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

  /// Takes away bytes that were written, the later ones moving up.
  ///
  /// - Complexity: O(bytes after them).
  package mutating func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    unsafe (base + range.lowerBound).update(
      from: base + range.upperBound, count: count - range.upperBound)
    count -= range.count
  }

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

extension OutputBuffer {
  /// Adds a number in decimal.
  public mutating func append(_ number: UInt64) {
    var cursor = self.cursor(reserving: OutputCursor.longestNumber)
    cursor.put(number)
    commit(cursor)
  }

  /// Adds a number in decimal, with a minus sign if it is negative.
  public mutating func append(_ number: Int64) {
    var cursor = self.cursor(reserving: OutputCursor.longestNumber)
    cursor.put(number)
    commit(cursor)
  }

  /// Adds a Unix time as ISO 8601 has it, in UTC: `2026-11-20T08:00:00Z`.
  ///
  /// - Returns: Whether it lies in the years 1 to 9999; if not, nothing is added.
  public mutating func append(time seconds: Int64) -> Bool {
    guard let time = CivilTime(unixSeconds: seconds) else { return false }
    var cursor = self.cursor(reserving: 32)
    cursor.put(time)
    commit(cursor)
    return true
  }

  /// Adds a Unix time in milliseconds as RFC 3339 has it, in UTC: `2026-11-20T08:00:00.000Z`.
  ///
  /// - Returns: Whether it lies in the years 1 to 9999; if not, nothing is added.
  @discardableResult
  package mutating func append(milliseconds: Int64) -> Bool {
    var cursor = self.cursor(reserving: 32)
    let hasText = cursor.put(milliseconds: milliseconds)
    commit(cursor)
    return hasText
  }

  /// Adds a finite number as the shortest decimal text that reads back as the same double, never
  /// with an exponent.
  package mutating func append(decimal value: Double) {
    let text = Array(value.description.utf8)
    guard let mark = text.firstIndex(of: UInt8(ascii: "e")) else {
      // "5.0" is "5".
      let isWhole = text.suffix(2).elementsEqual(".0".utf8)
      return append(text.span.extracting(0..<(isWhole ? text.count - 2 : text.count)))
    }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text[(isNegative ? 1 : 0)..<mark].filter { $0 != UInt8(ascii: ".") }
    let exponent = Int(String(decoding: text[(mark + 1)...], as: UTF8.self)) ?? 0
    if isNegative { append("-") }
    if exponent < 0 {
      append("0.")
      for _ in 1..<max(-exponent, 1) { append("0") }
      append(digits.span)
    } else {
      append(digits.span)
      for _ in 0..<max(0, exponent + 1 - digits.count) { append("0") }
    }
  }

  /// Adds degrees as decimal text: sign, whole degrees, and the decimals without trailing zeros.
  ///
  /// There is no point if no decimal is left, never an exponent, and zero has no sign.
  ///
  /// - Parameters:
  ///   - degrees: An integer number of 10^-digits degrees.
  ///   - digits: 0 to 13.
  public mutating func append(degrees: Int64, digits: UInt8) {
    var cursor = self.cursor(reserving: OutputCursor.longestDegrees)
    cursor.put(degrees: degrees, DegreesScale(digits: digits))
    commit(cursor)
  }
}

extension OutputBuffer {
  /// Adds the eight bytes of a number, the lowest first.
  package mutating func append(little number: UInt64) {
    var cursor = self.cursor(reserving: 8)
    cursor.put(little: number)
    commit(cursor)
  }

  /// Adds the four bytes of a number, the lowest first.
  package mutating func append(little number: UInt32) {
    var cursor = self.cursor(reserving: 4)
    cursor.put(little: number)
    commit(cursor)
  }
}

extension OutputBuffer {
  /// Adds raw bytes as the inside of a JSON string, without the quotes around it.
  ///
  /// `"`, `\` and the control characters U+0000–001F and U+007F–009F are escaped; U+FFFD replaces
  /// each maximal subpart that is no UTF-8.
  ///
  /// - Returns: Whether all of it was UTF-8.
  @discardableResult
  public mutating func append(json text: Span<UInt8>) -> Bool { append(text, as: JSONText.self) }

  /// Adds raw bytes as the inside of a JSON string in the script element of a page, without the quotes
  /// around it.
  ///
  /// - Returns: Whether all of it was UTF-8.
  @discardableResult
  package mutating func append(script text: Span<UInt8>) -> Bool {
    append(text, as: ScriptText.self)
  }

  /// Adds raw bytes as XML 1.0 character data, or as an attribute's value without the quotes.
  ///
  /// `& < > "`, tab, LF and CR are escaped; U+FFFD replaces what XML forbids, and each maximal
  /// subpart that is no UTF-8.
  ///
  /// - Returns: Whether all of it was UTF-8.
  @discardableResult
  package mutating func append(xml text: Span<UInt8>) -> Bool { append(text, as: XMLText.self) }

  /// Adds raw bytes as a CSV field, in quotes if it holds `"`, `,`, CR or LF.
  ///
  /// - Returns: Whether all of it was UTF-8; if not, each maximal subpart became U+FFFD.
  @discardableResult
  package mutating func append(csv text: Span<UInt8>) -> Bool {
    let isQuoted = CSVText.needsQuotes(text)
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
    let isValid = append(text, as: CSVText.self)
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
    return isValid
  }

  /// Adds raw bytes percent-encoded, exactly and in one way: letters, digits and `-._~/` stand for
  /// themselves.
  public mutating func append(percent path: Span<UInt8>) {
    var cursor = self.cursor(reserving: path.count * PercentText.expansion)
    PercentText.put(path, to: &cursor)
    commit(cursor)
  }

  private mutating func append<Rule: TextRule>(
    _ text: Span<UInt8>, as rule: Rule.Type
  ) -> Bool {
    var cursor = self.cursor(reserving: text.count * Rule.expansion)
    let isValid = Rule.put(text, to: &cursor)
    commit(cursor)
    return isValid
  }
}

/// Text that is put into many features, kept so that it can be copied in whole blocks.
///
/// It is made once for a folder or a batch. The array is reused, so nothing is allocated once it
/// has grown to the longest text.
struct PaddedText: Sendable {
  /// Bytes that may be read after the text.
  static let padding = 32

  /// The text, and after it ``padding`` bytes at least, of any value.
  private(set) var bytes = [UInt8](repeating: 0, count: PaddedText.padding)
  /// Bytes of the text.
  private(set) var count = 0

  /// Replaces the text by what `body` puts.
  ///
  /// - Parameter room: An upper bound of the bytes that `body` puts.
  mutating func fill(reserving room: Int, _ body: (inout OutputCursor) -> Void) {
    precondition(room >= 0)
    let needed = room + OutputBuffer.slack
    if bytes.count < needed {
      bytes = Array(repeating: 0, count: max(needed, bytes.count * 2))
    }
    count = unsafe bytes.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return 0 }
      var cursor = unsafe OutputCursor(next: base, end: base + room)
      body(&cursor)
      let written = unsafe cursor.next - base
      precondition(written >= 0 && written <= room)
      return written
    }
  }
}
