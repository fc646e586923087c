import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

/// The tiles of a world in one file: PMTiles, version 3.
///
/// Tiles stay in scratch files until they are written. Memory holds the listings that the world
/// caches, one bit for each tile that was made, and some forty bytes for each tile without points.
package struct WorldArchive {
  /// The numbers of tiles and entries.
  package struct Counts: Sendable {
    /// All tiles.
    package var tiles: Int
    /// Different tile contents.
    package var contents: Int
    /// Directory entries.
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
  ///   - world: The world to show; it must not change meanwhile.
  ///   - totals: The totals of folders, to be included in the tiles; optional.
  ///   - range: The range of tiles to make.
  ///   - threads: The number of threads. It doesn't affect the archive.
  ///   - progress: Called with the progress in thousandths.
  /// - Throws: An error number if no thread could be started or a scratch file failed.
  package init(
    of world: World, totals: TreeTotals? = nil, range: TileDescent.Range, threads: Int,
    progress: (Int) -> Void = { _ in }
  ) throws(Errno) {
    let tiles = try TileWork(world, totals: totals, range: range)
      .run(threads: threads, progress: progress)
    try self.init(tiles, of: world)
  }

  /// Makes an archive of existing tiles.
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

  /// The numbers of tiles and entries.
  package var counts: Counts {
    Counts(
      tiles: Int(clamping: index.count), contents: Int(clamping: index.contents),
      entries: index.entries.count)
  }

  /// A hash of the whole content: archives with the same hash are almost certainly equal.
  package let fingerprint: UInt64

  /// The size of the file in bytes.
  package var length: Int64 { Int64(clamping: header.data.offset + header.data.length) }

  /// Writes the file from start to end.
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

  /// The number of bytes to write at once.
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
  /// Returns the entries of the tiles of the first zooms, sorted by number. With them a client can
  /// show the whole world without reading directories.
  ///
  /// - Parameter zoom: The deepest of the first zooms.
  /// - Returns: Entries with offsets from the start of the file. Tiles of these zooms without an
  ///   entry don't exist.
  package func beginning(to zoom: Int) throws(Errno) -> [ArchiveEntry] {
    let end = HilbertCurve.first(ofZoom: zoom + 1)
    // Each entry has at least one tile.
    let count = min(index.entries.count, Int(end))
    return try index.entries.read(0..<count).filter { $0.tile < end }.map { entry in
      ArchiveEntry(
        tile: entry.tile, run: entry.run, offset: header.data.offset + entry.offset,
        length: entry.length)
    }
  }
}

extension WorldArchive {
  /// Makes an archive that is complete at every zoom it has, and as deep as its size allows: at
  /// most twice the size of a sparse archive.
  ///
  /// A sample of the sparse tiles gives a first estimate of the zoom. Then one descent makes all
  /// tiles down to that zoom and the sparse ones below, so that both sizes are exact, and zooms
  /// that don't fit are cut off. The size of the next zoom is estimated from a share of its tiles;
  /// if it might fit, the tiles are made again down to it. The result depends on the tree alone,
  /// not on the threads.
  ///
  /// - Parameters:
  ///   - sparse: The range of the sparse archive.
  ///   - deepest: The deepest zoom to try.
  ///   - progress: Called with the progress in thousandths, which may start again.
  package static func complete(
    of world: World, totals: TreeTotals? = nil, notTwiceAsLargeAs sparse: TileDescent.Range,
    deepest: Int, threads: Int, progress: (Int) -> Void = { _ in }
  ) throws(Errno) -> WorldArchive {
    let search = DepthSearch(
      world: world, totals: totals, sparse: sparse, deepest: deepest, threads: threads)
    var zoom = try search.guess()
    while true {
      switch try search.attempt(zoom, progress: progress) {
      case .fits(let archive): return archive
      case .isTooShallow(let next): zoom = next
      }
    }
  }
}

/// Searches the deepest zoom at which a complete archive is small enough.
private struct DepthSearch {
  enum Attempt {
    /// The archive was found.
    case fits(WorldArchive)
    /// The archive must go down to this zoom at least.
    case isTooShallow(Int)
  }

  let world: World
  let totals: TreeTotals?
  let sparse: TileDescent.Range
  let deepest: Int
  let threads: Int

  /// The maximum size of a complete archive, as a multiple of the sparse one's.
  private static let factor: Int64 = 2
  /// The usual size of a zoom relative to the one above, in per cent: coast lines double.
  private static let usualGrowth: Int64 = 210
  /// The size relative to the limit up to which an estimate may still be wrong, in per cent.
  private static let doubt: Int64 = 105

  /// Estimates the zoom to try first.
  func guess() throws(Errno) -> Int {
    let tiles = try TileWork(
      world, totals: totals, range: sparse, sample: Self.sample(sparse.complete)
    ).run(threads: threads)
    let whole = try WorldArchive(tiles, of: world)
    let top = try WorldArchive(tiles.cut(to: sparse.complete), of: world)
    return reach(of: top, limit: Self.factor * whole.length, growth: Self.usualGrowth)
  }

  /// Returns the deepest zoom that may fit the limit, if each zoom below the archive's grows by the
  /// same factor.
  private func reach(of archive: WorldArchive, limit: Int64, growth: Int64) -> Int {
    var zoom = archive.header.deepest
    var length = archive.length
    var step = Int64(clamping: archive.index.lengthOfDeepest)
    // An empty deepest zoom stays empty.
    while step > 0, zoom < deepest {
      step = step * growth / 100
      length += step
      if length > limit { break }
      zoom += 1
    }
    return zoom
  }

  /// Makes the tiles down to a zoom, and checks whether the archive is as deep as possible.
  func attempt(_ zoom: Int, progress: (Int) -> Void) throws(Errno) -> Attempt {
    let range = TileDescent.Range(complete: zoom, deepest: max(zoom, sparse.deepest))
    let work = TileWork(
      world, totals: totals, range: range, probeShare: zoom < deepest ? Self.share(zoom) : nil)
    let tiles = try work.run(threads: threads, progress: progress)
    let limit = Self.factor * (try WorldArchive(tiles.cut(to: sparse), of: world).length)
    var fitting = zoom
    var archive = try WorldArchive(tiles.cut(to: zoom), of: world)
    while archive.length > limit, fitting > sparse.complete {
      fitting -= 1
      archive = try WorldArchive(tiles.cut(to: fitting), of: world)
    }
    if fitting < zoom || zoom == deepest { return .fits(archive) }
    let growth = work.probed.growth ?? Self.usualGrowth
    let doubtful = limit * Self.doubt / 100
    let step = Int64(clamping: archive.index.lengthOfDeepest) * growth / 100
    if archive.length + step > doubtful { return .fits(archive) }
    return .isTooShallow(
      max(zoom + 1, reach(of: archive, limit: limit, growth: max(growth, Self.usualGrowth))))
  }

  /// The sampling interval among the tiles of zoom 5, for a world that is complete to a zoom.
  private static func sample(_ complete: Int) -> Int { complete < 4 ? 1 : complete < 8 ? 4 : 16 }

  /// The interval between measured tiles of a zoom: the more tiles, the smaller the share.
  private static func share(_ zoom: Int) -> UInt64 { 1 << UInt64(min(max(zoom - 4, 0), 4)) }
}

extension ProbeSums {
  /// The size of the next zoom relative to this one, in per cent; nil if nothing was measured.
  fileprivate var growth: Int64? { parents > 0 ? Int64(children) * 100 / Int64(parents) : nil }
}

extension TileCollection {
  /// Returns the tiles for a complete archive that ends at a zoom.
  fileprivate func cut(to zoom: Int) -> TileCollection {
    cut(to: TileDescent.Range(complete: zoom, deepest: zoom))
  }
}
