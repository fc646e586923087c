import GeoCore

/// Output bytes in a block of memory that grows by doubling and is reused.
///
/// An array checks capacity, bounds and uniqueness for each appended byte; here a writer reserves
/// capacity once for a whole feature and fills it through an ``OutputCursor``. Only this file, the
/// cursor's and that of ``PaddedText`` use pointers in this module.
///
/// It is safe to send: the buffer is the only owner of its memory, and can't be copied.
@safe package struct OutputBuffer: ~Copyable, @unchecked Sendable {
  private var base: UnsafeMutablePointer<UInt8>

  package private(set) var count = 0

  /// The number of bytes allocated, at least ``count``.
  package private(set) var capacity: Int

  /// Bytes after every reservation that a cursor may overwrite, as it stores whole words.
  static let slack = 64

  package init(capacity: Int) {
    self.capacity = max(capacity, 0) + Self.slack
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit { unsafe base.deallocate() }

  /// Removes written bytes; later ones move up.
  package mutating func remove(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    unsafe (base + range.lowerBound).update(
      from: base + range.upperBound, count: count - range.upperBound)
    count -= range.count
  }

  /// Removes all bytes and keeps the memory.
  package mutating func removeAll() { count = 0 }

  package mutating func append(_ bytes: Span<UInt8>) {
    put(reserving: bytes.count) { $0.put(bytes) }
  }

  package mutating func append(_ literal: StaticString) {
    put(reserving: literal.utf8CodeUnitCount) { $0.put(literal) }
  }

  package mutating func append(byte: UInt8) { put(reserving: 1) { $0.put(byte: byte) } }

  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe Span(_unsafeStart: base, count: count))
  }

  package var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  /// The bytes written so far as text, with ill-formed UTF-8 repaired.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A cursor at the end, with capacity for `length` bytes.
  ///
  /// The buffer must not be used until the cursor is passed to ``commit(_:)``.
  @inline(__always)
  mutating func cursor(reserving length: Int) -> OutputCursor {
    precondition(length >= 0)
    if length > capacity - count - Self.slack { grow(by: length) }
    return unsafe OutputCursor(next: base + count, end: base + (capacity - Self.slack))
  }

  /// Adds what `body` puts, at most `length` bytes.
  @inline(__always) @discardableResult
  mutating func put<Result>(
    reserving length: Int, _ body: (inout OutputCursor) -> Result
  ) -> Result {
    var cursor = self.cursor(reserving: length)
    defer { commit(cursor) }
    return body(&cursor)
  }

  /// Keeps the bytes written through a cursor.
  @inline(__always)
  mutating func commit(_ cursor: OutputCursor) {
    let written = unsafe cursor.next - base
    precondition(written >= count && written <= capacity - Self.slack)
    count = written
  }

  @inline(never)
  private mutating func grow(by length: Int) {
    let larger = max(capacity * 2, count + length + Self.slack)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = memory
    capacity = larger
  }
}

extension OutputBuffer {
  package mutating func append(_ number: UInt64) {
    put(reserving: OutputCursor.longestNumber) { $0.put(number) }
  }

  package mutating func append(_ number: Int64) {
    put(reserving: OutputCursor.longestNumber) { $0.put(number) }
  }

  /// Adds a Unix time in ISO 8601, in UTC: `2026-11-20T08:00:00Z`.
  ///
  /// - Returns: Whether it is in the years 1 to 9999; if not, nothing is added.
  package mutating func append(time seconds: Int64) -> Bool {
    guard let time = CivilTime(unixSeconds: seconds) else { return false }
    put(reserving: 32) { $0.put(time) }
    return true
  }

  /// Adds a Unix time in milliseconds in RFC 3339, in UTC: `2026-11-20T08:00:00.000Z`.
  ///
  /// - Returns: Whether it is in the years 1 to 9999; if not, nothing is added.
  @discardableResult
  package mutating func append(milliseconds: Int64) -> Bool {
    put(reserving: 32) { $0.put(milliseconds: milliseconds) }
  }

