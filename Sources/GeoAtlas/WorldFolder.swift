import GeoPath
import GeoProjection
import GeoSystem
import Synchronization

/// A folder as it was read: its listing in byte order, and where its sub-folders are.
package final class WorldFolder: Sendable {
  /// Which folder it was, and when it was changed.
  package let witness: FolderWitness
  package let files: NameTable
  package let folders: NameTable
  /// The places of the sub-folders, in the order of ``folders``.
  package let places: [FolderPlace]
  /// Where its files are.
  package let city: City
  /// Unix time of the last change; nil if it is not known.
  package let modified: Int64?
  /// Whether there is a listing.
  package let isListed: Bool
  /// Why the listing is not whole.
  package let failure: Errno?
  /// The places of the files, once somebody asked for them.
  private let placed = Mutex<[FilePlace]?>(nil)

  package init(
    path: [UInt8], root: Int, place: FolderPlace, files: NameTable, folders: NameTable,
    modified: Int64?, isListed: Bool, failure: Errno?, stamp: FolderWitness.Stamp?,
    engine: GeoProjectionEngine
  ) {
    witness = FolderWitness(path: path, root: root, place: place, stamp: stamp)
    self.files = files
    self.folders = folders
    self.modified = modified
    self.isListed = isListed
    self.failure = failure
    var places: [FolderPlace] = []
    city = engine.placeFolders(folders, in: place, fileCount: files.count, into: &places)
    self.places = places
  }

  /// The root's label and names, joined by `/`.
  package var path: [UInt8] { witness.path }
  /// Which root it belongs to.
  package var root: Int { witness.root }
  package var place: FolderPlace { witness.place }

  /// How many entries the listing has; nil if there is none.
  package var entries: Int? { isListed ? files.count + folders.count : nil }

  /// Bytes of memory, with the places of the files.
  package var cost: Int {
    512 + path.count + files.bytes.count + folders.bytes.count
      + 16 * (files.count + folders.count) + MemoryLayout<FolderPlace>.stride * places.count
      + MemoryLayout<FilePlace>.stride * files.count
  }

  /// The places of the files, in the order of ``files``. They are kept with the listing.
  package func filePlaces(by engine: GeoProjectionEngine) -> [FilePlace] {
    placed.withLock { placed in
      if let placed { return placed }
      var places: [FilePlace] = []
      engine.placeFiles(files, 0..<files.count, in: city, into: &places)
      placed = places
      return places
    }
  }

  /// Whether its path is that of a sub-folder of another folder.
  func isChild(_ index: Int, of parent: WorldFolder) -> Bool {
    let name = parent.folders.records[index].range
    let start = parent.path.count
    guard root == parent.root, path.count == start + 1 + name.count,
      path[start] == UInt8(ascii: "/")
    else { return false }
    let (own, above, names) = (path, parent.path, parent.folders.bytes)
    let bytes = own.span
    return bytes.extracting(first: start).equals(above.span)
      && bytes.extracting(droppingFirst: start + 1).equals(names.span.extracting(name))
  }

  /// The path of an entry.
  package func path(of name: [UInt8]) -> [UInt8] { path + [UInt8(ascii: "/")] + name }
}
