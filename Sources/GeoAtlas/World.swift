import GeoPath
import GeoProjection
import GeoScan
import GeoSystem
import Synchronization

/// The world that is served: roots, and of what is below them as much as was looked at.
package final class World: Sendable {
  package let engine: GeoProjectionEngine
  package let roots: [ScanRoot]
  /// By the hashes of their paths; that it is the path, and not only its hash, is looked at.
  private let cache: BoundedCache<UInt64, WorldFolder>
  private let readCount = Atomic(0)

  /// For how long a listing is believed without a look at the folder, in nanoseconds.
  package static let trust: Int64 = 500_000_000
  /// How near to its last change a listing may be read and still be kept: a change that follows at
  /// once may leave the same time behind, as file systems count in steps of some milliseconds.
  private static let racyNanoseconds: Int64 = 50_000_000
  /// How many names a path may have.
  package static let deepest = 1024

  /// A world of some roots.
  ///
  /// - Parameter cacheLimit: Bytes of listings that are kept.
  package init(roots: [ScanRoot], layout: Layout, cacheLimit: Int) throws(ProjectionError) {
    self.roots = Self.sorted(roots)
    engine = try GeoProjectionEngine(
      layout: layout, labels: NameTable(self.roots.map(\.label), kind: .directory))
    cache = BoundedCache(limit: cacheLimit)
  }

  /// Roots in the byte order of their labels.
  package static func sorted(_ roots: [ScanRoot]) -> [ScanRoot] {
    roots.sorted { $0.label.lexicographicallyPrecedes($1.label) }
  }

  /// Folders read so far.
  package var folderReads: Int { readCount.load(ordering: .relaxed) }
  /// Bytes of listings that are kept.
  package var cacheCost: Int { cache.cost }

  /// Whether listings can be kept without others being dropped soon.
  package var hasRoom: Bool { cache.cost < cache.limit / 2 }

  /// Forgets what is known of a folder.
  package func forget(_ folder: FolderWitness) { cache.remove(folder.place.seed) }

  /// A folder of which the place is known.
  ///
  /// - Parameters:
  ///   - handle: Opens the folder if that is needed.
  ///   - keeps: Whether to keep the listing for the next time.
  package func folder(
    at path: [UInt8], root: Int, place: FolderPlace, _ handle: @autoclosure () -> FolderChain,
    keeps: Bool = true
  ) -> WorldFolder {
    if let known = known(at: place), known.path == path, isUnchanged(known.witness) {
      return known
    }
    return read(path, root, place, handle(), keeps: keeps)
  }

  /// A sub-folder of a folder.
  ///
  /// - Parameters:
  ///   - index: Which one, in the order of ``WorldFolder/folders``.
  ///   - handle: Opens the sub-folder if that is needed.
  package func child(
    _ index: Int, of folder: WorldFolder, _ handle: @autoclosure () -> FolderChain
  ) -> WorldFolder {
    let place = folder.places[index]
    if let known = known(at: place), known.isChild(index, of: folder), isUnchanged(known.witness) {
      return known
    }
    let path = folder.path(of: folder.folders.name(at: index))
    return read(path, folder.root, place, handle(), keeps: true)
  }

  /// What is kept of a folder, unless it has moved on the map since, as folders do that come to
  /// have many more neighbours.
  private func known(at place: FolderPlace) -> WorldFolder? {
    guard let known = cache.value(for: place.seed), known.place == place else { return nil }
    return known
  }

  /// Whether a folder is what it was when it was read, by one look at it.
  package func isUnchanged(_ folder: FolderWitness) -> Bool {
    if folder.stamp == nil { return false }
    if folder.wasChecked(since: ThisProcess.nanoseconds - Self.trust) { return true }
    return isUnchangedNow(folder)
  }

  /// The same, whenever it was looked at before.
  package func isUnchangedNow(_ folder: FolderWitness) -> Bool {
    guard let stamp = folder.stamp else { return false }
    // Whatever the path leads to by now: it is the same folder, or it isn't.
    let path = roots[folder.root].directory + folder.path.dropFirst(roots[folder.root].label.count)
    guard let facts = try? FileSystem.rootFacts(path), FolderWitness.Stamp(facts) == stamp else {
      return false
    }
    folder.noteChecked()
    return true
  }

  /// Opens a folder by its path in the world, one name at a time.
  package func chain(to path: [UInt8], root: Int) -> FolderChain {
    let names = path.split(separator: UInt8(ascii: "/")).dropFirst()
    return names.reduce(chain(ofRoot: root)) { $0.child(Array($1)) }
  }

  private func read(
    _ path: [UInt8], _ root: Int, _ place: FolderPlace, _ handle: FolderChain, keeps: Bool
  ) -> WorldFolder {
    let folder = read(path, root, place, handle)
    if keeps, folder.witness.stamp != nil {
      cache.insert(folder, for: place.seed, cost: folder.cost)
    }
    return folder
  }

  private func read(
    _ path: [UInt8], _ root: Int, _ place: FolderPlace, _ handle: FolderChain
  ) -> WorldFolder {
    readCount.wrappingAdd(1, ordering: .relaxed)
    var files = NameTable()
    var folders = NameTable()
    var failure: Errno?
    var facts: FileSystem.Facts?
    var isListed = false
    do throws(Errno) {
      let number = try handle.open()
      facts = try FileSystem.facts(of: number)
      var reader = DirectoryReader()
      failure = reader.read(number, files: &files, folders: &folders)
      isListed = failure == nil || files.count + folders.count > 0
    } catch {
      failure = error
      facts = facts ?? (try? handle.facts())
    }
    files.sort()
    folders.sort()
    var stamp: FolderWitness.Stamp?
    if failure == nil, let facts {
      // File systems can claim times so far away that 64 bits have no room for their nanoseconds.
      let changed = Int128(facts.modified) * 1_000_000_000 + Int128(facts.modifiedNanoseconds)
      let age = Int128(ThisProcess.unixNanoseconds) - changed
      if age > Int128(Self.racyNanoseconds) { stamp = FolderWitness.Stamp(facts) }
    }
    return WorldFolder(
      path: path, root: root, place: place, files: files, folders: folders,
      modified: facts?.modified, isListed: isListed, failure: failure, stamp: stamp,
      engine: engine)
  }

  /// A root as a folder that can be opened.
  package func chain(ofRoot index: Int) -> FolderChain { FolderChain(root: roots[index].directory) }
}
