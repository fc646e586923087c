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
