import GeoDeed
import GeoPath
import GeoProjection
import GeoScan
import GeoSystem

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
  private let roots: [ScanRoot]
  private let opener = RootOpener()
  private var reader = DirectoryReader()
  private var files = NameTable()

  /// A scout of a world.
  ///
  /// - Throws: ``MapError`` if the roots can't be those of a map.
  init(_ layout: Layout, _ roots: [ScanRoot]) throws(MapError) {
    self.roots = try Survey.checked(roots)
    labels = self.roots.map(\.label)
    engine = try Survey.engine(layout, labels)
  }

  /// Where the folder of a path is on disk, and which root it is in.
  func folder(at path: [UInt8]) -> (folder: ScanRoot, root: ScanRoot)? {
    let names = path.split(separator: UInt8(ascii: "/")).map { Array($0) }
    guard let root = roots.first(where: { $0.label == names.first }) else { return nil }
    var folder = root
    folder.label = path
    folder.names = Array(names.dropFirst())
    return (folder, root)
  }

  /// Reads a listing.
  ///
  /// - Returns: The listing; nil if not all of it could be read.
  func list(_ path: [UInt8], at place: FolderPlace) -> Listing? {
    guard let found = folder(at: path), let descriptor = try? opener.open(found.folder)
    else { return nil }
    var listing = Listing()
    files.removeAll()
    if reader.read(descriptor.rawValue, files: &files, folders: &listing.folders) != nil {
      return nil
    }
    listing.fileCount = files.count
    listing.folders.sort()
    listing.fingerprint = listing.folders.fingerprint
    engine.placeFolders(
      listing.folders, in: place, fileCount: files.count, into: &listing.places)
    return listing
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
    guard let (folder, root) = scout.folder(at: path),
      let first = scout.labels.firstIndex(of: root.label)
    else { throw .missingRoot(label: path) }
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
    var way = root.label
    for name in folder.names {
      guard let listing = scout.list(way, at: place) else { throw .unlisted(path: way) }
      guard let index = listing.folders.index(of: name) else {
        throw .rootNotFolder(directory: path)
      }
      ancestor = listing.places[index].ancestor(below: place, ancestor)
      place = listing.places[index]
      way += [UInt8(ascii: "/")] + name
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
