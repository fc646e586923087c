import GeoCore
import GeoProjection
import GeoTree
import Synchronization

/// A folder as it was read: its listing in byte order, and where its sub-folders are.
package final class WorldFolder: Sendable {
  /// Which folder it was, and when it was changed.
  package let witness: FolderWitness
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
  ///   - witness: Which folder it was, and when it was changed.
  ///   - listing: What was read of it.
  ///   - left: What of that is not shown.
  ///   - above: What git's rules say above it.
  init(
    _ witness: FolderWitness, _ listing: FolderListing, without left: LeftOut,
    above: IgnoreScope?, engine: GeoProjectionEngine
  ) {
    self.witness = witness
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
      listing.folders, in: witness.place, fileCount: fileCount, into: &places)
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
  package var path: [UInt8] { witness.path }
  /// Which root it belongs to.
  package var root: Int { witness.root }
  package var place: FolderPlace { witness.place }

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
