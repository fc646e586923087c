import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

/// Tiles of a world in one file: PMTiles, version 3.
///
/// They lie in scratch files until they are written. In memory are the listings that the world keeps, one
/// bit for each tile that was made, and some forty bytes for each that shows no point.
package struct WorldArchive {
  /// What is in it.
  package struct Counts: Sendable {
    /// Tiles.
    package var tiles: Int
    /// Different ones.
    package var contents: Int
    /// Entries of directories.
    package var entries: Int
  }

  private let tiles: TileCollection
  let index: TileIndex
  private let directories: Directories
  private let metadata: [UInt8]
  let header: ArchiveHeader

  /// Makes the tiles.
  ///
  /// - Parameters:
  ///   - world: What they show; it must not change meanwhile.
  ///   - totals: What is below folders, if the tiles are to say so.
  ///   - range: Which tiles are made.
  ///   - threads: How many threads make them. The archive is the same with any number.
  ///   - tell: Told how much is done, in thousandths.
  /// - Throws: Why no thread could be started, or no scratch file be written.
  package init(
    of world: World, totals: TreeTotals? = nil, range: TileDescent.Range, threads: Int,
    tell: (Int) -> Void = { _ in }
  ) throws(Errno) {
    let tiles = try TileWork(world, totals: totals, range: range)
      .run(threads: threads, tell: tell)
    try self.init(tiles, of: world)
  }

  /// An archive of tiles that are there already.
  init(_ tiles: TileCollection, of world: World) throws(Errno) {
    self.tiles = tiles
    let range = tiles.range
    index = try TileIndex(tiles)
    directories = try Directories(index.entries)
    var description = TileJSON(name: world.title, tiles: "", bounds: world.bounds)
    description.deepest = range.deepest
    metadata = Gzip.compress(description.archiveMetadata(completeTo: range.complete))
    var header = ArchiveHeader(
      root: directories.root.count, metadata: metadata.count,
      leaves: directories.leaves?.count ?? 0, data: Int64(clamping: index.length))
    header.tiles = index.count
    header.contents = index.contents
    header.entries = UInt64(index.entries.count)
    header.deepest = range.deepest
    header.bounds = world.bounds
    self.header = header
    fingerprint = [header.encode(), directories.root, metadata].reduce(index.fingerprint) {
      XXH64.hash($1.span, seed: $0)
    }
  }

  /// What is in it.
  package var counts: Counts {
    Counts(
      tiles: Int(clamping: index.count), contents: Int(clamping: index.contents),
      entries: index.entries.count)
  }

  /// A hash of all that is in it: archives of one hash are equal, but for chance.
  package let fingerprint: UInt64

  /// Bytes of the file.
  package var length: Int64 { Int64(clamping: header.data.offset + header.data.length) }

  /// Writes the file, from its beginning to its end.
  package func write<Failure: Error>(
    to output: (Span<UInt8>) throws(Failure) -> Void
  ) throws(ArchiveFailure<Failure>) {
    do throws(Failure) {
      try output(header.encode().span)
      try output(directories.root.span)
      try output(metadata.span)
    } catch {
      throw .output(error)
    }
    if let leaves = directories.leaves { try Self.copy(leaves, to: output) }
    var (position, bytes) = (0, [UInt8]())
    try tiles.forEach { (record, shelf) throws(ArchiveFailure<Failure>) in
      defer { position += 1 }
      if !index.isFirst[position] { return }
      do throws(Errno) {
        try tiles.read(Int(record.length), at: record.offset, of: shelf, into: &bytes)
      } catch {
        throw .scratch(error)
      }
      if bytes.count < Self.block { return }
      do throws(Failure) { try output(bytes.span) } catch { throw .output(error) }
      bytes.removeAll(keepingCapacity: true)
    }
    do throws(Failure) { try output(bytes.span) } catch { throw .output(error) }
  }

  /// How many bytes are copied at once.
  private static let block = 1 << 18

  private static func copy<Failure: Error>(
    _ scratch: ScratchFile, to output: (Span<UInt8>) throws(Failure) -> Void
  ) throws(ArchiveFailure<Failure>) {
    var bytes: [UInt8] = []
    var place: Int64 = 0
    while place < scratch.count {
      bytes.removeAll(keepingCapacity: true)
      do throws(Errno) {
        let got = try scratch.read(upTo: block, at: place, appendingTo: &bytes)
        if got == 0 { throw Errno.inputOutput }
        place += Int64(got)
      } catch {
        throw .scratch(error)
      }
      do throws(Failure) { try output(bytes.span) } catch { throw .output(error) }
    }
  }
}

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
