import GeoSystem
import GeoAtlas

extension WorldArchive {
  /// Where in the file the tiles of the first zooms are, in the order of their numbers: who is told so need
  /// not ask for directories to show the whole world.
  ///
  /// - Parameter zoom: The deepest of these zooms.
  /// - Returns: Entries whose offsets count from the file's first byte. What they don't name isn't there.
  package func beginning(to zoom: Int) throws(Errno) -> [ArchiveEntry] {
    let end = HilbertCurve.first(ofZoom: zoom + 1)
    // Each entry has one tile at least.
    let count = min(index.entries.count, Int(end))
    return try index.entries.read(0..<count).filter { $0.tile < end }.map { entry in
      ArchiveEntry(
        tile: entry.tile, run: entry.run, offset: header.data.offset + entry.offset,
        length: entry.length)
    }
  }
}
