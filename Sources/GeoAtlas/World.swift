import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

/// A world to be served: roots, with the folders that were read so far in a cache.
package final class World: Sendable {
  package let engine: GeoProjectionEngine
  package var roots: [ScanRoot] { sources.roots }
  let tints: [UInt8]
  let sources: OpenSources
  /// Sources that know the room on disk of files; opened on first use.
  private let measuring = Mutex<OpenSources?>(nil)
  /// Which entries are shown: the same for all queries, as for a map.
  package let selection: Selection
  /// Folders by the hash of their path; readers compare the path itself, too.
  private let cache: BoundedCache<UInt64, WorldFolder>
  private let readCount = Atomic(0)
  let isLive: Bool
  /// The number of threads that read for tiles, besides the tiles' own.
  private let readingThreads = Mutex(0)

  /// How long a listing is trusted without checking the folder, in nanoseconds.
  package static let trust: Int64 = 500_000_000
  private let trust: Int64
  /// Values of the user's own at files; nil for none. What folders say is in the totals.
  package let layers: LayerSet?
  let keepsFacts: Bool
  package static let maximumDepth = 1024

  /// - Parameters:
  ///   - cacheLimit: Bytes of listings in the cache.
  ///   - keepsFacts: Whether the metadata of files is kept with the listing of their folder: for
  ///     sources that don't change, and read both at once.
  package init(
    roots: [ScanRoot], layout: Layout, selection: Selection = Selection(), cacheLimit: Int,
    readsDisk: Bool = true, trust: Int64 = World.trust, keepsFacts: Bool = false,
    layers: LayerSet? = nil
  ) throws(MapError) {
    (self.trust, self.layers, self.keepsFacts) = (trust, layers, keepsFacts)
    try layers?.checkNames()
    let world = try WorldRoots(roots, layout, areThere: readsDisk)
    if selection.usesGitignore, let conflict = MapError.Conflict([.gitignore], on: world.roots) {
      throw .conflict(conflict)
    }
    engine = world.engine
    isLive = world.roots.contains(where: \.source.isLive)
    tints = engine.tintsOfRoots()
    self.selection = selection
    sources = Self.open(world.roots, selection, asksForStorage: false)
    cache = BoundedCache(limit: cacheLimit)
  }

  private static func open(
    _ roots: [ScanRoot], _ selection: Selection, asksForStorage: Bool
  ) -> OpenSources {
    var options = FileSystemScanner.Options()
    options.selection = selection
    options.hasStamp = true
    options.asksForStorage = asksForStorage
    // A server's threads, and some more.
    return OpenSources(roots, options, readers: 16)
  }

  func measuringReaders() -> OpenSources.Readers {
    measuring.withLock { sources in
      let open = sources ?? Self.open(roots, selection, asksForStorage: true)
      sources = open
      return open.makeReaders()
    }
  }

  package var folderReads: Int { readCount.load(ordering: .relaxed) }
  package var cacheCost: Int { cache.cost }

  /// Whether the cache can keep listings without dropping others soon.
  package var canKeep: Bool { cache.cost < cache.limit / 2 }

  package func forget(_ folder: FolderStamp) { cache.remove(folder.place.seed) }

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

  /// The same, always checked.
  package func isUnchangedNow(_ folder: FolderStamp) -> Bool {
    guard let stamp = folder.stamp else { return false }
    let session = sources.session(ofRoot: folder.root)
    if session.stamp(of: folder.address.reference(in: self)) != stamp { return false }
    folder.setChecked()
    return true
  }

  func add(_ folder: WorldFolder, keeps: Bool) {
    readCount.wrappingAdd(1, ordering: .relaxed)
    if keeps, folder.stamp.stamp != nil {
      cache.insert(folder, for: folder.place.seed, cost: folder.cost)
    }
  }

  func address(ofRoot index: Int) -> FolderAddress {
    FolderAddress(path: roots[index].label, root: index, place: engine.roots[index], handle: nil)
  }

  package func reader() -> WorldReader { WorldReader(self) }

  /// The maximum of threads that read for tiles. Each has the folders above its own open, mostly
  /// fewer than 16, and half of the descriptors stay for others.
  private static let maximumReadingThreads = max(1, min(128, FileSystem.descriptorLimit / 32))

  func takeReadingThreads(_ wanted: Int) -> Int {
    readingThreads.withLock { taken in
      let count = max(1, min(wanted, Self.maximumReadingThreads - taken))
      taken += count
      return count
    }
  }

  func giveBackReadingThreads(_ count: Int) { readingThreads.withLock { $0 -= count } }
}

extension World {
  /// The title of a map: the labels of its roots, or of the first of them.
  package var title: [UInt8] {
    var names = roots.map(\.label)
    if names.isEmpty { return Array("World".utf8) }
    if names.count > Self.maximumNamed {
      let rest = names.count - Self.maximumNamed + 1
      names = names.dropLast(rest) + [Array("\(rest) more".utf8)]
    }
    let first = Array(names.dropLast().joined(separator: ", ".utf8))
    return names.count > 1 ? first + Array(" and ".utf8) + names[names.count - 1] : names[0]
  }

  private static let maximumNamed = 3
}
