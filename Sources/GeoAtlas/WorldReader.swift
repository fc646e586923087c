import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

/// Reads folders of a world, those that are not kept already. It belongs to one thread, and is best
/// used for folders that are near each other: what leads to the last one stays open.
package final class WorldReader {
  let world: World
  /// Leaves entries out; nil if nothing is to be left out.
  let selector: Selector?
  private let readers: OpenSources.Readers
  private var listing = FolderListing()

  init(_ world: World) {
    self.world = world
    selector = world.visibility.selection.map { Selector($0) }
    readers = world.sources.makeReaders()
  }

  /// A root.
  package func root(_ index: Int) -> WorldFolder {
    folder(
      at: world.roots[index].label, root: index, place: world.engine.roots[index], mark: nil,
      above: scope(aroundRoot: index))
  }

  /// What git's rules say in a root.
  func scope(aroundRoot index: Int) -> IgnoreScope? {
    index < world.visibility.scopes.count ? world.visibility.scopes[index] : nil
  }

  /// A folder of which the place is known.
  ///
  /// - Parameters:
  ///   - mark: By which its source finds it, as its parent has it.
  ///   - scope: What git's rules say above it, as its parent has it.
  ///   - keeps: Whether to keep the listing for the next time.
  func folder(
    at path: [UInt8], root: Int, place: FolderPlace, mark: UInt64?, above scope: IgnoreScope?,
    keeps: Bool = true
  ) -> WorldFolder {
    if let known = world.known(at: place), known.above === scope, known.path == path,
      world.isUnchanged(known.stamp)
    {
      return known
    }
    return read(path, root, place, mark, scope, keeps: keeps)
  }

  /// A sub-folder of a folder.
  ///
  /// - Parameter index: Which one, in the order of ``WorldFolder/folders``.
  package func child(_ index: Int, of folder: WorldFolder) -> WorldFolder {
    let place = folder.places[index]
    let scope = folder.ways.scope(of: index)
    if let known = world.known(at: place), known.above === scope,
      known.isChild(index, of: folder), world.isUnchanged(known.stamp)
    {
      return known
    }
    let path = folder.path(of: folder.folders.name(at: index))
    return read(path, folder.root, place, folder.ways.mark(of: index), scope, keeps: true)
  }

  private func read(
    _ path: [UInt8], _ root: Int, _ place: FolderPlace, _ mark: UInt64?, _ scope: IgnoreScope?,
    keeps: Bool
  ) -> WorldFolder {
    let reference = FolderReference.path(root: world.roots[root], path: path, mark: mark)
    let reader = readers[root]
    reader.list(reference, into: &listing)
    if listing.outcome != .listed, let failure = listing.failure {
      // What can't be listed may still have a time of change.
      reader.look(at: reference, into: &listing)
      listing.failure = failure
    }
    let left = leftOut(of: listing, at: path, scope, by: reader)
    let stamp = FolderStamp(
      path: path, root: root, place: place, stamp: left.isFleeting ? nil : listing.stamp,
      mark: mark,
      rules: scope != nil && listing.files.contains(GitRules.file)
        ? world.visibility.stamp(ofRulesOf: path, root: root, in: world) : nil)
    let folder = WorldFolder(stamp, listing, without: left, above: scope, engine: world.engine)
    if world.keepsFacts, listing.outcome == .listed {
      folder.keep(readFacts(of: folder.files, root))
    }
    world.note(folder, keeps: keeps)
    return folder
  }

  /// What all files of a folder are now; those that are gone, or left out, are `vanished`.
  package func facts(in folder: WorldFolder) -> [EntryFacts] {
    folder.facts ?? facts(of: folder.files, in: folder)
  }

  /// What some files of a folder are now; those that are gone, or left out, are `vanished`.
  package func facts(of names: NameTable, in folder: WorldFolder) -> [EntryFacts] {
    if names.isEmpty { return [] }
    guard enter(folder.stamp) else {
      return names.records.map { EntryFacts(status: .unreadable, kind: $0.kind) }
    }
    return readFacts(of: names, folder.root)
  }

  /// What one of the files of a folder is now.
  func facts(ofFile index: Int, in folder: WorldFolder) -> EntryFacts? {
    if let facts = folder.facts { return facts[index] }
    var names = NameTable()
    names.append(from: folder.files, at: index)
    return facts(of: names, in: folder).first
  }

  /// What some files of the folder that the reader is in are now.
  private func readFacts(of names: NameTable, _ root: Int) -> [EntryFacts] {
    var facts = names.records.map { EntryFacts(kind: $0.kind) }
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    readers[root].readFacts(
      of: names, 0..<names.count, into: &facts, storage: &storage, failures: &failures)
    for index in facts.indices where facts[index].status == .hidden {
      facts[index].status = .vanished
    }
    return facts
  }

  /// The number of a folder that the system can watch, as long as nothing else is read; nil if it is
  /// on no disk, or can't be opened.
  package func watchable(_ folder: FolderStamp) -> Int32? {
    enter(folder) ? readers[folder.root].openFolder : nil
  }

  private func enter(_ folder: FolderStamp) -> Bool {
    let reference = FolderReference.path(
      root: world.roots[folder.root], path: folder.path, mark: folder.mark)
    return (try? readers[folder.root].enter(reference)) != nil
  }
}

