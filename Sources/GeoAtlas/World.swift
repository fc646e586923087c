import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem
import Synchronization

/// The world that is served: roots, and of what is below them as much as was looked at.
package final class World: Sendable {
  package let engine: GeoProjectionEngine
  package var roots: [ScanRoot] { sources.roots }
  let sources: OpenSources
  /// What of it is shown.
  let visibility: Visibility
  /// By the hashes of their paths; that it is the path, and not only its hash, is looked at.
  private let cache: BoundedCache<UInt64, WorldFolder>
  private let readCount = Atomic(0)

  /// For how long a listing is believed without a look at the folder, in nanoseconds.
  package static let trust: Int64 = 500_000_000
  /// The same for this world.
  private let trust: Int64
  /// Whether what is known of files is kept with the listing that they are in.
  let keepsFacts: Bool
  /// How many names a path may have.
  package static let deepest = 1024

  /// A world of some roots.
  ///
  /// - Parameters:
  ///   - selection: What of it is shown; what isn't keeps its place.
  ///   - cacheLimit: Bytes of listings that are kept.
  ///   - readsDisk: Whether the roots are checked to be folders.
  ///   - trust: For how long a listing is believed without a look at the folder, in nanoseconds.
  ///   - keepsFacts: Whether what is known of files is kept with the listing that they are in: for sources
  ///     that don't change, and that know both at once.
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
    visibility = Visibility(selection, of: world.roots)
    var options = FileSystemScanner.Options()
    options.bearsWitness = true
    // As many readers as a server has threads, and some more.
    sources = OpenSources(world.roots, options, readers: 16)
    cache = BoundedCache(limit: cacheLimit)
  }

  /// Folders read so far.
  package var folderReads: Int { readCount.load(ordering: .relaxed) }
  /// Bytes of listings that are kept.
  package var cacheCost: Int { cache.cost }

  /// Whether listings can be kept without others being dropped soon.
  package var hasRoom: Bool { cache.cost < cache.limit / 2 }

  /// Forgets what is known of a folder.
  package func forget(_ folder: FolderWitness) { cache.remove(folder.place.seed) }

  /// Where the files of a folder are, if its listing is kept.
  package func city(of folder: FolderWitness) -> City? { known(at: folder.place)?.city }

  /// What is kept of a folder, unless it has moved on the map since, as folders do that come to
  /// have many more neighbours.
  func known(at place: FolderPlace) -> WorldFolder? {
    guard let known = cache.value(for: place.seed), known.place == place else { return nil }
    return known
  }

  /// Whether a folder is what it was when it was read, by one look at it.
  package func isUnchanged(_ folder: FolderWitness) -> Bool {
    if folder.stamp == nil { return false }
    if trust > 0, folder.wasChecked(since: ThisProcess.nanoseconds - trust) { return true }
    return isUnchangedNow(folder)
  }

  /// The same, whenever it was looked at before.
  package func isUnchangedNow(_ folder: FolderWitness) -> Bool {
    guard let stamp = folder.stamp else { return false }
    let reference = FolderReference.path(
      root: roots[folder.root], path: folder.path, mark: folder.mark)
    let session = sources.session(ofRoot: folder.root)
    if session.witness(of: reference) != stamp { return false }
    if let rules = folder.rules,
      rules != visibility.witness(ofRulesOf: folder.path, root: folder.root, in: self)
    {
      return false
    }
    folder.noteChecked()
    return true
  }

  /// Takes account of a folder that was read.
  func note(_ folder: WorldFolder, keeps: Bool) {
    readCount.wrappingAdd(1, ordering: .relaxed)
    if keeps, folder.witness.stamp != nil {
      cache.insert(folder, for: folder.place.seed, cost: folder.cost)
    }
  }

  /// What one thread reads the world with.
  package func reader() -> WorldReader { WorldReader(self) }
}
