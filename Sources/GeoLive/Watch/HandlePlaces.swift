import GeoCore
import GeoTree
import GeoSystem

/// Finds the paths on the map of folders that the system identifies by handles.
///
/// A handle identifies a folder even if it is renamed. Its path is requested from the system once,
/// then cached and updated after renames.
struct HandlePlaces {
  /// A folder's path on the map.
  struct Folder {
    /// The index of the root that contains it.
    var root: Int
    /// The root's label, then names.
    var path: [UInt8]
  }

  /// Folders that are not entered, and files that are not reported.
  var ignored: Set<FileSystem.Identity> = []
  private let roots: [Root]
  /// The folders of each known handle, one for each root that contains it; empty if it is outside
  /// of all roots.
  private var known: [[UInt8]: [Folder]] = [:]

  /// Maximum number of cached handles.
  private static let mostKnown = 4096

  private final class Root {
    let label: [UInt8]
    /// Its path on the disk, with links resolved.
    let path: [UInt8]
    let directory: Descriptor
    /// The prefix of all handles of its file system.
    let fileSystem: [UInt8]

    init(_ root: ScanRoot) throws(Errno) {
      label = root.label
      directory = try FileSystem.openRoot(root.directory)
      path = try FileSystem.path(of: directory.rawValue)
      let handle = try FileSystemWatcher.handle(of: directory.rawValue)
      fileSystem = Array(handle.prefix(FileSystemWatcher.fileSystemBytes))
      // Permission to watch file systems doesn't imply permission to open handles, so this is
      // checked.
      _ = try FileSystemWatcher.open(handle, by: directory.rawValue)
    }
  }

  /// - Parameter roots: Folders of this machine, in the byte order of their labels.
  /// - Throws: The error if a root can't be opened, by path or by handle.
  init(_ roots: [ScanRoot]) throws(Errno) {
    var all: [Root] = []
    for root in roots { all.append(try Root(root)) }
    self.roots = all
  }

  /// Whether a folder is a root.
  func isRoot(_ folder: Folder) -> Bool { folder.path == roots[folder.root].label }

  /// Opens a folder by its handle; nil if it is gone, or not on the file system of any root.
  func open(_ handle: [UInt8]) -> Descriptor? {
    guard let root = roots.first(where: { handle.starts(with: $0.fileSystem) }) else { return nil }
    return try? FileSystemWatcher.open(handle, by: root.directory.rawValue)
  }

  /// The current metadata of an entry; nil if it is missing.
  func facts(of place: FileSystemEvent.Place) -> FileSystem.Facts? {
    guard let folder = open(place.handle) else { return nil }
    return try? FileSystem.facts(of: place.name, in: folder.rawValue)
  }

  /// The paths of a handle's folder on the map, one for each root that contains it.
  mutating func folders(of handle: [UInt8]) -> [Folder] {
    if let found = known[handle] { return found }
    guard let folder = open(handle), let path = try? FileSystem.path(of: folder.rawValue) else {
      return []
    }
    var found: [Folder] = []
    for (index, root) in roots.enumerated() where isBelow(path, root.path) {
      let rest = path.dropFirst(root.path.elementsEqual("/".utf8) ? 0 : root.path.count)
      if isIgnored(path, below: root) { continue }
      found.append(Folder(root: index, path: root.label + (rest.count > 1 ? rest : [])))
    }
    if known.count >= Self.mostKnown { known.removeAll(keepingCapacity: true) }
    known[handle] = found
    return found
  }

  /// Removes a handle from the cache.
  mutating func forget(_ handle: [UInt8]) { known[handle] = nil }

  /// Updates the cached paths after the rename of a folder.
  ///
  /// - Parameters:
  ///   - sources: Its former parents on the map.
  ///   - targets: Its current parents on the map.
  mutating func follow(
    _ old: FileSystemEvent.Place, _ sources: [Folder], _ new: FileSystemEvent.Place,
    _ targets: [Folder]
  ) {
    for (handle, folders) in known {
      // Folders outside of all roots may have moved into one.
      if folders.isEmpty, !targets.isEmpty { known[handle] = nil }
      for (index, folder) in folders.enumerated() {
        guard let source = sources.first(where: { $0.root == folder.root }) else { continue }
        let from = source.path.appending(component: old.name)
        if !isBelow(folder.path, from) { continue }
        guard let target = targets.first(where: { $0.root == folder.root }) else {
          known[handle] = nil
          break
        }
        known[handle]?[index].path =
          target.path.appending(component: new.name) + folder.path.dropFirst(from.count)
      }
    }
  }

  private func isBelow(_ path: [UInt8], _ root: [UInt8]) -> Bool {
    path.starts(with: root)
      && (path.count == root.count || root.elementsEqual("/".utf8) || path[root.count] == .slash)
  }

  /// Whether a folder or one of its ancestors is ignored.
  private func isIgnored(_ path: [UInt8], below root: Root) -> Bool {
    if ignored.isEmpty { return false }
    var end = path.count
    while end >= root.path.count, end > 0 {
      let facts = try? FileSystem.rootFacts(Array(path[..<end]))
      if let facts, ignored.contains(facts.identity) { return true }
      end = path[..<end].lastIndex(of: .slash) ?? 0
    }
    return false
  }
}
