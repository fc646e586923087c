import GeoCore
import GeoSystem
import GeoTree

extension LiveTree {
  /// What has changed in a folder, as far as that is known.
  package struct FolderChange: Sendable {
    package var path: [UInt8]
    /// The names of files that have come, gone or changed; nil if any may have.
    package var names: Set<[UInt8]>? = []
    /// No change since then is missing: the folder was watched. On the clock of ``ThisProcess/nanoseconds``.
    package var since = Int64.max
    /// The names of sub-folders that have come, maybe in the place of others.
    package var others: Set<[UInt8]> = []
    /// Whether anything below the folder may have changed.
    package var isDeep = false

    package init(
      path: [UInt8], names: Set<[UInt8]>? = [], others: Set<[UInt8]> = [], isDeep: Bool = false
    ) {
      (self.path, self.names, self.others, self.isDeep) = (path, names, others, isDeep)
    }

    /// Adds what has changed in the same folder besides.
    mutating func formUnion(_ other: FolderChange) {
      names = other.names.flatMap { names?.union($0) }
      since = max(since, other.since)
      others.formUnion(other.others)
      isDeep = isDeep || other.isDeep
    }
  }
}

/// The folders in which files have changed lately, with the facts of all their files: so the next change reads
/// only the files that it is about.
///
/// It is for one thread. A file takes about 100 bytes and its name.
struct RecentFolders {
  private struct Folder {
    var files = NameTable()
    var facts: [EntryFacts] = []
    var storage: [FileStorage] = []
    /// Which folder it is.
    let identity: FileSystem.Identity
    /// When its files were read: not before that, on the clock of ``ThisProcess/nanoseconds``.
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

  /// How many files are kept in all folders together.
  private static let mostFiles = 1 << 15

  mutating func removeAll() { (folders, fileCount) = ([:], 0) }

  /// What the own files of a folder come to now; nil if more than its files may have changed, or they can't be read.
  ///
  /// - Parameters:
  ///   - change: What has changed in the folder.
  ///   - root: The root that the folder is in, or is.
  ///   - known: What is known so far.
  ///   - number: The folder's number in it.
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

  /// Reads all files of a folder; nil if its sub-folders aren't those that are known.
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

  /// Reads some files of a folder again; nil if there is a sub-folder among the names, or another folder has
  /// taken its place.
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
