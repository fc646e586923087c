import GeoCore
import GeoSystem
import GeoTree

extension LiveTree {
  /// The changes in a folder, as far as known.
  package struct FolderChange: Sendable {
    package var path: [UInt8]
    /// Names of files that were added, removed or changed; nil if any may have been.
    package var names: Set<[UInt8]>? = []
    /// All changes since this time are included, as the folder was watched; on the clock of
    /// ``ThisProcess/nanoseconds``.
    package var since = Int64.max
    /// Names of new sub-folders, which may have replaced others.
    package var others: Set<[UInt8]> = []
    /// Whether anything below the folder may have changed.
    package var isDeep = false

    package init(
      path: [UInt8], names: Set<[UInt8]>? = [], others: Set<[UInt8]> = [], isDeep: Bool = false
    ) {
      (self.path, self.names, self.others, self.isDeep) = (path, names, others, isDeep)
    }

    /// What a change of an entry changes in its folder, and in its former folder.
    static func all(of change: TreeChange) -> [Self] {
      guard let folder = change.path.parentPath, !(change.isFolder && change.what == .attributes)
      else { return [Self(path: change.path, names: nil)] }
      let name = Array(change.path.lastComponent)
      let isNew = change.isFolder && [.created, .moved].contains(change.what)
      var all = [Self(path: Array(folder), names: [name], others: isNew ? [name] : [])]
      if let from = change.from, let folder = from.parentPath {
        all.append(Self(path: Array(folder), names: [Array(from.lastComponent)]))
      }
      return all
    }

    /// Maximum number of names; with more, any file may have changed.
    static let mostNames = 4096
    /// Maximum number of new sub-folders that are read one by one; with more, everything below the
    /// folder is read.
    private static let mostOthers = 10_000

    /// Merges another change of the same folder.
    mutating func formUnion(_ other: FolderChange) {
      names = other.names.flatMap { names?.union($0) }
      since = max(since, other.since)
      others.formUnion(other.others)
      isDeep = isDeep || other.isDeep || others.count > Self.mostOthers
      if isDeep { others = [] }
      if isDeep || names.map({ $0.count > Self.mostNames }) == true { names = nil }
    }
  }
}

/// Folders that have changed and are to be read again.
struct StaleFolders {
  private struct Stale {
    var change: LiveTree.FolderChange
    /// When a change was first reported.
    let reported = ThisProcess.nanoseconds
  }

  private var folders: [[UInt8]: Stale] = [:]
  /// When a change was last dropped, on the clock of ``ThisProcess/nanoseconds``.
  private(set) var dropped: Int64 = 0

  /// Maximum number of folders; with more, all are dropped.
  private static let most = 20_000

  var isEmpty: Bool { folders.isEmpty }

  /// When the first change was reported; 0 without any.
  var firstReport: Int64 { folders.values.map(\.reported).min() ?? 0 }

  /// Adds a change of a folder.
  mutating func add(_ change: LiveTree.FolderChange) {
    if folders.count >= Self.most { return drop() }
    folders[change.path, default: Stale(change: change)].change.formUnion(change)
  }

  /// Removes all changes without reading them.
  mutating func drop() {
    folders = [:]
    noteLoss()
  }

  /// Records that a change was dropped.
  mutating func noteLoss() { dropped = ThisProcess.nanoseconds }

  /// Removes all changes, to read them.
  mutating func take() -> [[UInt8]: LiveTree.FolderChange] {
    defer { folders = [:] }
    return folders.mapValues { stale in
      var change = stale.change
      change.since = max(change.since, dropped)
      return change
    }
  }

  /// Whether a folder is read again together with one of its ancestors.
  static func isRead(_ path: [UInt8], with stale: [[UInt8]: LiveTree.FolderChange]) -> Bool {
    path.indices.contains { index in
      guard path[index] == .slash, let above = stale[Array(path[..<index])] else {
        return false
      }
      return above.isDeep || above.others.contains(Array(path[(index + 1)...].firstComponent))
    }
  }
}

/// Caches the files of recently changed folders, so that the next change reads only the affected
/// files.
///
/// Used by one thread. A file takes about 100 bytes and its name.
struct RecentFolders {
  private struct Folder {
    var files = NameTable()
    var facts: [EntryFacts] = []
    var storage: [FileStorage] = []
    /// Identifies the folder on disk.
    let identity: FileSystem.Identity
    /// When reading its files began, on the clock of ``ThisProcess/nanoseconds``.
    let read: Int64

