import GeoCore
import GeoSystem
import GeoTree

/// Caches the files of recently changed folders, so that the next change reads only the affected
/// files.
///
/// Used by one thread. A file takes about 100 bytes and its name.
struct RecentFolders {
  private struct Folder {
    var files = NameTable()
    var facts: [EntryFacts] = []
    var storage: [FileStorage] = []
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

  private static let maximumFiles = 1 << 15

  mutating func removeAll() { (folders, fileCount) = ([:], 0) }

  /// The current totals of a folder's own files; nil if sub-folders may have changed, too, or the
  /// files can't be read. `number` is that in `known`.
  mutating func files(
    after change: LiveTree.FolderChange, below root: ScanRoot, _ known: TreeTotals, _ number: Int
  ) -> TreeTotals? {
    var options = FileSystemScanner.Options()
    options.readsMetadata = true
    options.asksForStorage = true
    if change.isDeep || !change.others.isEmpty || options.followsLinks(in: [root]) { return nil }
    let reader = root.source.session(options, readers: 1).makeReader()
    let reference = FolderReference.path(root: root, path: change.path, handle: nil)
    let old = folders.removeValue(forKey: change.path)
    fileCount -= old?.facts.count ?? 0
    var folder: Folder?
    if let old, let names = change.names, old.read >= change.since {
      folder = update(old, names, known, number, reader, reference)
    } else {
      folder = read(known, number, reader, reference)
    }
    guard let folder else { return nil }
    if folder.facts.count <= Self.maximumFiles {
      if fileCount + folder.facts.count > Self.maximumFiles { removeAll() }
      folders[change.path] = folder
      fileCount += folder.facts.count
    }
    return TreeTotals(
      files: folder.files, folder.facts, folder.storage, classes: FileType.classes)
  }

  /// Nil if its sub-folders differ from the known ones.
  private mutating func read(
    _ known: TreeTotals, _ number: Int, _ reader: any FolderReader, _ reference: FolderReference
  ) -> Folder? {
    let start = ThisProcess.nanoseconds
    var listing = FolderListing()
    reader.list(reference, into: &listing)
    listing.dropInvalid()
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

  /// Nil if a changed name is that of a sub-folder, or the folder was replaced by another one.
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
      reader.readValidFacts(
        of: names, 0..<names.count, into: &facts, storage: &storage, failures: &failures,
        asksForStorage: true)
      failures.removeAll()
    }
    return (facts, storage)
  }
}
