/// The rows of a row group while they are collected: records, and their positions.
struct ParquetRows {
  private(set) var bytes: [UInt8] = []
  private(set) var starts: [Int] = []
  private(set) var keys: [UInt64] = []
  private(set) var boxes: [Box] = []
  /// The folders of the rows, once these are arranged.
  private(set) var folders = ParquetFolders()
  private(set) var extent = Box()
  private(set) var hasPoints = false
  private(set) var hasRings = false

  var count: Int { starts.count }

  mutating func add(_ record: Span<UInt8>, sortedBy key: UInt64) {
    starts.append(bytes.count)
    keys.append(key)
    bytes.append(copying: record)
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

  /// Removes the rows from an index on, and returns them.
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

  /// The best place to end a row group: the latest in the second half where the curve leaves the
  /// largest square, as rows of two large squares have a large box.
  ///
  /// - Parameter next: The sort key of the row after these.
  func bestCut(before next: UInt64) -> Int {
    var (best, widest) = (count, Int.max)
    for index in max(1, count / 2)...max(1, count) {
      let differing = keys[index - 1] ^ (index < count ? keys[index] : next)
      // Each two bits of a key are a position in a square of the next larger size; the highest bit
      // is set for all nodes but wide lands.
      let level = (differing.leadingZeroBitCount - 1) >> 1
      if level <= widest { (best, widest) = (index, level) }
    }
    return best
  }
}

extension ParquetRows {
  private struct Place {
    /// The index of the folder, with points after rings.
    let folder: UInt64
    /// The beginning of the name.
    let name: UInt64
    let row: Int
  }

  /// Sorts the rows so that they compress best: rings before points, each by the paths of their
  /// folders and by their names.
  ///
  /// The order in a group doesn't matter to readers, which read whole groups. Neighbours share most
  /// of their path, and are near each other too.
  ///
  /// - Complexity: O(n log n) comparisons for n rows.
  mutating func arrange() {
    folders = ParquetFolders(self)
    let order = self.order()
    starts = order.map { starts[$0] }
    keys = order.map { keys[$0] }
    boxes = order.map { boxes[$0] }
    folders.arrange(order)
  }

  private func order() -> [Int] {
    let bytes = bytes.span
    var places = starts.indices.map { row in
      let isPoint = !ParquetRow.flags(bytes, starts[row]).contains(.ring)
      let folder = folders.numbers[row].map { UInt64($0) + 1 } ?? 0
      let name = bytes.extracting(ParquetRow.name(bytes, starts[row]))
      return Place(folder: (isPoint ? 1 << 32 : 0) | folder, name: name.bigEndianPrefix, row: row)
    }
    places.sort { a, b in
      if a.folder != b.folder { return a.folder < b.folder }
      if a.name != b.name { return a.name < b.name }
      let names = (ParquetRow.name(bytes, starts[a.row]), ParquetRow.name(bytes, starts[b.row]))
      if bytes.orders(names.0, before: names.1) { return true }
      return !bytes.orders(names.1, before: names.0) && a.row < b.row
    }
    return places.map(\.row)
  }
}

/// The folders of the rows of a row group.
struct ParquetFolders {
  /// The ranges of their paths in the bytes of the rows, in the order of the paths.
  private(set) var paths: [Range<Int>] = []
  /// By row: the index of its folder; nil for a root.
  private(set) var numbers: [UInt32?] = []

  init() {}

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

  /// - Parameter order: The former indices of the rows, in their new order.
  mutating func arrange(_ order: some Collection<Int>) { numbers = order.map { numbers[$0] } }
}
