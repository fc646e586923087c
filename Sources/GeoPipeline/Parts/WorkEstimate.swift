import GeoCore
import GeoProjection
import GeoTree

/// Reads single listings and places their sub-folders.
final class ListingPlacer {
  struct Listing {
    /// Names of the sub-folders, sorted.
    var folders = NameTable()
    /// The number of entries that are not folders.
    var fileCount = 0
    var places: [FolderPlace] = []
    /// The hash of the sub-folders' names.
    var fingerprint: UInt64 = 0
  }

  let engine: GeoProjectionEngine
  let labels: [[UInt8]]
  let roots: [ScanRoot]
  private let readers: OpenSources.Readers
  private var listing = FolderListing()
  /// Called with the number of folders listed so far, after each.
  var progress: (Int) -> Void = { _ in }
  private var listed = 0

  /// Creates a placer for a world.
  ///
  /// - Throws: ``MapError`` if the folders can't be roots of one map.
  init(_ layout: Layout, _ roots: [ScanRoot]) throws(MapError) {
    let world = try WorldRoots(roots, layout)
    (self.roots, labels, engine) = (world.roots, world.labels, world.engine)
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    readers = OpenSources(self.roots, options, readers: 1).makeReaders()
  }

  /// The index of the root that contains a path.
  func root(of path: [UInt8]) -> Int? {
    let label = path.firstComponent
    return roots.firstIndex { $0.label.elementsEqual(label) }
  }

  /// Reads and places a listing; nil if it could not be read completely.
  func list(_ path: [UInt8], at place: FolderPlace) -> Listing? {
    guard let root = root(of: path) else { return nil }
    readers.list(path, root: root, into: &listing)
    listed += 1
    progress(listed)
    if listing.outcome != .listed || listing.failure != nil { return nil }
    var found = Listing()
    swap(&found.folders, &listing.folders)
    found.fileCount = listing.files.count
    found.fingerprint = found.folders.fingerprint
    engine.placeFolders(
      found.folders, in: place, fileCount: found.fileCount, into: &found.places)
    return found
  }
}

extension ShardManifest {
  /// Makes the manifest of one folder with everything in it.
  ///
  /// Reads the listings of the folders above it, and its own.
  ///
  /// - Parameters:
  ///   - path: The label of one of the roots, then names, joined by `/`.
  ///   - roots: The roots of the world.
  ///   - layout: How sub-folders get their land.
  /// - Throws: ``MapError``.
  public init(of path: [UInt8], in roots: [ScanRoot], layout: Layout) throws(MapError) {
    let placer = try ListingPlacer(layout, roots)
    guard let first = placer.root(of: path) else { throw .missingRoot(label: path) }
    let folder = placer.roots[first].below(path)
    do throws(ScanRoot.Failure) {
      try folder.check()
    } catch {
      throw MapError(error, directory: path)
    }
    if folder.names.count >= ShardManifest.deepest || path.count > NameRecord.longestName {
      throw .tooDeep(path: path)
    }
    var place = placer.engine.roots[first]
    var ancestor: FolderPlace?
    var way = placer.labels[first]
    for name in folder.names {
      guard let listing = placer.list(way, at: place) else { throw .unlisted(path: way) }
      guard let index = listing.folders.index(of: name) else {
        throw .rootNotFolder(directory: path)
      }
      ancestor = listing.places[index].ancestor(below: place, ancestor)
      place = listing.places[index]
      way.append(component: name)
    }
    let listing = placer.list(path, at: place)?.fingerprint
    self.init(
      layout: layout, labels: placer.labels,
      places: [Place(path: path, folder: place, ancestor: ancestor, listing: listing)])
  }
}

extension FolderPlace {
  /// The nearest ancestor with land of a folder without land; nil for a folder with land.
  ///
  /// - Parameters:
  ///   - parent: The parent's place.
  ///   - ancestor: The nearest ancestor with land of the parent, if that has none.
  func ancestor(below parent: FolderPlace, _ ancestor: FolderPlace?) -> FolderPlace? {
    isLanded ? nil : parent.isLanded ? parent : ancestor
  }
}

