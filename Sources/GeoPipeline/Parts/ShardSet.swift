import GeoCore
import GeoProjection
import GeoTree
import Synchronization

/// The manifests into which a world is split.
public struct ShardSet: Sendable {
  /// The manifests; the first one is the rest, from which the others were cut.
  public let manifests: [ShardManifest]
  /// The share of the work of each manifest, 0 to 1, as estimated by a shallow scan.
  public let shares: [Double]
  /// The number of entries, as estimated by a shallow scan.
  public let entries: Int

  /// The maximum number of manifests in addition to the rest.
  public static let most = ShardManifest.mostInSet - 1

  /// Splits a world into manifests of similar work.
  ///
  /// The largest sub-trees that are small enough are cut out and assigned, the largest first, each
  /// to the manifest with the least work so far (longest processing time first; Graham, 1969). The
  /// folders above them stay in the rest, with their own files and small sub-trees.
  ///
  /// - Parameters:
  ///   - roots: The roots of the world.
  ///   - layout: How sub-folders get their land.
  ///   - number: The number of manifests in addition to the rest, 1 to ``most``; fewer are made if
  ///     there is nothing more to cut out.
  ///   - progress: Called with the number of folders listed so far, after each.
  /// - Throws: ``MapError``.
  /// - Complexity: O(n log n) for n entries of the listed folders: 256 for each manifest, at least
  ///   4,096, and each that is cut out.
  public init(
    splitting roots: [ScanRoot], layout: Layout, into number: Int,
    progress: @escaping (Int) -> Void = { _ in }
  ) throws(MapError) {
    if !(1...Self.most).contains(number) { throw .refusedSplit(into: number) }
    let placer = try ListingPlacer(layout, roots)
    placer.progress = progress
    var estimate = WorkEstimate(placer, limit: max(4096, 256 * number))
    self.init(&estimate, by: placer, layout, Cutting(estimate, into: number))
  }

  /// Makes the manifests for the given cuts.
  init(_ estimate: inout WorkEstimate, by placer: ListingPlacer, _ layout: Layout, _ parts: Cutting)
  {
    // In the order of the scan, so that neighbours follow each other.
    for index in parts.cuts.sorted() { estimate.recognise(index, by: placer) }
    let labels = placer.labels
    let folders = estimate.folders
    func places(_ indices: some Sequence<Int>) -> [ShardManifest.Place] {
      indices.map {
        ShardManifest.Place(
          path: folders[$0].path, folder: folders[$0].place, ancestor: folders[$0].ancestor,
          listing: folders[$0].listing)
      }.sorted { MapOrder.precedes($0.path, $1.path) }
    }
    var manifests = [
      ShardManifest(
        layout: layout, labels: labels, places: places(0..<estimate.rootCount),
        intermediates: parts.intermediates.compactMap { index in
          folders[index].listing.map {
            ShardManifest.Intermediate(path: folders[index].path, listing: $0)
          }
        }.sorted { MapOrder.precedes($0.path, $1.path) },
        cuts: parts.cuts.map { folders[$0].path }.sorted(by: MapOrder.precedes))
    ]
    for share in parts.shares {
      manifests.append(ShardManifest(layout: layout, labels: labels, places: places(share.folders)))
    }
    // Equal trees give equal manifests, so that a part can be made again and replace another.
    var sum = XXH64.Running()
    for manifest in manifests { sum.take(manifest.text.span) }
    for index in manifests.indices {
      manifests[index].set = sum.value
      manifests[index].number = index
      manifests[index].count = manifests.count
    }
    self.manifests = manifests
    let total = folders[..<estimate.rootCount].reduce(0) { $0 + $1.work }
    shares = ([parts.rest] + parts.shares.map(\.work)).map { $0 / total }
    entries = Int(total)
  }
}

/// A manifest's statement about a folder and its sub-folders.
final class Assignment: Sendable {
  /// How the manifest treats the folder.
  enum Kind: Sendable {
    /// It is mapped, with everything in it.
    case place
    /// It is between a place and a folder that was cut out.
    case intermediate
    /// It belongs to another manifest.
    case cut
  }

  let kind: Kind
  /// The hash of its sub-folders' names; nil if unknown.
  let listing: UInt64?
  /// The assignments of its sub-folders, by name.
  let assignments: [[UInt8]: Assignment]

  init(kind: Kind, listing: UInt64?, assignments: [[UInt8]: Assignment]) {
    self.kind = kind
    self.listing = listing
    self.assignments = assignments
  }

