import GeoCore
import GeoProjection
import GeoTree
import Synchronization

/// A folder as it was read: its listing in byte order, and the places of its sub-folders.
package final class WorldFolder: Sendable {
  package let stamp: FolderStamp
  package let files: NameTable
  package let folders: NameTable
  /// The source's handles of the sub-folders; empty if names are enough.
  let handles: [UInt64]
  package let places: [FolderPlace]
  /// The tints of the sub-folders, in the same order. Hidden folders count for them, too.
  let tints: [UInt8]
  /// The land of its files.
  package let city: City
  package let modified: Int64?
  /// Why the listing is incomplete; nil if it is complete.
  package let failure: ScanFault.Reason?
  /// The number of entries in the listing; nil if it could not be read.
  package let entries: Int?
  private let placedFiles = Mutex<[FilePlace]?>(nil)
  /// The metadata of the files, if the world keeps it.
  let facts = Mutex<[EntryFacts]?>(nil)
  /// The values of layers at the files, file by file; nil if not requested yet.
  let cells = Mutex<[LayerCell]?>(nil)
  private let layerCount: Int

  init(
    _ stamp: FolderStamp, _ listing: FolderListing, withoutFiles hidden: [Bool],
    engine: GeoProjectionEngine, layerCount: Int
  ) {
    self.stamp = stamp
    self.layerCount = layerCount
    modified = listing.facts?.modified
    // The properties are those of the last state that has the folder.
    let shown = listing.states.last { $0.isThere }
    failure = shown.map(\.failure) ?? listing.failure
    // Hidden entries count for the places, too.
    let fileCount = listing.files.count
    entries =
      shown.map(\.entries) ?? (listing.outcome == .listed ? fileCount + listing.folders.count : nil)
    let placed = engine.contents(
      of: stamp.place, folders: listing.folders, fileCount: fileCount)
    city = placed.city
    var (places, tints) = (placed.folders, engine.tints(in: placed))
    // A listing keeps the memory of the longest one read into it, so names are copied.
    files = hidden.isEmpty ? listing.files.compacted() : listing.files.without(hidden)
    var handles = listing.handles
    if listing.leftOut.isEmpty {
      folders = listing.folders.compacted()
    } else {
      var isHidden = [Bool](repeating: false, count: listing.folders.count)
      for entry in listing.leftOut { isHidden[entry.index] = true }
      folders = listing.folders.without(isHidden)
      let shown = places.indices.filter { !isHidden[$0] }
      if !handles.isEmpty { handles = shown.map { handles[$0] } }
      places = shown.map { places[$0] }
      tints = shown.map { tints[$0] }
    }
    (self.handles, self.places, self.tints) = (handles, places, tints)
  }

  func address(of index: Int) -> FolderAddress {
    FolderAddress(
      path: path(of: folders.name(at: index)), root: root, place: places[index],
      handle: handles.isEmpty ? nil : handles[index])
  }

  package var path: [UInt8] { stamp.path }
  package var root: Int { stamp.root }
  package var place: FolderPlace { stamp.place }

  package var cost: Int {
    512 + path.count + files.bytes.count + folders.bytes.count
      + 16 * (files.count + folders.count) + (MemoryLayout<FolderPlace>.stride + 9) * places.count
      + (MemoryLayout<FilePlace>.stride
        + (facts.withLock { $0 == nil } ? 0 : MemoryLayout<EntryFacts>.stride)
        + layerCount * MemoryLayout<LayerCell>.stride) * files.count
  }

  /// The places of the files, in the order of ``files``. They are kept with the listing.
  package func filePlaces(by engine: GeoProjectionEngine) -> [FilePlace] {
    placedFiles.withLock { placed in
      if let placed { return placed }
      var places: [FilePlace] = []
      engine.placeFiles(files, 0..<files.count, in: city, into: &places)
      placed = places
      return places
    }
  }

  /// The seed of a file, which decides its place.
  func seed(ofFile index: Int) -> UInt64 {
    let files = files
    return XXH64.hash(
      files.bytes.span.extracting(files.records[index].range), seed: city.folderSeed)
  }

  /// Whether it is a given sub-folder of another folder, by its path.
  func isChild(_ index: Int, of parent: WorldFolder) -> Bool {
    let name = parent.folders.records[index].range
    let start = parent.path.count
    guard root == parent.root, path.count == start + 1 + name.count,
      path[start] == .slash
    else { return false }
    let (own, above, names) = (path, parent.path, parent.folders.bytes)
    let bytes = own.span
    return bytes.extracting(first: start).equals(above.span)
      && bytes.extracting(droppingFirst: start + 1).equals(names.span.extracting(name))
  }

  package func path(of name: [UInt8]) -> [UInt8] { path.appending(component: name) }
}

extension NameTable {
  fileprivate func without(_ left: [Bool]) -> NameTable {
    var names = NameTable()
    for index in 0..<count where !left[index] { names.append(from: self, at: index) }
    return names
  }
}