    mutating func append(_ name: Span<UInt8>, _ facts: EntryFacts, _ storage: FileStorage) {
      files.append(name, kind: facts.kind)
      self.facts.append(facts)
      self.storage.append(storage)
    }
  }

  private var folders: [[UInt8]: Folder] = [:]
  private var fileCount = 0
  private var failures: [FileSystem.Failure] = []

  /// Maximum number of cached files in all folders.
  private static let mostFiles = 1 << 15

  mutating func removeAll() { (folders, fileCount) = ([:], 0) }

  /// The current totals of a folder's own files; nil if sub-folders may have changed, too, or the
  /// files can't be read.
  ///
  /// - Parameters:
  ///   - change: The change of the folder.
  ///   - root: The root that contains the folder.
  ///   - known: The totals so far.
  ///   - number: The folder's number in `known`.
  mutating func files(
    after change: LiveTree.FolderChange, below root: ScanRoot, _ known: TreeTotals, _ number: Int
  ) -> TreeTotals? {
    var options = FileSystemScanner.Options()
    options.readsMetadata = true
    options.asksForStorage = true
    if change.isDeep || !change.others.isEmpty || options.followsLinks(in: [root]) { return nil }
    let reader = root.source.session(options, readers: 1).makeReader()
    let reference = FolderReference.path(root: root, path: change.path, mark: nil)
    let old = folders.removeValue(forKey: change.path)
    fileCount -= old?.facts.count ?? 0
    var folder: Folder?
    if let old, let names = change.names, old.read >= change.since {
      folder = update(old, names, known, number, reader, reference)
    } else {
      folder = read(known, number, reader, reference)
    }
    guard let folder else { return nil }
    if folder.facts.count <= Self.mostFiles {
      if fileCount + folder.facts.count > Self.mostFiles { removeAll() }
      folders[change.path] = folder
      fileCount += folder.facts.count
    }
    return TreeTotals(
      files: folder.files, folder.facts, folder.storage, classes: FileType.classes)
  }

  /// Reads all files of a folder; nil if its sub-folders differ from the known ones.
  private mutating func read(
    _ known: TreeTotals, _ number: Int, _ reader: any FolderReader, _ reference: FolderReference
  ) -> Folder? {
    let start = ThisProcess.nanoseconds
    var listing = FolderListing()
    reader.list(reference, into: &listing)
    guard listing.outcome == .listed, listing.failure == nil,
      listing.folders.isSame(as: known.folders(in: number).names),
      let identity = Self.identity(of: reader)
    else { return nil }
    var folder = Folder(identity: identity, read: start)
    folder.files = listing.files
    (folder.facts, folder.storage) = facts(of: listing.files, reader)
    return folder
  }

  private static func identity(of reader: any FolderReader) -> FileSystem.Identity? {
    reader.openFolder.flatMap { try? FileSystem.facts(of: $0).identity }
  }

  /// Reads the changed files of a cached folder; nil if a name is that of a sub-folder, or the
  /// folder was replaced by another one.
  private mutating func update(
    _ old: Folder, _ names: Set<[UInt8]>, _ known: TreeTotals, _ number: Int,
    _ reader: any FolderReader, _ reference: FolderReference
  ) -> Folder? {
    var changed = NameTable(names, kind: .unknown)
    changed.sort()
    guard known.numbers(of: changed, in: number).allSatisfy({ $0 == TreeTotals.missing }),
      (try? reader.enter(reference)) != nil, Self.identity(of: reader) == old.identity
    else { return nil }
    var folder = Folder(identity: old.identity, read: old.read)
    let bytes = old.files.bytes.span
    for (index, record) in old.files.records.enumerated() {
      let name = bytes.extracting(record.range)
      if changed.index(of: name) != nil { continue }
      folder.append(name, old.facts[index], old.storage[index])
    }
    let (facts, storage) = facts(of: changed, reader)
    for (index, facts) in facts.enumerated() where facts.status != .vanished {
      folder.append(
        changed.bytes.span.extracting(changed.records[index].range), facts, storage[index])
    }
    return folder
  }

  private mutating func facts(
    of names: NameTable, _ reader: any FolderReader
  ) -> ([EntryFacts], [FileStorage]) {
    var facts = names.records.map { EntryFacts(kind: $0.kind) }
    var storage: [FileStorage] = []
    if !facts.isEmpty {
      reader.readFacts(
        of: names, 0..<names.count, into: &facts, storage: &storage, failures: &failures)
      failures.removeAll()
    }
    return (facts, storage)
  }
}
