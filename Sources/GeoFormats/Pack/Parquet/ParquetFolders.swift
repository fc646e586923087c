import GeoCore

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
