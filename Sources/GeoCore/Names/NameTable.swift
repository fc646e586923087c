/// The names of one listing: an arena of raw bytes, and a record for each name in it.
///
/// A name is any bytes; nothing is decoded, folded or normalised. Each is followed by a zero byte,
/// which doesn't count, so that a system call can take it as it lies. A name of 20 bytes takes 37.
@frozen public struct NameTable: Sendable {
  /// The bytes of all names, one after the other.
  public private(set) var bytes: [UInt8] = []

  /// A record for each name, in the order of ``append(_:kind:)`` until ``sort()`` is called.
  public private(set) var records: [NameRecord] = []

  /// An empty table.
  public init() {}

  /// A table of the given names, in the given order, all of the same kind.
  public init(_ names: some Sequence<[UInt8]>, kind: EntryKind = .regular) {
    for name in names { append(name.span, kind: kind) }
  }

  /// How many names there are.
  @inlinable public var count: Int { records.count }

  /// Whether there is no name.
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
  ///
  /// - Returns: Whether it does; of an empty table it always does.
  /// - Complexity: O(length), amortised.
  public mutating func append(inOrder name: Span<UInt8>, kind: EntryKind) -> Bool {
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

  /// Adds the name at `index` of another table at the end.
  public mutating func append(from other: NameTable, at index: Int) {
    let record = other.records[index]
    append(other.bytes.span.extracting(record.range), kind: record.kind)
  }

  /// Takes all names away and keeps the memory for the next listing.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
  }

  /// The same names in no more memory than they need, to be kept.
  ///
  /// - Complexity: O(bytes).
  public func compacted() -> NameTable {
    var table = NameTable()
    table.bytes.reserveCapacity(bytes.count)
    table.bytes += bytes
    table.records.reserveCapacity(records.count)
    table.records += records
    return table
  }

  /// Puts the records in the byte order of their names.
  ///
  /// - Complexity: O(n log n) comparisons, nearly all of them of one word.
  public mutating func sort() {
    let arena = bytes
    records.sort { a, b in
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      return arena.span.orders(a.range, before: b.range)
    }
  }
}

extension NameTable {
  /// Whether a table has the same names of the same kinds in the same order.
  ///
  /// - Complexity: O(bytes that are the same), eight at a time; O(1) of a copy.
  package func isSame(as other: NameTable) -> Bool {
    if count != other.count { return false }
    let (records, others) = (records.span, other.records.span)
    if records.isIdentical(to: others) { return true }
    let (bytes, otherBytes) = (bytes.span, other.bytes.span)
    for index in 0..<records.count {
      let (a, b) = (records[index], others[index])
      if a.prefix != b.prefix || a.length != b.length || a.kind != b.kind { return false }
      // The first eight bytes are in the record, and the last eight may be compared twice.
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

  /// Where a sorted table has a name; nil if it hasn't.
  ///
  /// - Complexity: O(log n).
  public func index(of name: [UInt8]) -> Int? { index(of: name.span) }

  /// Where a sorted table has a name; nil if it hasn't.
  ///
  /// - Complexity: O(log n).
  public func index(of name: Span<UInt8>) -> Int? {
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

/// One name of a ``NameTable``: where its bytes lie in the arena, and what the entry is.
///
/// Sixteen bytes that can be sorted and moved as they are. The first eight bytes of the name are
/// kept in the record, so that most comparisons don't touch the arena.
@frozen public struct NameRecord: BitwiseCopyable, Sendable {
  /// The name's first eight bytes, the first in the highest place, padded with zeros.
  public let prefix: UInt64

  /// Offset (40 bits), length (16 bits) and kind (8 bits).
  @usableFromInline let packed: UInt64

  /// The longest name that a record can describe, in bytes.
  public static let longestName = 0xFFFF

  /// A record of the name at `offset` of the arena.
  ///
  /// - Parameters:
  ///   - prefix: The name's first eight bytes, big-endian, padded with zeros.
  ///   - offset: Where the name begins, below 2^40.
  ///   - length: Bytes of the name, at most ``longestName``.
  ///   - kind: What the entry is.
  @inlinable
  public init(prefix: UInt64, offset: Int, length: Int, kind: EntryKind) {
    precondition(offset >> 40 == 0 && length <= Self.longestName)
    self.prefix = prefix
    self.packed = UInt64(offset) << 24 | UInt64(length) << 8 | UInt64(kind.rawValue)
  }

  /// Where the name begins in the arena.
  @inlinable public var offset: Int { Int(truncatingIfNeeded: packed >> 24) }

  /// Bytes of the name.
  @inlinable public var length: Int { Int(truncatingIfNeeded: packed >> 8 & 0xFFFF) }

  /// Where the name lies in the arena.
  @inlinable public var range: Range<Int> { offset..<(offset + length) }

  /// What the listing says that the entry is.
  @inlinable public var kind: EntryKind {
    EntryKind(rawValue: UInt8(truncatingIfNeeded: packed)) ?? .unknown
  }
}

/// The order of paths on a map: a folder, its files in byte order of their names, its sub-folders in byte
/// order of theirs, each with all that is in it.
package enum MapOrder {
  /// Whether one folder's path stands before another's.
  ///
  /// - Complexity: O(length of the shorter path).
  package static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.lexicographicallyPrecedes(b) { x, y in
      // Names end at a slash, and the shorter of two stands first.
      (x == .slash ? 0 : Int(x) + 1) < (y == .slash ? 0 : Int(y) + 1)
    }
  }

  /// Whether one node stands before another one.
  ///
  /// - Complexity: O(length of both paths).
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
    // Two entries of one folder are met: what differs are their names.
    let aIsFile = !aIsFolder && !a[index...].contains(.slash)
    let bIsFile = !bIsFolder && !b[index...].contains(.slash)
    return aIsFile == bIsFile ? precedes(a, b) : aIsFile
  }
}