/// The upper part of a world, and the work in each of its folders.
///
/// Work is counted in entries: listings give exact counts, the contents of other folders are
/// estimated from a sample.
struct WorkEstimate {
  struct Folder {
    let path: [UInt8]
    let place: FolderPlace
    /// The nearest ancestor with land, if this folder has no land.
    var ancestor: FolderPlace?
    /// The indices of its sub-folders among all folders; empty if it was not listed.
    var folders: Range<Int> = 0..<0
    /// The number of entries that are not folders; nil if it was not listed.
    var fileCount: Int?
    /// The hash of its sub-folders' names; nil if it was not listed.
    var listing: UInt64?
    /// The number of entries in it at any depth, and itself.
    var work = 1.0
  }

  /// All known folders, each before its sub-folders; the roots come first.
  private(set) var folders: [Folder] = []
  let rootCount: Int

  /// Lists folders, breadth first.
  ///
  /// - Parameter limit: The number of folders to list; up to half as many more are listed as a
  ///   sample.
  /// - Complexity: O(entries listed).
  init(_ placer: ListingPlacer, limit: Int) {
    rootCount = placer.labels.count
    for (label, place) in zip(placer.labels, placer.engine.roots) {
      folders.append(Folder(path: label, place: place))
    }
    var next = 0
    while next < folders.count, next < limit {
      list(next, by: placer)
      next += 1
    }
    estimate(listed: next, by: placer)
  }

  /// Lists one more folder, for its hash only.
  mutating func recognise(_ index: Int, by placer: ListingPlacer) {
    if folders[index].listing == nil {
      folders[index].listing =
        placer.list(folders[index].path, at: folders[index].place)?.fingerprint
    }
  }

  private mutating func list(_ index: Int, by placer: ListingPlacer) {
    let folder = folders[index]
    // A manifest can't have deeper places; a folder that can't be listed counts as empty.
    guard folder.place.depth < ShardManifest.deepest - 1,
      folder.path.count + 256 < NameRecord.longestName,
      let listing = placer.list(folder.path, at: folder.place)
    else { return }
    let start = folders.count
    for (position, place) in listing.places.enumerated() {
      let name = listing.folders.name(at: position)
      folders.append(
        Folder(
          path: folder.path.appending(component: name), place: place,
          ancestor: place.ancestor(below: folder.place, folder.ancestor)))
    }
    folders[index].folders = start..<folders.count
    folders[index].fileCount = listing.fileCount
    folders[index].listing = listing.fingerprint
  }

  /// Adds up the work, from the deepest folders to the roots.
  ///
  /// Folders that were not listed get the mean of a sample of them, taken at even distances and
  /// counted with all their contents.
  private mutating func estimate(listed: Int, by placer: ListingPlacer) {
    let unlisted = folders.count - listed
    var budget = listed / 2
    var sample: [(found: Double, folders: Double)] = []
    var step = max(1, unlisted / Self.sampleSize)
    if unlisted % step == 0, step > 1 { step += 1 }
    for index in stride(from: listed + step / 2, to: folders.count, by: step) where budget > 0 {
      let depth = Int(folders[index].place.depth)
      while sample.count <= depth { sample.append((0, 0)) }
      sample[depth].found += Double(count(index, by: placer, &budget))
      sample[depth].folders += 1
    }
    let all = sample.reduce((found: 0.0, folders: 0.0)) {
      ($0.found + $1.found, $0.folders + $1.folders)
    }
    let mean = all.folders > 0 ? all.found / all.folders : 1
    for index in folders.indices.reversed() {
      if index >= listed {
        let depth = Int(folders[index].place.depth)
        let found = depth < sample.count ? sample[depth] : (found: 0, folders: 0)
        folders[index].work = found.folders >= 8 ? found.found / found.folders : mean
      } else {
        folders[index].work =
          1 + Double(folders[index].fileCount ?? 0)
          + folders[folders[index].folders].reduce(0) { $0 + $1.work }
      }
    }
  }

  /// The number of sampled folders.
  private static let sampleSize = 1024

  /// Counts the entries in a folder at any depth, and itself.
  ///
  /// - Parameter budget: How many folders may still be listed; at 0 the count ends early.
  private func count(_ index: Int, by placer: ListingPlacer, _ budget: inout Int) -> Int {
    var open = [(folders[index].path, folders[index].place)]
    var entries = 1
    while budget > 0, let (path, place) = open.popLast() {
      budget -= 1
      guard let listing = placer.list(path, at: place) else { continue }
      entries += listing.fileCount + listing.places.count
      for (position, place) in listing.places.enumerated() {
        open.append((path.appending(component: listing.folders.name(at: position)), place))
      }
    }
    return entries
  }
}
