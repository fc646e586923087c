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

extension ParquetRows {
  /// What a row of a group is sorted by.
  private struct Place {
    /// Points behind rings, and the folder.
    let folder: UInt64
    /// The beginning of the name.
    let name: UInt64
    let row: Int
  }

  /// Puts the rows into the order in which they pack best: rings before points, and of either those of a folder
  /// together, the folders by their paths and the nodes in each by their names.
  ///
  /// Where a row stands in its group is nothing that a reader who asks for a box could use: he reads the
  /// whole group. Neighbours share most of their path, and they are near each other too.
  ///
  /// - Complexity: O(n log n) comparisons for n rows.
  mutating func arrange() {
    let folders = ParquetFolders(self)
    take(order(folders), folders)
  }

  private func order(_ folders: ParquetFolders) -> [Int] {
    let bytes = bytes.span
    var places = starts.indices.map { row in
      let isPoint = !ParquetRow.flags(bytes, starts[row]).contains(.ring)
      let folder = folders.numbers[row].map { UInt64($0) + 1 } ?? 0
      let name = bytes.extracting(ParquetRow.name(bytes, starts[row]))
      return Place(
        folder: (isPoint ? 1 << 32 : 0) | folder, name: name.bigEndianPrefix, row: row)
    }
    places.sort { a, b in
      if a.folder != b.folder { return a.folder < b.folder }
      if a.name != b.name { return a.name < b.name }
      let names = (
        ParquetRow.name(bytes, starts[a.row]), ParquetRow.name(bytes, starts[b.row])
      )
      if bytes.orders(names.0, before: names.1) { return true }
      return !bytes.orders(names.1, before: names.0) && a.row < b.row
    }
    return places.map(\.row)
  }
}

/// The folders around the rows of a row group.
struct ParquetFolders {
  /// Where their paths are among the bytes of the rows, in the order of the paths.
  private(set) var paths: [Range<Int>] = []
  /// By row: which of them; nil for a root.
  private(set) var numbers: [UInt32?] = []

  /// No folders.
  init() {}

  /// The folders of some rows.
  ///
  /// - Complexity: O(bytes of paths), and O(n log n) for n folders.
  init(_ rows: ParquetRows) {
    let bytes = rows.bytes.span
    var known: [[UInt8]: UInt32] = [:]
    numbers.reserveCapacity(rows.count)
    var last: (path: Range<Int>, number: UInt32)?
    for start in rows.starts {
      guard let path = ParquetRow.folder(bytes, start) else {
        numbers.append(nil)
        continue
      }
      // Neighbours are mostly in the same folder.
      if let last, bytes.extracting(last.path).equals(bytes.extracting(path)) {
        numbers.append(last.number)
        continue
      }
      let text = Array(rows.bytes[path])
      let number = known[text] ?? UInt32(paths.count)
      if number == UInt32(paths.count) {
        known[text] = number
        paths.append(path)
      }
      numbers.append(number)
      last = (path, number)
    }
    sort(bytes)
  }

  private mutating func sort(_ bytes: Span<UInt8>) {
    let order = paths.indices.sorted { bytes.orders(paths[$0], before: paths[$1]) }
    var ranks = [UInt32](repeating: 0, count: paths.count)
    for (rank, number) in order.enumerated() { ranks[number] = UInt32(rank) }
    paths = order.map { paths[$0] }
    numbers = numbers.map { number in number.map { ranks[Int($0)] } }
  }

  /// Follows rows that are put into another order.
  ///
  /// - Parameter order: The rows as they were, in the order they get.
  mutating func arrange(_ order: some Collection<Int>) { numbers = order.map { numbers[$0] } }
}
