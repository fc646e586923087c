import GeoCore
import GeoSystem

/// Opens folders by their paths from a root, one name at a time. It follows no symbolic link except
/// the root itself and names marked as links.
///
/// Successive paths share most of their folders, so the first and last folders of the current path
/// stay open. Not thread-safe.
final class FolderPathWalker {
  private final class OpenFolder {
    private var descriptor: Descriptor?
    let number: Int32

    init(_ descriptor: consuming Descriptor) {
      number = descriptor.rawValue
      self.descriptor = consume descriptor
    }

    func take() -> Descriptor? { descriptor.take() }
  }

  /// How many folders stay open at the beginning of the path and at its end.
  private let (firstKept, lastKept): (Int, Int)

  private let budget: DescriptorBudget?
  private var directory: [UInt8] = []
  /// The names from the root to the current folder.
  private var names: [[UInt8]] = []
  /// The root and the folder of each name; nil for those closed again.
  private var folders: [OpenFolder?] = []

  /// `isForOne` says that only one folder will be opened, so that no others are kept open.
  init(budget: DescriptorBudget? = nil, isForOne: Bool = false) {
    self.budget = budget
    (firstKept, lastKept) = isForOne ? (0, 1) : (4, 12)
  }

  /// Opens the folder at a path from the root `directory`. It stays open until the next call.
  ///
  /// - Parameters:
  ///   - links: Which of the names may be links; names beyond the end of this array may not.
  ///   - anew: Whether to reopen a folder that is open, since each descriptor can be listed only once.
  func open(
    _ directory: [UInt8], _ names: [[UInt8]], links: [Bool] = [], anew: Bool = false
  ) throws(Errno) -> Int32 {
    if self.directory != directory { close() }
    self.directory = directory
    let shared = zip(self.names, names).prefix { $0 == $1 }.count
    self.names.removeLast(self.names.count - shared)
    if folders.count > shared + 1 { folders.removeLast(folders.count - shared - 1) }
    if anew, folders.count > names.count { folders.removeLast() }
    while let last = folders.last, last == nil { folders.removeLast() }
    while folders.count <= names.count {
      let level = folders.count
      let parent = folders.last??.number
      let folder = try opening { () throws(Errno) in
        guard level > 0, let parent else { return try FileSystem.openRoot(directory) }
        return try FileSystem.openFolder(
          names[level - 1], in: parent, following: level <= links.count && links[level - 1])
      }
      folders.append(OpenFolder(folder))
      if level > shared { self.names.append(names[level - 1]) }
      let passed = folders.count - 1 - lastKept
      if passed >= firstKept { folders[passed] = nil }
    }
    return folders.last??.number ?? -1
  }

  /// Reads the facts of a folder without opening it.
  func facts(
    _ directory: [UInt8], _ names: [[UInt8]], storage: Bool = false, method: ReadingMethod
  ) throws(Errno) -> FileSystem.Facts {
    guard let last = names.last else {
      return try FileSystem.rootFacts(directory, storage: storage, method: method)
    }
    let parent = try open(directory, Array(names.dropLast()))
    return try FileSystem.facts(of: last, in: parent, storage: storage, method: method)
  }

  /// Takes the descriptor of the current folder out of the walker.
  func take() -> Descriptor? {
    let folder = folders.popLast() ?? nil
    if !names.isEmpty { names.removeLast() }
    return folder?.take()
  }

  func close() {
    names.removeAll()
    folders.removeAll()
  }

  private func opening(_ call: () throws(Errno) -> Descriptor) throws(Errno) -> Descriptor {
    guard let budget else { return try call() }
    return try budget.opening(call)
  }
}

/// A folder's identity and those of its ancestors. It detects loops of links and borders between
/// file systems, and decides which links to follow when a folder is reopened.
///
/// Recorded only if the session needs it.
final class AncestorChain: @unchecked Sendable {
  let identity: FileSystem.Identity
  /// Whether the folder was reached by a link. False for roots.
  let isLink: Bool
  /// Whether the folder or one of its ancestors was reached by a link.
  let isBelowLink: Bool
  let root: FileSystem.Identity
  // Sendable: mutated only in deinit, by the last owner.
  private var parent: AncestorChain?

  init(_ identity: FileSystem.Identity, isLink: Bool, parent: AncestorChain?) {
    self.identity = identity
    self.isLink = isLink && parent != nil
    isBelowLink = self.isLink || parent?.isBelowLink ?? false
    root = parent?.root ?? identity
    self.parent = parent
  }

  deinit {
    // Released one by one: releasing a long chain at once would recurse once per element.
    var last = parent.take()
    while isKnownUniquelyReferenced(&last) { last = last?.parent.take() }
  }

  /// Whether the folder is on another file system than its root.
  var isBeyondBorder: Bool { !identity.isOnDevice(of: root) }

  /// Whether the folder is one of its own ancestors.
  /// Only links lead to one, so without links above this costs one comparison, else O(depth).
  var isLoop: Bool {
    guard isBelowLink else { return false }
    var ancestor = parent
    while let folder = ancestor {
      if folder.identity == identity { return true }
      ancestor = folder.parent
    }
    return false
  }

  /// For each folder from below the root down to this one, whether it was reached by a link.
  var links: [Bool] {
    var links: [Bool] = []
    var folder = self
    while let parent = folder.parent {
      links.append(folder.isLink)
      folder = parent
    }
    return links.reversed()
  }
}
