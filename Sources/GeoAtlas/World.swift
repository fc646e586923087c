import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

/// A world to be served: roots, with the folders that were read so far in a cache.
package final class World: Sendable {
  package let engine: GeoProjectionEngine
  package var roots: [ScanRoot] { sources.roots }
  /// The tints of the roots.
  let tints: [UInt8]
  let sources: OpenSources
  /// Sources that know the room on disk of files; opened on first use.
  private let measuring = Mutex<OpenSources?>(nil)
  /// The entries that are shown.
  let visibility: Visibility
  /// Folders by the hash of their path; readers compare the path itself, too.
  private let cache: BoundedCache<UInt64, WorldFolder>
  private let readCount = Atomic(0)

  /// How long a listing is trusted without checking the folder, in nanoseconds.
  package static let trust: Int64 = 500_000_000
  /// The same for this world.
  private let trust: Int64
  /// Whether the metadata of files is kept with the listing of their folder.
  let keepsFacts: Bool
  /// The maximum number of names in a path.
  package static let deepest = 1024

  /// Creates a world.
  ///
  /// - Parameters:
  ///   - roots: The folders, each with a different label.
  ///   - layout: How sub-folders get their land.
  ///   - selection: The entries that are shown; hidden ones keep their places.
  ///   - cacheLimit: Bytes of listings in the cache.
  ///   - readsDisk: Whether the roots are checked to be folders.
  ///   - trust: How long a listing is trusted without checking the folder, in nanoseconds.
  ///   - keepsFacts: Whether the metadata of files is kept with the listing of their folder: for
  ///     sources that don't change, and read both at once.
  package init(
    roots: [ScanRoot], layout: Layout, selection: Selection = Selection(), cacheLimit: Int,
    readsDisk: Bool = true, trust: Int64 = World.trust, keepsFacts: Bool = false
  ) throws(MapError) {
    self.trust = trust
    self.keepsFacts = keepsFacts
    let world = try WorldRoots(roots, layout, areThere: readsDisk)
    if selection.usesGitignore, let conflict = MapConflict([.gitignore], on: world.roots) {
      throw .conflict(conflict)
    }
    engine = world.engine
    tints = engine.tintsOfRoots()
    visibility = Visibility(selection, of: world.roots)
    sources = Self.open(world.roots, asksForStorage: false)
    cache = BoundedCache(limit: cacheLimit)
  }

  private static func open(_ roots: [ScanRoot], asksForStorage: Bool) -> OpenSources {
    var options = FileSystemScanner.Options()
    options.hasStamp = true
    options.asksForStorage = asksForStorage
    // A server's threads, and some more.
    return OpenSources(roots, options, readers: 16)
  }

  /// Makes the readers of one thread that know the room on disk of files.
  func measuringReaders() -> OpenSources.Readers {
    measuring.withLock { sources in
      let open = sources ?? Self.open(roots, asksForStorage: true)
      sources = open
      return open.makeReaders()
    }
  }

  /// The number of folders read so far.
  package var folderReads: Int { readCount.load(ordering: .relaxed) }
  /// Bytes of listings in the cache.
  package var cacheCost: Int { cache.cost }

  /// Whether the cache has room for listings without dropping others soon.
  package var hasRoom: Bool { cache.cost < cache.limit / 2 }

  /// Drops a folder from the cache.
  package func forget(_ folder: FolderStamp) { cache.remove(folder.place.seed) }

  /// The city of a folder whose listing is in the cache; nil for others.
  package func city(of folder: FolderStamp) -> City? { known(at: folder.place)?.city }

  /// The cached folder at a place; nil if it has moved on the map since, as folders with many new
  /// siblings do.
  func known(at place: FolderPlace) -> WorldFolder? {
    guard let known = cache.value(for: place.seed), known.place == place else { return nil }
    return known
  }

  /// Whether a folder is unchanged since it was read; recently checked folders are trusted.
  package func isUnchanged(_ folder: FolderStamp) -> Bool {
    if folder.stamp == nil { return false }
    if trust > 0, folder.wasChecked(since: ThisProcess.nanoseconds - trust) { return true }
    return isUnchangedNow(folder)
  }

  /// Whether a folder is unchanged since it was read, always checked.
  package func isUnchangedNow(_ folder: FolderStamp) -> Bool {
    guard let stamp = folder.stamp else { return false }
    let reference = FolderReference.path(
      root: roots[folder.root], path: folder.path, mark: folder.mark)
    let session = sources.session(ofRoot: folder.root)
    if session.stamp(of: reference) != stamp { return false }
    if let rules = folder.rules,
      rules != visibility.stamp(ofRulesOf: folder.path, root: folder.root, in: self)
    {
      return false
    }
    folder.noteChecked()
    return true
  }

  /// Counts a folder that was read, and caches it.
  func note(_ folder: WorldFolder, keeps: Bool) {
    readCount.wrappingAdd(1, ordering: .relaxed)
    if keeps, folder.stamp.stamp != nil {
      cache.insert(folder, for: folder.place.seed, cost: folder.cost)
    }
  }

  /// Creates a reader for one thread.
  package func reader() -> WorldReader { WorldReader(self) }
}

