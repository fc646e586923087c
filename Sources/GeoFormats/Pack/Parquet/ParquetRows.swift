import GeoCore

/// The rows of a row group while they are collected: records, and where each of them is.
struct ParquetRows {
  private(set) var bytes: [UInt8] = []
  private(set) var starts: [Int] = []
  /// By what the rows are sorted.
  private(set) var keys: [UInt64] = []
  private(set) var boxes: [Box] = []
  /// The folders around them, once they are arranged.
  private(set) var folders = ParquetFolders()
  /// The box around all of them.
  private(set) var extent = Box()
  private(set) var hasPoints = false
  private(set) var hasRings = false

  var count: Int { starts.count }

  /// Adds a record without its header.
  ///
  /// - Parameter key: What it is sorted by.
  mutating func add(_ record: Span<UInt8>, sortedBy key: UInt64) {
    starts.append(bytes.count)
    keys.append(key)
    unsafe record.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    var box = Box()
    if let ring = ParquetRow.ring(record, 0) {
      for index in 0..<ring.count {
        box.add(
          longitude: ParquetRow.double(record, ring.start + 16 * index),
          latitude: ParquetRow.double(record, ring.start + 16 * index + 8))
      }
      hasRings = true
    } else {
      box.add(
        longitude: ParquetRow.double(record, NodeRecord.longitude),
        latitude: ParquetRow.double(record, NodeRecord.latitude))
      hasPoints = true
    }
    boxes.append(box)
    extent.add(box)
  }

  /// Takes the rows in another order.
  mutating func take(_ order: [Int], _ folders: ParquetFolders) {
    starts = order.map { starts[$0] }
    keys = order.map { keys[$0] }
    boxes = order.map { boxes[$0] }
    self.folders = folders
    self.folders.arrange(order)
  }

  /// Takes out the rows from an index on.
  mutating func split(at index: Int) -> ParquetRows {
    var rest = ParquetRows()
    for row in index..<count {
      let end = row + 1 < count ? starts[row + 1] : bytes.count
      rest.add(bytes.span.extracting(starts[row]..<end), sortedBy: keys[row])
    }
    if index < count { bytes.removeSubrange(starts[index]...) }
    starts.removeSubrange(index...)
    keys.removeSubrange(index...)
    boxes.removeSubrange(index...)
    extent = boxes.reduce(into: Box()) { $0.add($1) }
    return rest
  }

  /// Where the rows part best, at the last place or before it: where the curve leaves the largest square,
  /// for what lies in two of those has a large box. The later of such places, and none in the first half.
  ///
  /// - Parameter next: What the row is sorted by that comes after these.
  /// - Returns: How many rows stay together.
  /// - Complexity: O(count).
  func bestCut(before next: UInt64) -> Int {
    var (best, widest) = (count, Int.max)
    for index in max(1, count / 2)...max(1, count) {
      let differing = keys[index - 1] ^ (index < count ? keys[index] : next)
      // Two bits of a key say where in a square of the next larger ones; the highest says something else.
      let level = (differing.leadingZeroBitCount - 1) >> 1
      if level <= widest { (best, widest) = (index, level) }
    }
    return best
  }
}

/// What is in a record that begins at some place of other bytes.
enum ParquetRow {
  @inline(__always)
  static func double(_ bytes: Span<UInt8>, _ offset: Int) -> Double {
    Double(bitPattern: bytes.loadWord(at: offset))
  }

  @inline(__always)
  static func number(_ bytes: Span<UInt8>, _ offset: Int) -> Int64 {
    Int64(bitPattern: bytes.loadWord(at: offset))
  }

  @inline(__always)
  static func flags(_ bytes: Span<UInt8>, _ start: Int) -> NodeRecord.Flags {
    NodeRecord.Flags(
      rawValue: UInt16(
        truncatingIfNeeded: bytes.loadHalfWord(at: start + NodeRecord.flags)))
  }

  /// A text that is led by its length.
  @inline(__always)
  static func text(_ bytes: Span<UInt8>, _ offset: Int) -> Range<Int> {
    (offset + 4)..<(offset + 4 + Int(bytes.loadHalfWord(at: offset)))
  }

  @inline(__always)
  static func path(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int> {
    text(bytes, start + NodeRecord.path)
  }

  /// The last component of the path.
  @inline(__always)
  static func name(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int> {
    let path = path(bytes, start)
    let name = Int(bytes.loadHalfWord(at: start + NodeRecord.name))
    return (path.lowerBound + name)..<path.upperBound
  }

  /// The path without the last component; nil for a root.
  @inline(__always)
  static func folder(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int>? {
    let path = path(bytes, start)
    let name = Int(bytes.loadHalfWord(at: start + NodeRecord.name))
    return name == 0 ? nil : path.lowerBound..<(path.lowerBound + name - 1)
  }

  static func rawPath(_ bytes: Span<UInt8>, _ start: Int) -> Range<Int>? {
    guard flags(bytes, start).contains(.rawPath) else { return nil }
    return text(bytes, path(bytes, start).upperBound)
  }

  /// Where the three sums are.
  static func totals(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    guard flags(bytes, start).contains(.totals) else { return nil }
    return (rawPath(bytes, start) ?? path(bytes, start)).upperBound
  }

  /// One of the three sums, if it is known.
  static func total(_ bytes: Span<UInt8>, _ start: Int, _ index: Int) -> Int64? {
    guard let place = totals(bytes, start) else { return nil }
    let sum = number(bytes, place + 8 * index)
    return sum == NodeRecord.unknownSum ? nil : sum
  }

  /// Where a closed ring begins, and how many positions it has.
  @inline(__always)
  static func ring(_ bytes: Span<UInt8>, _ start: Int) -> (start: Int, count: Int)? {
    guard flags(bytes, start).contains(.ring) else { return nil }
    let offset =
      totals(bytes, start).map { $0 + 24 }
      ?? (rawPath(bytes, start) ?? path(bytes, start)).upperBound
    return (offset + 4, Int(bytes.loadHalfWord(at: offset)))
  }
}
