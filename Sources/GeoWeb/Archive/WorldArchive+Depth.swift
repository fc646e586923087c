import GeoAtlas
import GeoProjection
import GeoTree
import GeoSystem

extension WorldArchive {
  /// The archive that is complete at every zoom it has, and as deep as its size allows: at most twice the
  /// size of a sparse one.
  ///
  /// A sample of the sparse tiles gives a first guess of the zoom. Then one descent makes all tiles down to
  /// that zoom and the sparse ones below, so both sizes are known to the byte, and what doesn't fit is cut
  /// off. That the next zoom wouldn't fit either is estimated from a share of its tiles; where it might,
  /// that zoom is made, too. All of it depends on the tree alone, not on the threads.
  ///
  /// - Parameters:
  ///   - sparse: The range of the sparse archive.
  ///   - deepest: The deepest zoom that is tried.
  ///   - tell: Told how much is done, in thousandths; it may begin again.
  package static func complete(
    of world: World, totals: TreeTotals? = nil, notTwiceAsLargeAs sparse: TileDescent.Range,
    deepest: Int, threads: Int, tell: (Int) -> Void = { _ in }
  ) throws(Errno) -> WorldArchive {
    let search = DepthSearch(
      world: world, totals: totals, sparse: sparse, deepest: deepest, threads: threads)
    var zoom = try search.guess()
    while true {
      switch try search.attempt(zoom, tell: tell) {
      case .fits(let archive): return archive
      case .isTooShallow(let next): zoom = next
      }
    }
  }
}

/// Looks for the deepest zoom at which a complete archive is small enough.
private struct DepthSearch {
  enum Attempt {
    /// This is the archive.
    case fits(WorldArchive)
    /// It has to go down to this zoom at least.
    case isTooShallow(Int)
  }

  let world: World
  let totals: TreeTotals?
  let sparse: TileDescent.Range
  let deepest: Int
  let threads: Int

  /// How much larger than a sparse archive a complete one may be.
  private static let factor: Int64 = 2
  /// How much a zoom takes of what the one above it takes, in per cent: coast lines grow by two.
  private static let usualGrowth: Int64 = 210
  /// Up to how much more than is allowed an estimate isn't trusted, in per cent.
  private static let doubt: Int64 = 105

  /// The zoom that is made first.
  func guess() throws(Errno) -> Int {
    let tiles = try TileWork(
      world, totals: totals, range: sparse, sample: Self.sample(sparse.complete)
    ).run(threads: threads)
    let whole = try WorldArchive(tiles, of: world)
    let top = try WorldArchive(tiles.cut(to: sparse.complete), of: world)
    return reach(of: top, limit: Self.factor * whole.length, growth: Self.usualGrowth)
  }

  /// The deepest zoom that may be within the limit, if each zoom below those of an archive grows the same.
  private func reach(of archive: WorldArchive, limit: Int64, growth: Int64) -> Int {
    var zoom = archive.header.deepest
    var length = archive.length
    var step = Int64(clamping: archive.index.lengthOfDeepest)
    // Nothing at all grows by nothing.
    while step > 0, zoom < deepest {
      step = step * growth / 100
      length += step
      if length > limit { break }
      zoom += 1
    }
    return zoom
  }

  /// Makes the tiles down to a zoom, and looks whether that is what is wanted.
  func attempt(_ zoom: Int, tell: (Int) -> Void) throws(Errno) -> Attempt {
    let range = TileDescent.Range(complete: zoom, deepest: max(zoom, sparse.deepest))
    let work = TileWork(
      world, totals: totals, range: range, probeShare: zoom < deepest ? Self.share(zoom) : nil)
    let tiles = try work.run(threads: threads, tell: tell)
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

  /// Of a world that is complete to a zoom, how many tiles of zoom 5 there are to one in the sample.
  private static func sample(_ complete: Int) -> Int { complete < 4 ? 1 : complete < 8 ? 4 : 16 }

  /// How many tiles of a zoom there are to one that is looked into: the more there are, the fewer will do.
  private static func share(_ zoom: Int) -> UInt64 { 1 << UInt64(min(max(zoom - 4, 0), 4)) }
}

extension ProbeSums {
  /// What the next zoom takes of what this one takes, in per cent; nil if there is nothing to tell by.
  fileprivate var growth: Int64? { parents > 0 ? Int64(children) * 100 / Int64(parents) : nil }
}

extension TileCollection {
  /// The tiles of them that an archive has that is complete and ends at a zoom.
  fileprivate func cut(to zoom: Int) -> TileCollection {
    cut(to: TileDescent.Range(complete: zoom, deepest: zoom))
  }
}
