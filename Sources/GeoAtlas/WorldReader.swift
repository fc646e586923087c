import GeoCore
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

/// Reads folders of a world, through its cache. It is for one thread, and fastest for neighbouring
/// folders, as the folders above the last one stay open.
package final class WorldReader {
  let world: World
  private let readers: OpenSources.Readers
  /// Those that know the room on disk of files.
  private lazy var measuring = world.measuringReaders()
  private var listing = FolderListing()
  private lazy var layers = world.layers?.makeReader()
  let shared: SharedReads?

  init(_ world: World, sharing shared: SharedReads? = nil) {
    self.world = world
    self.shared = shared
    readers = world.sources.makeReaders()
  }

  package func root(_ index: Int) -> WorldFolder {
    folder(at: world.address(ofRoot: index))
  }

  func folder(at address: FolderAddress, keeps: Bool = true) -> WorldFolder {
    if let known = world.known(at: address.place), known.path == address.path,
      world.isUnchanged(known.stamp)
    {
      return known
    }
    return read(address, keeps: keeps)
  }

  package func child(_ index: Int, of folder: WorldFolder) -> WorldFolder {
    let place = folder.places[index]
    // Compares the path without making it.
    if let known = world.known(at: place), known.isChild(index, of: folder),
      world.isUnchanged(known.stamp)
    {
      return known
    }
    return read(folder.address(of: index), keeps: true)
  }

  private func read(_ address: FolderAddress, keeps: Bool) -> WorldFolder {
    let reference = address.reference(in: world)
    let reader = readers[address.root]
    reader.list(reference, into: &listing)
    listing.dropInvalid()
    if listing.outcome != .listed, let failure = listing.failure {
      // A folder that can't be listed may still have a time of change.
      reader.inspect(reference, into: &listing)
      listing.failure = failure
    }
    let folder = WorldFolder(
      FolderStamp(address, listing.stamp), listing, withoutFiles: filesLeftOut(by: reader),
      engine: world.engine, layerCount: world.layers?.schema.layers.count ?? 0)
    if world.keepsFacts, listing.outcome == .listed {
      let facts = readFacts(of: folder.files, 0..<folder.files.count, by: reader).facts
      folder.facts.withLock { $0 = facts }
    }
    world.add(folder, keeps: keeps)
    return folder
  }

  /// Whether each file of the folder that was just listed is left out; empty if none is.
  private func filesLeftOut(by reader: any FolderReader) -> [Bool] {
    if listing.leavesOutFiles == .none || listing.files.isEmpty { return [] }
    var facts: [EntryFacts] = []
    reader.prepareFacts(of: listing.files, 0..<listing.files.count, into: &facts)
    if listing.leavesOutFiles == .byFacts {
      var storage: [FileStorage] = []
      var failures: [FileSystem.Failure] = []
      reader.readValidFacts(
        of: listing.files, 0..<facts.count, into: &facts, storage: &storage, failures: &failures,
        asksForStorage: false)
    }
    let isHidden = facts.map { $0.status == .hidden }
    return isHidden.contains(true) ? isHidden : []
  }

  /// The current metadata of all files of a folder; `vanished` for those that are gone or hidden.
  package func facts(in folder: WorldFolder) -> [EntryFacts] {
    folder.facts.withLock { $0 } ?? facts(of: folder.files, in: folder)
  }

  package func facts(of names: NameTable, in folder: WorldFolder) -> [EntryFacts] {
    facts(of: names, 0..<names.count, in: folder)
  }

  func facts(of names: NameTable, _ range: Range<Int>, in folder: WorldFolder) -> [EntryFacts] {
    if range.isEmpty { return [] }
    guard enter(folder.stamp) else {
      return range.map { EntryFacts(status: .unreadable, kind: names.records[$0].kind) }
    }
    return readFacts(of: names, range, by: readers[folder.root]).facts
  }

  func facts(ofFile index: Int, in folder: WorldFolder) -> EntryFacts {
    if let facts = folder.facts.withLock({ $0 }) { return facts[index] }
    var names = NameTable()
    names.append(from: folder.files, at: index)
    return facts(of: names, in: folder)[0]
  }

  /// The values of layers at all files of a folder, file by file; empty without layers. They are
  /// kept with the listing.
  package func cells(in folder: WorldFolder) -> [LayerCell] {
    guard let layers else { return [] }
    if let cells = folder.cells.withLock({ $0 }) { return cells }
    let needsStorage = world.layers?.needsStorage == true
    if needsStorage, shared?.readsNothing == true { return [] }
    let storage = needsStorage ? measuredFacts(in: folder).storage : []
    var cells: [LayerCell] = []
    layers.fill(
      &cells, folder.files, 0..<folder.files.count, in: folder.path, storage: storage)
    folder.cells.withLock { [cells] in $0 = cells }
    return cells
  }

  func cells(ofFile index: Int, in folder: WorldFolder) -> ArraySlice<LayerCell> {
    let count = world.layers?.schema.layers.count ?? 0
    return count == 0 ? [] : cells(in: folder)[(index * count)..<((index + 1) * count)]
  }

  /// Those files of a folder that are still there, with places in degrees.
  package func sizedFiles(
    in folder: WorldFolder
  ) -> [(
    name: [UInt8], bytes: Int64?, allocated: Int64?, place: (longitude: Double, latitude: Double),
    cells: [LayerCell]
  )] {
    let (facts, storage) = measuredFacts(in: folder)
    let places = folder.filePlaces(by: world.engine)
    return facts.indices.filter { facts[$0].status != .vanished }.map { index in
      (
        folder.files.name(at: index), facts[index].status.hasSize ? facts[index].size : nil,
        storage[index].isKnown ? storage[index].allocated : nil,
        places[index].coordinate.degrees(digits: folder.city.digits),
        Array(cells(ofFile: index, in: folder))
      )
    }
  }

  /// The current metadata of all files of a folder with their room on disk, as far as known;
  /// `vanished` for those that are gone or hidden.
  func measuredFacts(in folder: WorldFolder) -> (facts: [EntryFacts], storage: [FileStorage]) {
    let names = folder.files
    if names.isEmpty { return ([], []) }
    let reader = measuring[folder.root]
    if (try? reader.enter(folder.stamp.address.reference(in: world))) == nil {
      return (
        names.records.map { EntryFacts(status: .unreadable, kind: $0.kind) },
        Array(repeating: .unknown, count: names.count)
      )
    }
    var (facts, storage) = readFacts(of: names, 0..<names.count, by: reader)
    // Sources of several states have no storage.
    if storage.count < names.count { storage = Array(repeating: .unknown, count: names.count) }
    return (facts, storage)
  }

  private func readFacts(
    of names: NameTable, _ range: Range<Int>, by reader: any FolderReader
  ) -> (facts: [EntryFacts], storage: [FileStorage]) {
    var facts: [EntryFacts] = []
    reader.prepareFacts(of: names, range, into: &facts)
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    reader.readValidFacts(
      of: names, range, into: &facts, storage: &storage, failures: &failures,
      asksForStorage: false)
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
    (try? readers[folder.root].enter(folder.address.reference(in: world))) != nil
  }
}

struct FolderAddress: Sendable {
  /// The root's label and names, joined by `/`.
  let path: [UInt8]
  let root: Int
  let place: FolderPlace
  /// The source's; nil if the path is enough.
  let handle: UInt64?

  func reference(in world: World) -> FolderReference {
    .path(root: world.roots[root], path: path, handle: handle)
  }
}

/// The identity of a folder that was read. It says whether data made from a listing is still valid,
/// without keeping the listing.
package final class FolderStamp: Sendable {
  let address: FolderAddress
  /// The version stamp; nil if the listing must not be kept, as changes could go unnoticed.
  package let stamp: ListingStamp?
  /// When it was last found unchanged, in nanoseconds of the monotonic clock.
  private let checked = Atomic(ThisProcess.nanoseconds)

  init(_ address: FolderAddress, _ stamp: ListingStamp?) {
    (self.address, self.stamp) = (address, stamp)
  }

  package var path: [UInt8] { address.path }
  package var root: Int { address.root }
  package var place: FolderPlace { address.place }

  func wasChecked(since time: Int64) -> Bool { checked.load(ordering: .relaxed) >= time }

  func setChecked() { checked.store(ThisProcess.nanoseconds, ordering: .relaxed) }
}
