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
  package struct Counts: Sendable {
    package var tiles: Int
    package var contents: Int
    package var entries: Int
  }

  private let tiles: TileCollection
  let index: TileIndex
  private let directories: Directories
  private let metadata: [UInt8]
  let header: ArchiveHeader

  /// Makes the tiles of a world that doesn't change meanwhile; `progress` is in thousandths.
  package init(
    of world: World, totals: TreeTotals? = nil, range: TileDescent.Range, threads: Int,
    progress: (Int) -> Void = { _ in }
  ) throws(Errno) {
    tiles = try TileWork(world, totals: totals, range: range)
      .run(threads: threads, progress: progress)
    index = try TileIndex(tiles)
    directories = try Directories(index.entries)
    var description = TileJSON(of: world, tiles: "")
    description.maximumZoom = range.maximumZoom
    metadata = Gzip.compress(description.archiveMetadata(completeTo: range.complete))
    var header = ArchiveHeader(
      root: directories.root.count, metadata: metadata.count,
      leaves: directories.leaves?.count ?? 0, data: Int64(clamping: index.length))
    header.tiles = index.count
    header.contents = index.contents
    header.entries = UInt64(index.entries.count)
    header.maximumZoom = range.maximumZoom
    header.bounds = world.bounds
    self.header = header
    fingerprint = [header.encode(), directories.root, metadata].reduce(index.fingerprint) {
      XXH64.hash($1.span, seed: $0)
    }
  }

  package var counts: Counts {
    Counts(
      tiles: Int(clamping: index.count), contents: Int(clamping: index.contents),
      entries: index.entries.count)
  }

  /// The number of nodes that would appear only in deeper tiles, for sparse archives.
  package var leftOut = 0

  /// A hash of the whole content: archives with the same hash are almost certainly equal.
  package let fingerprint: UInt64

  package var length: Int64 { Int64(clamping: header.data.offset + header.data.length) }

  /// - Parameter convert: Makes the error for a scratch file that can't be read.
  package func write<Output: Error>(
    failing convert: (Errno) -> Output, to output: (Span<UInt8>) throws(Output) -> Void
  ) throws(Output) {
    try output(header.encode().span)
    try output(directories.root.span)
    try output(metadata.span)
    var bytes: [UInt8] = []
    if let leaves = directories.leaves {
      for start in stride(from: 0, to: leaves.count, by: Int(Self.block)) {
        bytes.removeAll(keepingCapacity: true)
        try rethrowing(
          leaves.read(start..<min(start + Self.block, leaves.count), appendingTo: &bytes),
          as: convert)
        try output(bytes.span)
      }
      bytes.removeAll(keepingCapacity: true)
    }
    var position = 0
    try tiles.forEach(failing: convert) { (record, shelf) throws(Output) in
      defer { position += 1 }
      if !index.isFirst[position] { return }
      try rethrowing(
        tiles.read(Int(record.length), at: record.offset, of: shelf, into: &bytes), as: convert)
      if bytes.count < Int(Self.block) { return }
      try output(bytes.span)
      bytes.removeAll(keepingCapacity: true)
    }
    try output(bytes.span)
  }

  private static let block: Int64 = 1 << 18
}

extension WorldArchive {
  /// The entries of the tiles of the first zooms, sorted by number, with offsets from the start of the
  /// file. With them a client can show the whole world without reading directories.
  func beginning(to zoom: Int) throws(Errno) -> [ArchiveEntry] {
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
  /// Makes an archive without gaps that is as deep as its nodes and its size allow: to the zoom at
  /// which the last node appears, but with about 64 bytes for each node, and four mebibytes.
  ///
  /// The depth is decided before the deeper tiles are made. It follows from the sizes of the first
  /// zooms, of which each is twice as large as the one above, as coast lines are, and from the
  /// numbers of nodes that appear at each zoom.
  package static func complete(
    of world: World, totals: TreeTotals? = nil, _ nodes: NodesByZoom, threads: Int,
    progress: (Int) -> Void = { _ in }
  ) throws(Errno) -> WorldArchive {
    func archive(to zoom: Int) throws(Errno) -> WorldArchive {
      try WorldArchive(
        of: world, totals: totals, range: TileDescent.Range(complete: zoom, maximumZoom: zoom),
        threads: threads, progress: progress)
    }
    let first = try archive(to: min(nodes.last, Self.firstZooms))
    let zoom = first.reach(of: nodes)
    return zoom > first.header.maximumZoom ? try archive(to: zoom) : first
  }

  /// The zoom to which tiles are made to estimate the sizes of the deeper ones.
  private static let firstZooms = 4
  /// The size of a zoom relative to the one above, in per cent.
  private static let growth: Int64 = 205
  private static let minimumForNode: Int64 = 40
  /// The size that an archive may have for each node, and in addition.
  private static let (bytesForNode, bytesInAddition): (Int64, Int64) = (64, 4 << 20)

  private func reach(of nodes: NodesByZoom) -> Int {
    let limit = Self.bytesForNode * Int64(clamping: nodes.count) + Self.bytesInAddition
    var (zoom, total) = (header.maximumZoom, length)
    var step = Int64(clamping: index.lengthOfDeepest)
    while zoom < nodes.last {
      step = max(
        step * Self.growth / 100, Self.minimumForNode * Int64(clamping: nodes.count(to: zoom + 1)))
      total += step
      if total > limit { break }
      zoom += 1
    }
    return zoom
  }
}
