import GeoCore
import GeoProjection
import GeoTree

/// The deeds into which a world was split.
public struct DeedSet: Sendable {
  /// The deeds; the first one is the rest, from which the others were cut.
  public let deeds: [Deed]
  /// What part of the work each of them is, 0 to 1, as far as a shallow scan can tell.
  public let shares: [Double]
  /// How many entries there are, as far as a shallow scan can tell.
  public let entries: Int

  /// As many deeds as a world can be split into, besides the rest.
  public static let most = Deed.mostInSet - 1

  /// Splits a world into deeds of similar work.
  ///
  /// Sub-trees are cut out as high up as they are small enough, and dealt out to the deeds, the
  /// largest first, each to the one that has least (longest processing time first; Graham, 1969).
  /// The folders above them stay, with their own files and small sub-trees, in the rest.
  ///
  /// - Parameters:
  ///   - roots: The roots of the world.
  ///   - layout: How sub-folders come by their land.
  ///   - number: How many deeds there are to be besides the rest, 1 to ``most``; there are fewer where
  ///     there is nothing more to cut out.
  ///   - tell: Told how many folders were listed, after each.
  /// - Throws: ``MapError``.
  /// - Complexity: O(n log n) for the entries of as many folders as are listed: 256 for each deed,
  ///   4,096 at least, and each that is cut out.
  public init(
    splitting roots: [ScanRoot], layout: Layout, into number: Int,
    telling tell: @escaping (Int) -> Void = { _ in }
  ) throws(MapError) {
    if !(1...Self.most).contains(number) { throw .refusedSplit(into: number) }
    let scout = try Scout(layout, roots)
    scout.tell = tell
    var scan = ShallowScan(scout, limit: max(4096, 256 * number))
    self.init(&scan, by: scout, layout, Cutting(scan, into: number))
  }

  /// Makes the deeds of what is cut out.
  init(_ scan: inout ShallowScan, by scout: Scout, _ layout: Layout, _ parts: Cutting) {
    // In the order of the scan, in which one is near the next.
    for index in parts.cuts.sorted() { scan.recognise(index, by: scout) }
    let labels = scout.labels
    let folders = scan.folders
    func places(_ indices: some Sequence<Int>) -> [Deed.Place] {
      indices.map {
        Deed.Place(
          path: folders[$0].path, folder: folders[$0].place, ancestor: folders[$0].ancestor,
          listing: folders[$0].listing)
      }.sorted { MapOrder.precedes($0.path, $1.path) }
    }
    var deeds = [
      Deed(
        layout: layout, labels: labels, places: places(0..<scan.rootCount),
        ways: parts.ways.compactMap { index in
          folders[index].listing.map { Deed.Way(path: folders[index].path, listing: $0) }
        }.sorted { MapOrder.precedes($0.path, $1.path) },
        cuts: parts.cuts.map { folders[$0].path }.sorted(by: MapOrder.precedes))
    ]
    for share in parts.shares {
      deeds.append(Deed(layout: layout, labels: labels, places: places(share.folders)))
    }
    // The same tree gives the same deeds, so that parts made anew can take the place of others.
    var sum = XXH64.Running()
    for deed in deeds { sum.take(deed.text.span) }
    for index in deeds.indices {
      deeds[index].set = sum.value
      deeds[index].number = index
      deeds[index].count = deeds.count
    }
    self.deeds = deeds
    let total = folders[..<scan.rootCount].reduce(0) { $0 + $1.work }
    shares = ([parts.rest] + parts.shares.map(\.work)).map { $0 / total }
    entries = Int(total)
  }
}
