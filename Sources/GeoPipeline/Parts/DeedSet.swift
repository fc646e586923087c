import GeoCore
import GeoProjection
import GeoTree
import Synchronization

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

/// What a deed says of a folder, and of the folders in it that it speaks of.
final class Claim: Sendable {
  /// What the deed has to do with the folder.
  enum Kind: Sendable {
    /// It is mapped, with what is in it.
    case place
    /// It lies between a place and what was cut out of it.
    case way
    /// It belongs to another deed.
    case cut
  }

  let kind: Kind
  /// The hash of its sub-folders' names; nil if nobody knows.
  let listing: UInt64?
  /// The folders in it that the deed speaks of, by name.
  let claims: [[UInt8]: Claim]

  init(kind: Kind, listing: UInt64?, claims: [[UInt8]: Claim]) {
    self.kind = kind
    self.listing = listing
    self.claims = claims
  }

  /// What a deed says of each of its places.
  static func all(of deed: Deed) -> [Claim] {
    // In the order of the map what lies in a folder follows it, so one walk over all paths will do.
    let below =
      (deed.ways.map { Entry(path: $0.path, kind: .way, listing: $0.listing) }
      + deed.cuts.map { Entry(path: $0, kind: .cut, listing: nil) })
      .sorted { MapOrder.precedes($0.path, $1.path) }
    var rest = below[...]
    return deed.places.map { place in
      take(Entry(path: place.path, kind: .place, listing: place.listing), &rest)
    }
  }

  private struct Entry {
    let path: [UInt8]
    let kind: Kind
    let listing: UInt64?
  }

  /// Takes all that lies in a folder off the front.
  private static func take(_ entry: Entry, _ rest: inout ArraySlice<Entry>) -> Claim {
    // No recursion: a path may have any number of names.
    var open: [(entry: Entry, claims: [[UInt8]: Claim])] = [(entry, [:])]
    func close() -> Claim {
      let last = open.removeLast()
      return Claim(kind: last.entry.kind, listing: last.entry.listing, claims: last.claims)
    }
    while true {
      let top = open[open.count - 1].entry.path
      if let next = rest.first, next.path.isPath(atOrBelow: top) {
        open.append((rest.removeFirst(), [:]))
        continue
      }
      let claim = close()
      if open.isEmpty { return claim }
      open[open.count - 1].claims[Array(top.dropFirst(open[open.count - 1].entry.path.count + 1))] =
        claim
    }
  }
}

/// The first folder found that is not the one that a deed is about.
final class Misfit: Sendable {
  private let first = Mutex<[UInt8]?>(nil)

  /// Its path, if there is one.
  var path: [UInt8]? { first.withLock { $0 } }

  func report(_ path: [UInt8]) { first.withLock { if $0 == nil { $0 = path } } }
}

/// Which folders are cut out of a world, and who gets them.
struct Cutting {
  /// What becomes one deed.
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
  /// The work that stays.
  private(set) var rest = 0.0

  /// How many sub-trees a deed is made of, at most, on average.
  private static let mostPlaces = 256

  init(_ scan: ShallowScan, into number: Int) {
    let folders = scan.folders
    let total = folders[..<scan.rootCount].reduce(0) { $0 + $1.work }
    let fair = total / Double(number + 1)
    // Sub-trees of an eighth of a share can be dealt out evenly.
    var pieces: [Int] = []
    var open = Array(0..<scan.rootCount)
    while let index = open.popLast() {
      let folder = folders[index]
      if index < scan.rootCount || (folder.work > fair / 8 && !folder.folders.isEmpty) {
        rest += 1 + Double(folder.fileCount ?? 0)
        open += folder.folders
      } else {
        pieces.append(index)
      }
    }
    pieces.sort { (folders[$0].work, $1) > (folders[$1].work, $0) }
    // The smallest aren't worth it, as long as the rest is no more than its share.
    while let last = pieces.last,
      rest + folders[last].work <= fair || pieces.count > number * Self.mostPlaces
    {
      rest += folders[last].work
      pieces.removeLast()
    }
    cuts = pieces
    deal(pieces, folders, number)

    ways = Self.ways(to: pieces, in: scan)
  }

  /// Cuts out what is given.
  ///
  /// - Parameter shares: Folders of which none lies in another.
  init(_ scan: ShallowScan, shares: [Share]) {
    self.shares = shares
    cuts = shares.flatMap(\.folders)
    ways = Self.ways(to: cuts, in: scan)
  }

  /// The folders between the roots and some others.
  private static func ways(to cuts: [Int], in scan: ShallowScan) -> [Int] {
    var needed = Set<[UInt8]>()
    for index in cuts {
      var way = scan.folders[index].path.parentPath
      while let folder = way, needed.insert(Array(folder)).inserted { way = folder.parentPath }
    }
    return scan.folders.indices.filter {
      $0 >= scan.rootCount && needed.contains(scan.folders[$0].path)
    }
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
