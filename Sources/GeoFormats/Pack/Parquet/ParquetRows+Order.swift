import GeoCore

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
