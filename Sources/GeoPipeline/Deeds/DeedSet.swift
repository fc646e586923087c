import GeoDeed
import GeoPath
import GeoProjection
import GeoScan

/// The deeds into which a world was split.
public struct DeedSet: Sendable {
  /// The deeds; the first one is the rest, from which the others were cut.
  public let deeds: [Deed]
  /// What part of the work each of them is, 0 to 1, as far as a shallow scan can tell.
  public let shares: [Double]
  /// How many entries there are, as far as a shallow scan can tell.
  public let entries: Int

  /// How many sub-trees a deed is made of, at most, on average.
  private static let mostPlaces = 256

  /// Splits a world into deeds of similar work.
  ///
  /// Sub-trees are cut out as high up as they are small enough, and dealt out to the deeds, the
  /// largest first, each to the one that has least (longest processing time first; Graham, 1969).
  /// The folders above them stay, with their own files and small sub-trees, in the rest.
  ///
  /// - Parameters:
  ///   - roots: The roots of the world.
  ///   - layout: How sub-folders come by their land.
  ///   - number: How many deeds there are to be besides the rest, at least 1; there are fewer where
  ///     there is nothing more to cut out.
  /// - Throws: ``MapError``.
  /// - Complexity: O(n log n) for the entries of as many folders as are listed: 256 for each deed,
  ///   4,096 at least, and each that is cut out.
  public init(
    splitting roots: [ScanRoot], layout: Layout, into number: Int
  ) throws(MapError) {
    let scout = try Scout(layout, roots)
    var scan = ShallowScan(scout, limit: max(4096, 256 * number))
    let parts = Cutting(scan, into: number)
    for index in parts.cuts { scan.recognise(index, by: scout) }

    let labels = scout.labels
    let folders = scan.folders
    func places(_ indices: some Sequence<Int>) -> [Deed.Place] {
      indices.map {
        Deed.Place(
          path: folders[$0].path, folder: folders[$0].place, listing: folders[$0].listing)
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

  /// Which folders are cut out.
  private struct Cutting {
    struct Share {
      var folders: [Int] = []
      var work = 0.0
    }

    /// The folders that are cut out.
    private(set) var cuts: [Int] = []
    /// The folders between the roots and those.
    private(set) var ways: [Int] = []
    /// What the other deeds get.
    private(set) var shares: [Share] = []
    /// What stays.
    private(set) var rest = 0.0

    init(_ scan: ShallowScan, into number: Int) {
      let folders = scan.folders
      let total = folders[..<scan.rootCount].reduce(0) { $0 + $1.work }
      let fair = total / Double(number + 1)
      // Sub-trees of an eighth of a share can be dealt out evenly.
      var pieces: [Int] = []
      var opened: [Int] = []
      var open = Array(0..<scan.rootCount)
      while let index = open.popLast() {
        let folder = folders[index]
        if index < scan.rootCount || (folder.work > fair / 8 && !folder.folders.isEmpty) {
          rest += 1 + Double(folder.fileCount ?? 0)
          opened.append(index)
          open += folder.folders
        } else {
          pieces.append(index)
        }
      }
      pieces.sort { (folders[$0].work, $1) > (folders[$1].work, $0) }
      // The smallest aren't worth it, as long as the rest is no more than its share.
      while let last = pieces.last,
        rest + folders[last].work <= fair || pieces.count > number * DeedSet.mostPlaces
      {
        rest += folders[last].work
        pieces.removeLast()
      }
      cuts = pieces
      deal(pieces, folders, number)

      let paths = Set(pieces.map { folders[$0].path })
      var needed = Set<[UInt8]>()
      for path in paths {
        var end = path.lastIndex(of: UInt8(ascii: "/"))
        while let cut = end, needed.insert(Array(path[..<cut])).inserted {
          end = path[..<cut].lastIndex(of: UInt8(ascii: "/"))
        }
      }
      ways = opened.filter { $0 >= scan.rootCount && needed.contains(folders[$0].path) }
    }

    /// Gives each piece, the largest first, to who has least.
    private mutating func deal(_ pieces: [Int], _ folders: [ShallowScan.Folder], _ number: Int) {
      shares = [Share](repeating: Share(), count: min(number, pieces.count))
      // A heap: no share has less than the one at half its position.
      for index in pieces {
        shares[0].folders.append(index)
        shares[0].work += folders[index].work
        var position = 0
        while true {
          var least = position
          for child in [2 * position + 1, 2 * position + 2]
          where child < shares.count && shares[child].work < shares[least].work {
            least = child
          }
          if least == position { break }
          shares.swapAt(position, least)
          position = least
        }
      }
    }
  }
}
