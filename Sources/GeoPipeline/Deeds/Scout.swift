import GeoCore
import GeoProjection
import GeoTree

/// Reads single listings, and places what is in them, to find out where the parts of a world are.
final class Scout {
  /// A folder that was listed.
  struct Listing {
    /// Names of the sub-folders, sorted.
    var folders = NameTable()
    /// How many entries are no folders.
    var fileCount = 0
    /// Places of the sub-folders.
    var places: [FolderPlace] = []
    /// The hash of the sub-folders' names.
    var fingerprint: UInt64 = 0
  }

  let engine: GeoProjectionEngine
  let labels: [[UInt8]]
  let roots: [ScanRoot]
  private let readers: OpenSources.Readers
  private var listing = FolderListing()
  /// Told how many folders were listed, after each.
  var tell: (Int) -> Void = { _ in }
  private var listed = 0

  /// A scout of a world.
  ///
  /// - Throws: ``MapError`` if the roots can't be those of a map.
  init(_ layout: Layout, _ roots: [ScanRoot]) throws(MapError) {
    let world = try WorldRoots(roots, layout)
    (self.roots, labels, engine) = (world.roots, world.labels, world.engine)
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    readers = OpenSources(self.roots, options, readers: 1).makeReaders()
  }

  /// Which root the folder of a path is in.
  func root(of path: [UInt8]) -> Int? {
    let label = path.firstComponent
    return roots.firstIndex { $0.label.elementsEqual(label) }
  }

  /// Reads a listing.
  ///
  /// - Returns: The listing; nil if not all of it could be read.
  func list(_ path: [UInt8], at place: FolderPlace) -> Listing? {
    guard let root = root(of: path) else { return nil }
    readers.list(path, root: root, into: &listing)
    listed += 1
    tell(listed)
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

extension Deed {
  /// The deed of one folder with all that is in it.
  ///
  /// Reads the listings of the folders above it, and its own.
  ///
  /// - Parameters:
  ///   - path: The label of one of the roots, then names, joined by `/`.
  ///   - roots: The roots of the world.
  ///   - layout: How sub-folders come by their land.
  /// - Throws: ``MapError``.
  public init(of path: [UInt8], in roots: [ScanRoot], layout: Layout) throws(MapError) {
    let scout = try Scout(layout, roots)
    guard let first = scout.root(of: path) else { throw .missingRoot(label: path) }
    let folder = scout.roots[first].below(path)
    do throws(ScanRoot.Failure) {
      try folder.check()
    } catch {
      throw MapError(error, directory: path)
    }
    if folder.names.count >= Deed.deepest || path.count > NameRecord.longestName {
      throw .tooDeep(path: path)
    }
    var place = scout.engine.roots[first]
    var ancestor: FolderPlace?
    var way = scout.labels[first]
    for name in folder.names {
      guard let listing = scout.list(way, at: place) else { throw .unlisted(path: way) }
      guard let index = listing.folders.index(of: name) else {
        throw .rootNotFolder(directory: path)
      }
      ancestor = listing.places[index].ancestor(below: place, ancestor)
      place = listing.places[index]
      way.append(component: name)
    }
    let listing = scout.list(path, at: place)?.fingerprint
    self.init(
      layout: layout, labels: scout.labels,
      places: [Place(path: path, folder: place, ancestor: ancestor, listing: listing)])
  }
}

extension FolderPlace {
  /// The nearest folder above that has land, if this one has none.
  ///
  /// - Parameters:
  ///   - parent: The parent's place.
  ///   - ancestor: The same of the parent.
  func ancestor(below parent: FolderPlace, _ ancestor: FolderPlace?) -> FolderPlace? {
    isLanded ? nil : parent.isLanded ? parent : ancestor
  }
}
