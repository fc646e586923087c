import GeoCore
import GeoSystem

/// Opens folders one after the other by the names that lead to them from a root, a name at a time
/// and never through a symbolic link, but for those that are said to be links, and the root.
///
/// Folders that come in some order have much of their ways in common: the folders on the last one
/// are kept open, but for those in the middle of a long one. Belongs to one thread.
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

  /// How many folders are kept open at the beginning of the way, and at its end.
  private let (firstKept, lastKept): (Int, Int)

  private let budget: DescriptorBudget?
  private var directory: [UInt8] = []
  /// The names that lead from the root to where the way ends.
  private var names: [[UInt8]] = []
  /// The root and the folder of each name, those among them that are open.
  private var folders: [OpenFolder?] = []

  /// A way that leads nowhere yet.
  ///
  /// - Parameter isForOne: Whether only one folder is opened, so that no other is kept open.
  init(budget: DescriptorBudget? = nil, isForOne: Bool = false) {
    self.budget = budget
    (firstKept, lastKept) = isForOne ? (0, 1) : (4, 12)
  }

  /// Opens the folder that names lead to; it stays open until the way leads elsewhere.
  ///
  /// - Parameters:
  ///   - directory: Where the root is.
  ///   - links: Which of the names may be links; those beyond its end may not.
  ///   - anew: Whether it is opened again if it is open: it can be listed only once.
  /// - Complexity: O(names that the way doesn't share with the last one).
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

  /// What the folder is that names lead to; it is not opened.
  func facts(
    _ directory: [UInt8], _ names: [[UInt8]], storage: Bool = false, method: ReadingMethod
  ) throws(Errno) -> FileSystem.Facts {
    guard let last = names.last else {
      return try FileSystem.rootFacts(directory, storage: storage, method: method)
    }
    let parent = try open(directory, Array(names.dropLast()))
    return try FileSystem.facts(of: last, in: parent, storage: storage, method: method)
  }

  /// Hands over the folder that was opened last.
  func take() -> Descriptor? {
    let folder = folders.popLast() ?? nil
    if !names.isEmpty { names.removeLast() }
    return folder?.take()
  }

  /// Closes all.
  func close() {
    names.removeAll()
    folders.removeAll()
  }

  private func opening(_ call: () throws(Errno) -> Descriptor) throws(Errno) -> Descriptor {
    guard let budget else { return try call() }
    return try budget.opening(call)
  }
}

/// A folder that was opened, and those that it was reached through: what tells a circle of links, a
/// border between file systems, and the way back to a folder that was closed meanwhile.
///
/// Kept only where somebody asks for it.
final class AncestorChain: @unchecked Sendable {
  let identity: FileSystem.Identity
  /// Whether the folder was reached by a link, which the root doesn't count as.
  let isLink: Bool
  /// Whether it, or a folder above, was reached by a link.
  let isBelowLink: Bool
  /// The root's identity.
  let root: FileSystem.Identity
  // Sendable: changed only by the last owner, when nobody else can see it.
  private var parent: AncestorChain?

  init(_ identity: FileSystem.Identity, isLink: Bool, parent: AncestorChain?) {
    self.identity = identity
    self.isLink = isLink && parent != nil
    isBelowLink = self.isLink || parent?.isBelowLink ?? false
    root = parent?.root ?? identity
    self.parent = parent
  }

  deinit {
    // One by one: letting go of a long chain at once would take a call for each link of it.
    var last = parent.take()
    while isKnownUniquelyReferenced(&last) { last = last?.parent.take() }
  }

  /// Whether the folder is in another file system than its root.
  var isBeyondBorder: Bool { !identity.isOnDevice(of: root) }

  /// Whether the folder is one of its own ancestors.
  ///
  /// Only links lead to one, so this costs a comparison where there is none on the way.
  ///
  /// - Complexity: O(depth) below a link.
  var isLoop: Bool {
    guard isBelowLink else { return false }
    var ancestor = parent
    while let folder = ancestor {
      if folder.identity == identity { return true }
      ancestor = folder.parent
    }
    return false
  }

  /// Which of the folders from below the root down to this one were reached by a link.
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
