/// The names of one listing: an arena of raw bytes, and a record for each name.
///
/// A name can have any bytes; nothing is decoded, folded or normalised. A zero byte follows each
/// name, so that system calls can use it in place; it isn't part of the name. A name of 20 bytes
/// takes 37.
@frozen public struct NameTable: Sendable {
  /// The bytes of all names, one after the other.
  public private(set) var bytes: [UInt8] = []

  /// A record for each name, in the order of ``append(_:kind:)`` until ``sort()`` is called.
  public private(set) var records: [NameRecord] = []

  /// An empty table.
  public init() {}

  /// A table of names of one kind, in the given order.
  public init(_ names: some Sequence<[UInt8]>, kind: EntryKind = .regular) {
    for name in names { append(name.span, kind: kind) }
  }

  /// The number of names.
  @inlinable public var count: Int { records.count }

  /// Whether the table has no names.
  @inlinable public var isEmpty: Bool { records.isEmpty }

  /// A copy of the bytes of the name at `index`.
  public func name(at index: Int) -> [UInt8] { Array(bytes[records[index].range]) }

  /// Adds a name at the end.
  ///
  /// - Complexity: O(length), amortised.
  public mutating func append(_ name: Span<UInt8>, kind: EntryKind) {
    append(name, name.bigEndianPrefix, kind: kind)
  }

  /// Adds a name at the end if it comes after the last one.
  package mutating func append(inOrder name: Span<UInt8>, kind: EntryKind) -> Bool {
    let prefix = name.bigEndianPrefix
    if let last = records.last {
      if last.prefix > prefix { return false }
      if last.prefix == prefix, !bytes.span.extracting(last.range).orders(before: name) {
        return false
      }
    }
    append(name, prefix, kind: kind)
    return true
  }

  @inline(__always)
  private mutating func append(_ name: Span<UInt8>, _ prefix: UInt64, kind: EntryKind) {
    records.append(
      NameRecord(prefix: prefix, offset: bytes.count, length: name.count, kind: kind))
    let count = name.count + 1
    bytes.append(addingCapacity: count) { output in
      output.append(repeating: 0, count: count)
      var span = output.mutableSpan
      span.overwrite(from: 0, with: name)
    }
  }

  package mutating func append(from other: NameTable, at index: Int) {
    let record = other.records[index]
    append(other.bytes.span.extracting(record.range), kind: record.kind)
  }

  /// Removes all names and keeps the memory for the next listing.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
  }

  /// A copy without spare memory, to be kept.
  package func compacted() -> NameTable {
    var table = NameTable()
    table.bytes.reserveCapacity(bytes.count)
    table.bytes += bytes
    table.records.reserveCapacity(records.count)
    table.records += records
    return table
  }

  /// Sorts the records by the bytes of their names.
  ///
  /// - Complexity: O(n log n) comparisons, nearly all of them of one word.
  public mutating func sort() {
    let arena = bytes
    records.sort { a, b in
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      return arena.span.orders(a.range, before: b.range)
    }
  }

  /// Whether another table has the same names of the same kinds in the same order. O(1) for a copy.
  package func isSame(as other: NameTable) -> Bool {
    if count != other.count { return false }
    let (records, others) = (records.span, other.records.span)
    if records.isIdentical(to: others) { return true }
    let (bytes, otherBytes) = (bytes.span, other.bytes.span)
    for index in 0..<records.count {
      let (a, b) = (records[index], others[index])
      if a.prefix != b.prefix || a.length != b.length || a.kind != b.kind { return false }
      // The first eight bytes are in the record; some of the last eight may be compared twice.
      var next = 8
      while next < a.length {
        let start = min(next, a.length - 8)
        if bytes.loadWord(at: a.offset + start) != otherBytes.loadWord(at: b.offset + start) {
          return false
        }
        next += 8
      }
    }
    return true
  }

  /// Whether a sorted table has a name.
  ///
  /// - Complexity: O(log n).
  public func contains(_ name: [UInt8]) -> Bool { index(of: name) != nil }

  /// The index of a name in a sorted table; nil if it isn't there.
  ///
  /// - Complexity: O(log n).
  public func index(of name: [UInt8]) -> Int? { index(of: name.span) }

  /// The index of a name in a sorted table; nil if it isn't there.
  ///
  /// - Complexity: O(log n).
  package func index(of name: Span<UInt8>) -> Int? {
    let prefix = name.bigEndianPrefix
    let bytes = bytes.span
    let records = records.span
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      let record = records[middle]
      if record.prefix < prefix
        || (record.prefix == prefix && bytes.extracting(record.range).orders(before: name))
      {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < records.count, records[low].length == name.count else { return nil }
    return name.orders(before: bytes.extracting(records[low].range)) ? nil : low
  }
}