extension World {
  /// The title of a map: the labels of its roots, or of the first of them.
  package var title: [UInt8] {
    let labels = roots.map(\.label)
    if labels.isEmpty { return Array("World".utf8) }
    let shown = labels.prefix(labels.count > Self.mostNamed ? Self.mostNamed - 1 : Self.mostNamed)
    let rest =
      labels.count > shown.count
      ? [Array("\(labels.count - shown.count) more".utf8)] : []
    let names = shown + rest
    let first = Array(names.dropLast().joined(separator: ", ".utf8))
    return names.count > 1 ? first + Array(" and ".utf8) + names[names.count - 1] : names[0]
  }

  /// The maximum number of roots that are all named.
  private static let mostNamed = 3
}

/// The entries of a world that are shown: one selection for all queries, with the meaning that it
/// has for a map.
struct Visibility: Sendable {
  /// nil if everything is shown.
  let selection: Selection?
  let git: GitRules?
  /// git's rules in the roots; empty unless the selection uses them.
  let scopes: [IgnoreScope]
  /// Whether folders are shown; files in hidden folders are shown all the same.
  let showsFolders: Bool

  init(_ selection: Selection, of roots: [ScanRoot]) {
    self.selection = selection.isActive ? selection : nil
    showsFolders = selection.showsFolders
    let git = selection.usesGitignore ? GitRules() : nil
    self.git = git
    scopes = git.map { git in roots.map { git.scope(around: $0) } } ?? []
  }

  /// The current version stamp of the rule file in a folder.
  func stamp(ofRulesOf path: [UInt8], root: Int, in world: World) -> ListingStamp? {
    world.sources.session(ofRoot: root).stamp(
      of: .path(
        root: world.roots[root], path: path.appending(component: GitRules.file), mark: nil))
  }
}

/// The hidden entries of a listing, and git's rules in its folder.
struct LeftOut {
  /// One flag for each file; empty if all are shown.
  var files: [Bool] = []
  /// One flag for each sub-folder; empty if all are shown.
  var folders: [Bool] = []
  /// The indices in the listing of sub-folders that git ignores though they are shown.
  var ignored: Set<Int> = []
  /// git's rules in the folder.
  var scope: IgnoreScope?
  /// Whether it depends on data that the version stamp of the listing doesn't cover.
  var isFleeting = false

  mutating func hide(folder index: Int, of count: Int) {
    if folders.isEmpty { folders = [Bool](repeating: false, count: count) }
    folders[index] = true
  }
}

extension WorldReader {
  /// Finds the hidden entries of the folder that a reader has just listed.
  ///
  /// - Parameter scope: git's rules above it.
  func leftOut(
    of listing: FolderListing, at path: [UInt8], _ scope: IgnoreScope?, by reader: any FolderReader
  ) -> LeftOut {
    var left = LeftOut()
    let (files, folders) = (listing.files, listing.folders)
    for index in listing.leftOut { left.hide(folder: index, of: folders.count) }
    if listing.outcome != .listed { return left }
    if let scope, let git = world.visibility.git {
      left.scope = git.scope(
        scope, inside: path,
        hasGit: files.contains(GitRules.folder) || folders.contains(GitRules.folder),
        hasRules: files.contains(GitRules.file)
      ) { (file, following) throws(Errno) in
        try reader.readFile(file, following: following, limit: GitRules.largestFile)
      }
    }
    if let selector {
      var verdicts: [Selector.FolderVerdict] = []
      selector.judgeFolders(folders, in: path, scope: left.scope, into: &verdicts)
      for (index, verdict) in verdicts.enumerated() {
        if verdict.reason != nil { left.hide(folder: index, of: folders.count) }
        if verdict.isIgnored { left.ignored.insert(index) }
      }
    }
    let needsMetadata = world.visibility.selection?.needsMetadata ?? false
    if (selector == nil && !listing.leavesOutFiles) || files.isEmpty { return left }
    var facts = files.records.map { EntryFacts(kind: $0.kind) }
    var counts = ExclusionCounts()
    selector?.selectFiles(
      files, 0..<files.count, in: path, scope: left.scope, facts: &facts, counts: &counts)
    if needsMetadata || listing.leavesOutFiles {
      var storage: [FileStorage] = []
      var failures: [FileSystem.Failure] = []
      reader.readFacts(
        of: files, 0..<files.count, into: &facts, storage: &storage, failures: &failures)
      selector?.selectByMetadata(&facts, counts: &counts)
      left.isFleeting = needsMetadata
    }
    let hidden = facts.map { $0.status == .hidden }
    if hidden.contains(true) { left.files = hidden }
    return left
  }
}
