import GeoCore
import GeoTree
import GeoSystem

/// A made-up state: entries by their paths below a root.
struct MemoryState: Sendable, Equatable {
  /// The entry at a path.
  enum Entry: Sendable, Equatable {
    case folder
    case file(kind: EntryKind, size: Int64, seconds: Int64, nanoseconds: UInt32)
    case unreadable
    /// A folder that can't be listed.
    case closed
  }

  /// Entries by paths joined with `/`; the ancestors of each are included.
  var entries: [String: Entry] = [:]
  /// Inode numbers of files that may have several names; others have one.
  var inodes: [String: UInt64] = [:]
  /// Room on disk for each byte; 0 if the file system reports none.
  var room: Int64 = 0

  /// Whether a folder can be listed.
  func isOpen(_ path: String) -> Bool { path.isEmpty || entries[path] == .folder }

  /// Whether there is a folder, listable or not.
  func hasFolder(_ path: String) -> Bool { isOpen(path) || entries[path] == .closed }

  /// Removes an entry and everything below it.
  mutating func remove(_ path: String) {
    entries = entries.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
  }

  /// The entries of a folder.
  func names(in folder: String) -> [(name: String, entry: Entry)] {
    let start = folder.isEmpty ? "" : folder + "/"
    return entries.compactMap { path, entry in
      guard path.hasPrefix(start), !path.dropFirst(start.count).contains("/") else { return nil }
      return (String(path.dropFirst(start.count)), entry)
    }
  }
}

/// The state as a source.
final class MemorySource: TreeSource {
  let state: MemoryState
  let knowledge: ContentKnowledge

  init(_ state: MemoryState, _ knowledge: ContentKnowledge = .nanoseconds) {
    self.state = state
    self.knowledge = knowledge
  }

  /// The state as a root.
  func root(_ label: String = "r") -> ScanRoot {
    ScanRoot(label: Array(label.utf8), directory: Array(label.utf8), source: self)
  }

  func check(_ root: ScanRoot) throws(Errno) {}

  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    MemorySession(state)
  }
}

private final class MemorySession: TreeSession {
  let state: MemoryState

  init(_ state: MemoryState) { self.state = state }

  func makeReader() -> any FolderReader { MemoryReader(state) }

  func stamp(of folder: FolderReference) -> ListingStamp? { nil }
}

private final class MemoryFolder: KeptFolder {
  let path: String

  init(_ path: String) { self.path = path }
}

private final class MemoryReader: FolderReader {
  private let state: MemoryState
  private var path = ""

  init(_ state: MemoryState) { self.state = state }

  private func go(to folder: FolderReference) {
    switch folder {
    case .kept(let kept): path = (kept as? MemoryFolder)?.path ?? ""
    case .child(_, let place, _, _, _), .path(_, let place, _):
      path = String(decoding: place, as: UTF8.self).split(separator: "/").dropFirst()
        .joined(separator: "/")
    }
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    go(to: folder)
    guard state.isOpen(path) else {
      listing.failure = .unreadable(state.hasFolder(path) ? .accessDenied : .noEntry)
      return
    }
    listing.outcome = .listed
    listing.facts = FolderFacts(modified: 1)
    for (name, entry) in state.names(in: path) {
      let bytes = Array(name.utf8)
      switch entry {
      case .folder, .closed: listing.folders.append(bytes.span, kind: .directory)
      case .file(let kind, _, _, _): listing.files.append(bytes.span, kind: kind)
      case .unreadable: listing.files.append(bytes.span, kind: .regular)
      }
    }
    listing.files.sort()
    listing.folders.sort()
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    go(to: folder)
    if !state.hasFolder(path) { listing.failure = .unreadable(.noEntry) }
    listing.facts = FolderFacts(modified: 1)
  }

  func enter(_ folder: FolderReference) throws(Errno) { go(to: folder) }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    storage = range.map { _ in
      FileStorage(identity: FileSystem.Identity(device: 0, inode: 0), allocated: 0)
    }
    let entries = Dictionary(state.names(in: path).map { ($0.name, $0.entry) }) { a, _ in a }
    let links = Dictionary(grouping: state.inodes.values) { $0 }.mapValues { UInt32($0.count) }
    for (position, index) in range.enumerated() where facts[position].status != .hidden {
      switch entries[String(decoding: names.name(at: index), as: UTF8.self)] {
      case .file(let kind, let size, let seconds, let nanoseconds)?:
        facts[position] = EntryFacts(size: size, modified: seconds, status: .known, kind: kind)
        storage[position].nanoseconds = nanoseconds
        storage[position].allocated = size * state.room
        let name = String(decoding: names.name(at: index), as: UTF8.self)
        if let inode = state.inodes[path.isEmpty ? name : "\(path)/\(name)"] {
          storage[position].identity = FileSystem.Identity(device: 1, inode: inode)
          facts[position].links = links[inode] ?? 1
        }
      default:
        facts[position].status = .unreadable
        failures.append(FileSystem.Failure(index: index, reason: .accessDenied))
      }
    }
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }

  func keep() -> any KeptFolder { MemoryFolder(path) }

  func leave() {}
}