/// A folder as it was read: its listing in byte order, and where its sub-folders are.
package final class WorldFolder: Sendable {
  /// Which folder it was, and when it was changed.
  package let stamp: FolderStamp
  package let files: NameTable
  package let folders: NameTable
  /// What is needed to read the sub-folders.
  let ways: Ways
  /// The places of the sub-folders, in the order of ``folders``.
  package let places: [FolderPlace]
  /// Where its files are.
  package let city: City
  /// Unix time of the last change; nil if it is not known.
  package let modified: Int64?
  /// Why the listing is not whole.
  package let failure: ScanFault.Reason?
  /// How many entries the listing has; nil if there is none.
  package let entries: Int?
  /// The places of the files, once somebody asked for them.
  private let placed = Mutex<[FilePlace]?>(nil)
  /// What the files are, if the world keeps that.
  private let known = Mutex<[EntryFacts]?>(nil)

  /// What git's rules say above it.
  let above: IgnoreScope?

  /// What is needed to read the sub-folders of a folder, besides their names and places.
  struct Ways: Sendable {
    /// By which their source finds them; empty if names are enough.
    fileprivate let marks: [UInt64]
    /// What git's rules say above what is in them.
    fileprivate let scope: IgnoreScope?
    /// The same in those that git ignores though they are shown.
    fileprivate let ignoredScope: IgnoreScope?
    fileprivate let ignored: Set<Int>

    func mark(of index: Int) -> UInt64? { marks.isEmpty ? nil : marks[index] }

    func scope(of index: Int) -> IgnoreScope? { ignored.contains(index) ? ignoredScope : scope }
  }

  /// - Parameters:
  ///   - stamp: Which folder it was, and when it was changed.
  ///   - listing: What was read of it.
  ///   - left: What of that is not shown.
  ///   - above: What git's rules say above it.
  init(
    _ stamp: FolderStamp, _ listing: FolderListing, without left: LeftOut,
    above: IgnoreScope?, engine: GeoProjectionEngine
  ) {
    self.stamp = stamp
    modified = listing.facts?.modified
    // Of several states, the last one that has it says how it is.
    let shown = listing.states.last { $0.isThere }
    failure = shown.map(\.failure) ?? listing.failure
    self.above = above
    // All take part in the places of all.
    let fileCount = listing.files.count
    entries =
      shown.map(\.entries) ?? (listing.outcome == .listed ? fileCount + listing.folders.count : nil)
    var places: [FolderPlace] = []
    city = engine.placeFolders(
      listing.folders, in: stamp.place, fileCount: fileCount, into: &places)
    // The listing's memory is that of the longest one that was read into it.
    files = left.files.isEmpty ? listing.files.compacted() : listing.files.without(left.files)
    var (marks, ignored) = (listing.marks, left.ignored)
    if left.folders.isEmpty {
      folders = listing.folders.compacted()
    } else {
      folders = listing.folders.without(left.folders)
      let shown = places.indices.filter { !left.folders[$0] }
      if !marks.isEmpty { marks = shown.map { marks[$0] } }
      places = shown.map { places[$0] }
      ignored = Set(shown.indices.filter { ignored.contains(shown[$0]) })
    }
    self.places = places
    ways = Ways(
      marks: marks, scope: left.scope, ignoredScope: ignored.isEmpty ? nil : left.scope?.ignored,
      ignored: ignored)
  }

  /// The root's label and names, joined by `/`.
  package var path: [UInt8] { stamp.path }
  /// Which root it belongs to.
  package var root: Int { stamp.root }
  package var place: FolderPlace { stamp.place }

  /// What the files are, in the order of ``files``; nil if nobody has kept it.
  var facts: [EntryFacts]? { known.withLock { $0 } }

  /// Keeps what the files are.
  func keep(_ facts: [EntryFacts]) { known.withLock { $0 = facts } }

  /// Bytes of memory, with the places of the files.
  package var cost: Int {
    512 + path.count + files.bytes.count + folders.bytes.count
      + 16 * (files.count + folders.count) + (MemoryLayout<FolderPlace>.stride + 8) * places.count
      + (MemoryLayout<FilePlace>.stride + (facts == nil ? 0 : MemoryLayout<EntryFacts>.stride))
      * files.count
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
  /// The names that are not left out.
  fileprivate func without(_ left: [Bool]) -> NameTable {
    var names = NameTable()
    for index in 0..<count where !left[index] { names.append(from: self, at: index) }
    return names
  }
}

/// What is remembered of a folder that was read, without its listing: which one it was, where it is
/// on the map, and when it was changed.
///
/// It says whether something that was made of listings still holds, and keeps none of them in memory.
package final class FolderStamp: Sendable {
  /// The root's label and names, joined by `/`.
  package let path: [UInt8]
  /// Which root it belongs to.
  package let root: Int
  package let place: FolderPlace
  /// nil if the listing must not be kept: nobody could tell whether it still holds.
  package let stamp: ListingStamp?
  /// By which its source finds it; nil if its path is enough.
  let mark: UInt64?
  /// What the file of git's rules in it was, if they count.
  let rules: ListingStamp?
  /// When it was last found to be as it was, in nanoseconds of the steady clock.
  private let checked: Atomic<Int64>

  init(
    path: [UInt8], root: Int, place: FolderPlace, stamp: ListingStamp?, mark: UInt64?,
    rules: ListingStamp? = nil
  ) {
    self.path = path
    self.root = root
    self.place = place
    self.stamp = stamp
    self.mark = mark
    self.rules = rules
    checked = Atomic(ThisProcess.nanoseconds)
  }

  /// Whether it was found to be as it was at a time or later.
  func wasChecked(since time: Int64) -> Bool { checked.load(ordering: .relaxed) >= time }

  func noteChecked() { checked.store(ThisProcess.nanoseconds, ordering: .relaxed) }
}
