import GeoCore
import GeoTree
import GeoSystem

/// What folders that the system names by handles are called on the map.
///
/// A handle stands for a folder whatever becomes of its name. Where it is, the system is asked once; what it
/// said is kept, and follows the folders that are renamed.
struct HandlePlaces {
  /// A folder as it is called on the map.
  struct Folder {
    /// The root that it is below.
    var root: Int
    /// The root's label, then names.
    var path: [UInt8]
  }

  /// Folders that are not entered, and files that are not told of.
  var ignored: Set<FileSystem.Identity> = []
  private let roots: [Root]
  /// The folders below roots, or none, that a handle stands for.
  private var known: [[UInt8]: [Folder]] = [:]

  /// How many handles are kept with what they stand for.
  private static let mostKnown = 4096

  private final class Root {
    let label: [UInt8]
    /// Its path without links.
    let path: [UInt8]
    let directory: Descriptor
    /// What handles of its file system begin with.
    let fileSystem: [UInt8]

    init(_ root: ScanRoot) throws(Errno) {
      label = root.label
      directory = try FileSystem.openRoot(root.directory)
      path = try FileSystem.path(of: directory.rawValue)
      let handle = try FileSystemWatcher.handle(of: directory.rawValue)
      fileSystem = Array(handle.prefix(FileSystemWatcher.fileSystemBytes))
      // Who may watch file systems may yet not open folders by handles.
      _ = try FileSystemWatcher.open(handle, by: directory.rawValue)
    }
  }

  /// - Parameter roots: Folders of this machine, in the byte order of their labels.
  /// - Throws: Why one of them can't be opened, or nothing by its handle.
  init(_ roots: [ScanRoot]) throws(Errno) {
    var all: [Root] = []
    for root in roots { all.append(try Root(root)) }
    self.roots = all
  }

  /// Whether a folder is a root itself.
  func isRoot(_ folder: Folder) -> Bool { folder.path == roots[folder.root].label }

  /// Opens the folder of a handle; nil if it is gone, or of no root's file system.
  func open(_ handle: [UInt8]) -> Descriptor? {
    guard let root = roots.first(where: { handle.starts(with: $0.fileSystem) }) else { return nil }
    return try? FileSystemWatcher.open(handle, by: root.directory.rawValue)
  }

  /// What is at a place by now; nil if nothing is.
  func facts(of place: FileSystemEvent.Place) -> FileSystem.Facts? {
    guard let folder = open(place.handle) else { return nil }
    return try? FileSystem.facts(of: place.name, in: folder.rawValue)
  }

  /// What the folder of a handle is called on the map: nothing if it is below no root.
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

  /// Has the system asked again where the folder of a handle is.
  mutating func forget(_ handle: [UInt8]) { known[handle] = nil }

  /// Takes in that a folder was renamed: what is known to be below it is elsewhere.
  ///
  /// - Parameters:
  ///   - sources: The folders that it was in.
  ///   - targets: Those that it is in by now.
  mutating func follow(
    _ old: FileSystemEvent.Place, _ sources: [Folder], _ new: FileSystemEvent.Place,
    _ targets: [Folder]
  ) {
    for (handle, folders) in known {
      // What was below no root may be by now.
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

  /// Whether a folder, or one that it is in, is not entered.
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
