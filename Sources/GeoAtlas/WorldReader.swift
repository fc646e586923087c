import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

/// Reads folders of a world, through its cache. It is for one thread, and fastest for neighbouring
/// folders, as the folders above the last one stay open.
package final class WorldReader {
  let world: World
  private let readers: OpenSources.Readers
  /// Readers that know the room on disk of files.
  private lazy var measuring = world.measuringReaders()
  private var listing = FolderListing()

  init(_ world: World) {
    self.world = world
    readers = world.sources.makeReaders()
  }

  /// Reads a root.
  package func root(_ index: Int) -> WorldFolder {
    folder(
      at: world.roots[index].label, root: index, place: world.engine.roots[index], mark: nil)
  }

  /// Reads a folder with a known place.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - root: The index of its root.
  ///   - place: Its place.
  ///   - mark: The source's mark for the folder, from its parent.
  ///   - keeps: Whether to cache the listing.
  func folder(
    at path: [UInt8], root: Int, place: FolderPlace, mark: UInt64?, keeps: Bool = true
  ) -> WorldFolder {
    if let known = world.known(at: place), known.path == path, world.isUnchanged(known.stamp) {
      return known
    }
    return read(path, root, place, mark, keeps: keeps)
  }

  /// Reads a sub-folder.
  ///
  /// - Parameter index: Its index in ``WorldFolder/folders``.
  package func child(_ index: Int, of folder: WorldFolder) -> WorldFolder {
    let place = folder.places[index]
    if let known = world.known(at: place), known.isChild(index, of: folder),
      world.isUnchanged(known.stamp)
    {
      return known
    }
    let path = folder.path(of: folder.folders.name(at: index))
    return read(path, folder.root, place, folder.mark(of: index), keeps: true)
  }

  private func read(
    _ path: [UInt8], _ root: Int, _ place: FolderPlace, _ mark: UInt64?, keeps: Bool
  ) -> WorldFolder {
    let reference = FolderReference.path(root: world.roots[root], path: path, mark: mark)
    let reader = readers[root]
    reader.list(reference, into: &listing)
    if listing.outcome != .listed, let failure = listing.failure {
      // A folder that can't be listed may still have a time of change.
      reader.look(at: reference, into: &listing)
      listing.failure = failure
    }
    let stamp = FolderStamp(
      path: path, root: root, place: place, stamp: listing.stamp, mark: mark)
    let folder = WorldFolder(
      stamp, listing, withoutFiles: filesLeftOut(by: reader), engine: world.engine)
    if world.keepsFacts, listing.outcome == .listed {
      folder.keep(readFacts(of: folder.files, root))
    }
    world.note(folder, keeps: keeps)
    return folder
  }

  /// Whether each file of the folder that was just listed is left out; empty if none is.
  private func filesLeftOut(by reader: any FolderReader) -> [Bool] {
    if listing.leavesOutFiles == .none || listing.files.isEmpty { return [] }
    var facts = listing.files.records.map { EntryFacts(kind: $0.kind) }
    if listing.leavesOutFiles == .byName {
      reader.leaveOut(listing.files, 0..<facts.count, in: &facts)
    } else {
      var storage: [FileStorage] = []
      var failures: [FileSystem.Failure] = []
      reader.readFacts(
        of: listing.files, 0..<facts.count, into: &facts, storage: &storage, failures: &failures)
    }
    let isHidden = facts.map { $0.status == .hidden }
    return isHidden.contains(true) ? isHidden : []
  }

  /// The current metadata of all files of a folder; `vanished` for those that are gone or hidden.
  package func facts(in folder: WorldFolder) -> [EntryFacts] {
    folder.facts ?? facts(of: folder.files, in: folder)
  }

  /// The current metadata of the given files of a folder; `vanished` for those that are gone or
  /// hidden.
  package func facts(of names: NameTable, in folder: WorldFolder) -> [EntryFacts] {
    if names.isEmpty { return [] }
    guard enter(folder.stamp) else {
      return names.records.map { EntryFacts(status: .unreadable, kind: $0.kind) }
    }
    return readFacts(of: names, folder.root)
  }

  /// The current metadata of a file of a folder.
  func facts(ofFile index: Int, in folder: WorldFolder) -> EntryFacts? {
    if let facts = folder.facts { return facts[index] }
    var names = NameTable()
    names.append(from: folder.files, at: index)
    return facts(of: names, in: folder).first
  }

  /// The names, sizes and places in degrees of all files of a folder that are still there.
  package func sizedFiles(
    in folder: WorldFolder
  ) -> [(
    name: [UInt8], bytes: Int64?, allocated: Int64?, place: (longitude: Double, latitude: Double)
  )] {
    let (facts, storage) = measuredFacts(in: folder)
    let places = folder.filePlaces(by: world.engine)
    return facts.indices.filter { facts[$0].status != .vanished }.map { index in
      (
        folder.files.name(at: index), facts[index].status.hasSize ? facts[index].size : nil,
        storage[index].isKnown ? storage[index].allocated : nil,
        places[index].coordinate.degrees(digits: folder.city.digits)
      )
    }
  }

  /// The current metadata of all files of a folder with their room on disk, as far as known;
  /// `vanished` for those that are gone or hidden.
  func measuredFacts(in folder: WorldFolder) -> (facts: [EntryFacts], storage: [FileStorage]) {
    let names = folder.files
    if names.isEmpty { return ([], []) }
    let reader = measuring[folder.root]
    if (try? reader.enter(reference(of: folder.stamp))) == nil {
      return (
        names.records.map { EntryFacts(status: .unreadable, kind: $0.kind) },
        Array(repeating: .unknown, count: names.count)
      )
    }
    var (facts, storage) = readFacts(of: names, by: reader)
    // Sources of several states have no storage.
    if storage.count < names.count { storage = Array(repeating: .unknown, count: names.count) }
    return (facts, storage)
  }

  /// The current metadata of files in the folder that was entered last.
  private func readFacts(of names: NameTable, _ root: Int) -> [EntryFacts] {
    readFacts(of: names, by: readers[root]).facts
  }

  private func readFacts(
    of names: NameTable, by reader: any FolderReader
  ) -> (facts: [EntryFacts], storage: [FileStorage]) {
    var facts = names.records.map { EntryFacts(kind: $0.kind) }
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    reader.readFacts(
      of: names, 0..<names.count, into: &facts, storage: &storage, failures: &failures)
    for index in facts.indices where facts[index].status == .hidden {
      facts[index].status = .vanished
    }
    return (facts, storage)
  }

  /// The descriptor of a folder for watching, valid until the next read; nil if the folder is not
  /// on a disk, or can't be opened.
  package func watchable(_ folder: FolderStamp) -> Int32? {
    enter(folder) ? readers[folder.root].openFolder : nil
  }

  private func enter(_ folder: FolderStamp) -> Bool {
    (try? readers[folder.root].enter(reference(of: folder))) != nil
  }

  private func reference(of folder: FolderStamp) -> FolderReference {
    .path(root: world.roots[folder.root], path: folder.path, mark: folder.mark)
  }
}