  /// Adds a finite number as the shortest decimal text that reads back as the same double, without
  /// an exponent.
  package mutating func append(decimal value: Double) {
    put(reserving: OutputCursor.longestDecimal) { $0.put(decimal: value) }
  }

  /// Adds degrees as decimal text: sign, whole degrees, and the decimals without trailing zeros.
  ///
  /// There is no point without decimals, never an exponent, and zero has no sign.
  ///
  /// - Parameters:
  ///   - degrees: An integer number of 10^-digits degrees.
  ///   - digits: 0 to 13.
  package mutating func append(degrees: Int64, digits: UInt8) {
    put(reserving: OutputCursor.longestDegrees) {
      $0.put(degrees: degrees, DegreesScale(digits: digits))
    }
  }
}

extension OutputBuffer {
  package mutating func append(little number: UInt64) {
    put(reserving: 8) { $0.put(little: number) }
  }

  package mutating func append(little number: UInt32) {
    put(reserving: 4) { $0.put(little: number) }
  }
}

extension OutputBuffer {
  /// Adds raw bytes as the inside of a JSON string, without quotes around it.
  ///
  /// `"`, `\` and the control characters U+0000–001F and U+007F–009F are escaped; U+FFFD replaces
  /// each ill-formed maximal subpart.
  ///
  /// - Returns: Whether the bytes are valid UTF-8.
  @discardableResult
  package mutating func append(json text: Span<UInt8>) -> Bool { append(text, as: JSONText.self) }

  /// Adds raw bytes as the inside of a JSON string in the script element of a page, without quotes
  /// around it.
  @discardableResult
  package mutating func append(script text: Span<UInt8>) -> Bool {
    append(text, as: ScriptText.self)
  }

  /// Adds raw bytes as XML 1.0 character data, or as an attribute's value without quotes around it.
  ///
  /// `& < > "`, tab, LF and CR are escaped; U+FFFD replaces characters that XML forbids, and each
  /// ill-formed maximal subpart.
  @discardableResult
  package mutating func append(xml text: Span<UInt8>) -> Bool { append(text, as: XMLText.self) }

  /// Adds raw bytes as a CSV field, in quotes if it contains `"`, `,`, CR or LF.
  ///
  /// - Returns: Whether the bytes are valid UTF-8; if not, U+FFFD replaces each ill-formed maximal
  ///   subpart.
  @discardableResult
  package mutating func append(csv text: Span<UInt8>) -> Bool {
    let isQuoted = CSVText.needsQuotes(text)
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
    let isValid = append(text, as: CSVText.self)
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
    return isValid
  }

  /// Adds raw bytes percent-encoded; letters, digits and `-._~/` are not encoded. Equal bytes give
  /// equal text.
  package mutating func append(percent path: Span<UInt8>) {
    put(reserving: path.count * PercentText.expansion) { PercentText.put(path, to: &$0) }
  }

  private mutating func append<Rule: TextRule>(_ text: Span<UInt8>, as rule: Rule.Type) -> Bool {
    put(reserving: text.count * Rule.expansion) { Rule.put(text, to: &$0) }
  }
}

/// Text for many features, kept so that it can be copied in whole blocks.
///
/// It is made once for a folder or a batch. The array is reused, so that nothing is allocated once
/// it has grown to the longest text.
struct PaddedText: Sendable {
  /// Bytes that may be read after the text.
  static let padding = 32

  /// The text, followed by at least ``padding`` bytes of any value.
  private(set) var bytes = [UInt8](repeating: 0, count: PaddedText.padding)
  private(set) var count = 0

  /// Replaces the text by the bytes that `body` puts.
  ///
  /// - Parameter length: An upper bound of the number of bytes.
  mutating func fill(reserving length: Int, _ body: (inout OutputCursor) -> Void) {
    precondition(length >= 0)
    let needed = length + OutputBuffer.slack
    if bytes.count < needed {
      bytes = Array(repeating: 0, count: max(needed, bytes.count * 2))
    }
    count = unsafe bytes.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return 0 }
      var cursor = unsafe OutputCursor(next: base, end: base + length)
      body(&cursor)
      let written = unsafe cursor.next - base
      precondition(written >= 0 && written <= length)
      return written
    }
  }
}