/// A name of a ``NameTable``: the place of its bytes in the arena, and the kind of the entry.
///
/// It has sixteen bytes. The first eight bytes of the name are in the record, so that most
/// comparisons don't read the arena.
@frozen public struct NameRecord: BitwiseCopyable, Sendable {
  /// The name's first eight bytes as a big-endian number, padded with zeros.
  @usableFromInline package let prefix: UInt64

  /// Offset (40 bits), length (16 bits) and kind (8 bits).
  @usableFromInline let packed: UInt64

  /// The longest name that a record can describe, in bytes.
  public static let longestName = 0xFFFF

  /// A record of the name at `offset` of the arena.
  ///
  /// - Parameters:
  ///   - prefix: The name's first eight bytes, big-endian, padded with zeros.
  ///   - offset: The offset of the name, below 2^40.
  ///   - length: The length of the name in bytes, at most ``longestName``.
  ///   - kind: The kind of the entry.
  @inlinable
  package init(prefix: UInt64, offset: Int, length: Int, kind: EntryKind) {
    precondition(offset >> 40 == 0 && length <= Self.longestName)
    self.prefix = prefix
    self.packed = UInt64(offset) << 24 | UInt64(length) << 8 | UInt64(kind.rawValue)
  }

  /// The offset of the name in the arena.
  @inlinable public var offset: Int { Int(truncatingIfNeeded: packed >> 24) }

  /// The length of the name in bytes.
  @inlinable public var length: Int { Int(truncatingIfNeeded: packed >> 8 & 0xFFFF) }

  /// The range of the name in the arena.
  @inlinable public var range: Range<Int> { offset..<(offset + length) }

  /// The kind of the entry by the listing.
  @inlinable public var kind: EntryKind {
    EntryKind(rawValue: UInt8(truncatingIfNeeded: packed)) ?? .unknown
  }
}

/// The order of nodes in a map: a folder, then its files by the bytes of their names, then its
/// sub-folders by the bytes of theirs, each with its contents.
package enum MapOrder {
  package static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.lexicographicallyPrecedes(b) { x, y in
      // A slash ends a name and sorts before all bytes, so that the shorter of two names comes
      // first.
      (x == .slash ? 0 : Int(x) + 1) < (y == .slash ? 0 : Int(y) + 1)
    }
  }

  package static func precedes(
    _ a: [UInt8], isFolder aIsFolder: Bool, _ b: [UInt8], isFolder bIsFolder: Bool
  ) -> Bool {
    if aIsFolder, bIsFolder { return precedes(a, b) }
    var index = 0
    let common = min(a.count, b.count)
    while index < common, a[index] == b[index] { index += 1 }
    if index == a.count, index == b.count { return false }
    if index == a.count, b[index] == .slash { return aIsFolder }
    if index == b.count, a[index] == .slash { return false }
    // The paths differ in the names of two entries of the same folder.
    let aIsFile = !aIsFolder && !a[index...].contains(.slash)
    let bIsFile = !bIsFolder && !b[index...].contains(.slash)
    return aIsFile == bIsFile ? precedes(a, b) : aIsFile
  }
}