/// A folder as it was read: its listing in byte order, and the places of its sub-folders.
package final class WorldFolder: Sendable {
  /// Its path, place and version stamp.
  package let stamp: FolderStamp
  package let files: NameTable
  package let folders: NameTable
  /// The source's marks of the sub-folders; empty if names are enough.
  let marks: [UInt64]
  /// The places of the sub-folders, in the order of ``folders``.
  package let places: [FolderPlace]
  /// The tints of the sub-folders, in the same order. Hidden folders count for them, too.
  let tints: [UInt8]
  /// The land of its files.
  package let city: City
  /// Unix time of the last change; nil if unknown.
  package let modified: Int64?
  /// Why the listing is incomplete; nil if it is complete.
  package let failure: ScanFault.Reason?
  /// The number of entries in the listing; nil if it could not be read.
  package let entries: Int?
  /// The places of the files, once requested.
  private let placedFiles = Mutex<[FilePlace]?>(nil)
  /// The metadata of the files, if the world keeps it.
  private let known = Mutex<[EntryFacts]?>(nil)

  /// - Parameters:
  ///   - stamp: Its path, place and version stamp.
  ///   - listing: Its listing.
  ///   - hidden: Whether each file is left out; empty if none is.
  init(
    _ stamp: FolderStamp, _ listing: FolderListing, withoutFiles hidden: [Bool],
    engine: GeoProjectionEngine
  ) {
    self.stamp = stamp
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
    var marks = listing.marks
    if listing.leftOut.isEmpty {
      folders = listing.folders.compacted()
    } else {
      var isHidden = [Bool](repeating: false, count: listing.folders.count)
      for entry in listing.leftOut { isHidden[entry.index] = true }
      folders = listing.folders.without(isHidden)
      let shown = places.indices.filter { !isHidden[$0] }
      if !marks.isEmpty { marks = shown.map { marks[$0] } }
      places = shown.map { places[$0] }
      tints = shown.map { tints[$0] }
    }
    self.marks = marks
    self.places = places
    self.tints = tints
  }

  /// The source's mark of a sub-folder; nil if its name is enough.
  func mark(of index: Int) -> UInt64? { marks.isEmpty ? nil : marks[index] }

  /// The root's label and names, joined by `/`.
  package var path: [UInt8] { stamp.path }
  /// The index of its root.
  package var root: Int { stamp.root }
  package var place: FolderPlace { stamp.place }

  /// The metadata of the files, in the order of ``files``; nil if not kept.
  var facts: [EntryFacts]? { known.withLock { $0 } }

  /// Keeps the metadata of the files.
  func keep(_ facts: [EntryFacts]) { known.withLock { $0 = facts } }

  /// The number of bytes in memory, with the places of the files.
  package var cost: Int {
    512 + path.count + files.bytes.count + folders.bytes.count
      + 16 * (files.count + folders.count) + (MemoryLayout<FolderPlace>.stride + 9) * places.count
      + (MemoryLayout<FilePlace>.stride + (facts == nil ? 0 : MemoryLayout<EntryFacts>.stride))
      * files.count
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

  /// The path of an entry.
  package func path(of name: [UInt8]) -> [UInt8] { path.appending(component: name) }
}

extension NameTable {
  /// The names that are not hidden.
  fileprivate func without(_ left: [Bool]) -> NameTable {
    var names = NameTable()
    for index in 0..<count where !left[index] { names.append(from: self, at: index) }
    return names
  }
}

/// The identity of a folder that was read: its path, its place on the map, and the version stamp of
/// its listing.
///
/// It says whether data made from a listing is still valid, without keeping the listing.
package final class FolderStamp: Sendable {
  /// The root's label and names, joined by `/`.
  package let path: [UInt8]
  /// The index of its root.
  package let root: Int
  package let place: FolderPlace
  /// The version stamp; nil if the listing must not be kept, as changes could go unnoticed.
  package let stamp: ListingStamp?
  /// The source's mark; nil if the path is enough.
  let mark: UInt64?
  /// When it was last found unchanged, in nanoseconds of the monotonic clock.
  private let checked: Atomic<Int64>

  init(
    path: [UInt8], root: Int, place: FolderPlace, stamp: ListingStamp?, mark: UInt64?
  ) {
    self.path = path
    self.root = root
    self.place = place
    self.stamp = stamp
    self.mark = mark
    checked = Atomic(ThisProcess.nanoseconds)
  }

  /// Whether it was found unchanged at a time or later.
  func wasChecked(since time: Int64) -> Bool { checked.load(ordering: .relaxed) >= time }

  func noteChecked() { checked.store(ThisProcess.nanoseconds, ordering: .relaxed) }
}