  /// The assignments of a manifest's places.
  static func all(of manifest: ShardManifest) -> [Assignment] {
    // In the order of the map, a folder is followed by its contents, so one pass over all paths is
    // enough.
    let below =
      (manifest.intermediates.map { Entry(path: $0.path, kind: .intermediate, listing: $0.listing) }
      + manifest.cuts.map { Entry(path: $0, kind: .cut, listing: nil) })
      .sorted { MapOrder.precedes($0.path, $1.path) }
    var rest = below[...]
    return manifest.places.map { place in
      take(Entry(path: place.path, kind: .place, listing: place.listing), &rest)
    }
  }

  private struct Entry {
    let path: [UInt8]
    let kind: Kind
    let listing: UInt64?
  }

  /// Takes the paths inside a folder from the front.
  private static func take(_ entry: Entry, _ rest: inout ArraySlice<Entry>) -> Assignment {
    // No recursion: a path may have many names.
    var open: [(entry: Entry, assignments: [[UInt8]: Assignment])] = [(entry, [:])]
    func close() -> Assignment {
      let last = open.removeLast()
      return Assignment(
        kind: last.entry.kind, listing: last.entry.listing, assignments: last.assignments)
    }
    while true {
      let top = open[open.count - 1].entry.path
      if let next = rest.first, next.path.isPath(atOrBelow: top) {
        open.append((rest.removeFirst(), [:]))
        continue
      }
      let assignment = close()
      if open.isEmpty { return assignment }
      open[open.count - 1].assignments[
        Array(top.dropFirst(open[open.count - 1].entry.path.count + 1))] =
        assignment
    }
  }
}

/// The first folder that doesn't match the manifest.
final class Mismatch: Sendable {
  private let first = Mutex<[UInt8]?>(nil)

  /// Its path, if there is one.
  var path: [UInt8]? { first.withLock { $0 } }

  func report(_ path: [UInt8]) { first.withLock { if $0 == nil { $0 = path } } }
}

/// The folders that are cut out of a world, and their shares.
struct Cutting {
  /// The contents of one manifest.
  struct Share {
    var folders: [Int] = []
    var work = 0.0
  }

  private(set) var cuts: [Int] = []
  /// The folders between the roots and the cuts.
  private(set) var intermediates: [Int] = []
  /// The shares of the other manifests.
  private(set) var shares: [Share] = []
  /// The work that stays in the rest.
  private(set) var rest = 0.0

  /// The maximum number of sub-trees per manifest, on average.
  private static let mostPlaces = 256

  init(_ estimate: WorkEstimate, into number: Int) {
    let folders = estimate.folders
    let total = folders[..<estimate.rootCount].reduce(0) { $0 + $1.work }
    let fair = total / Double(number + 1)
    // Sub-trees of an eighth of a share can be distributed evenly.
    var pieces: [Int] = []
    var open = Array(0..<estimate.rootCount)
    while let index = open.popLast() {
      let folder = folders[index]
      if index < estimate.rootCount || (folder.work > fair / 8 && !folder.folders.isEmpty) {
        rest += 1 + Double(folder.fileCount ?? 0)
        open += folder.folders
      } else {
        pieces.append(index)
      }
    }
    pieces.sort { (folders[$0].work, $1) > (folders[$1].work, $0) }
    // The smallest ones stay in the rest, up to its share.
    while let last = pieces.last,
      rest + folders[last].work <= fair || pieces.count > number * Self.mostPlaces
    {
      rest += folders[last].work
      pieces.removeLast()
    }
    cuts = pieces
    deal(pieces, folders, number)

    intermediates = Self.intermediates(to: pieces, in: estimate)
  }

  /// Cuts out the given shares.
  ///
  /// - Parameter shares: Folders of which none contains another.
  init(_ estimate: WorkEstimate, shares: [Share]) {
    self.shares = shares
    cuts = shares.flatMap(\.folders)
    intermediates = Self.intermediates(to: cuts, in: estimate)
  }

  /// The folders between the roots and the given ones.
  private static func intermediates(to cuts: [Int], in estimate: WorkEstimate) -> [Int] {
    var needed = Set<[UInt8]>()
    for index in cuts {
      var way = estimate.folders[index].path.parentPath
      while let folder = way, needed.insert(Array(folder)).inserted { way = folder.parentPath }
    }
    return estimate.folders.indices.filter {
      $0 >= estimate.rootCount && needed.contains(estimate.folders[$0].path)
    }
  }

  /// Gives each piece, the largest first, to the share with the least work.
  private mutating func deal(_ pieces: [Int], _ folders: [WorkEstimate.Folder], _ number: Int) {
    shares = [Share](repeating: Share(), count: min(number, pieces.count))
    // A heap: no share has less work than the one at half its position.
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
