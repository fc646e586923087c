import GeoCore
import GeoSystem
import GeoTree

private final class SnapshotFolder: KeptFolder {
  let reference: SnapshotReference
  let children: [SnapshotChild]

  init(_ reference: SnapshotReference, _ children: [SnapshotChild]) {
    self.reference = reference
    self.children = children
  }

  func child(handle: UInt64) -> SnapshotChild {
    if let failure = SnapshotFolderFailure(handle: handle) { return .failure(failure) }
    let first = Int(reference.below.upperBound) - children.count
    let index = Int(UInt32(truncatingIfNeeded: handle)) - first
    return children.indices.contains(index) ? children[index] : .failure(.missing)
  }
}

final class SnapshotFolderReader: FolderReader {
  private let session: SnapshotSession
  private var reader: SnapshotRecordReader
  /// Its names may have been moved into a listing.
  private var current: SnapshotReference?
  private var children: [SnapshotChild] = []
  private var listing = SnapshotListing()
  private var hasNames = false

  private var options: FileSystemScanner.Options { session.options }

  init(_ session: SnapshotSession) {
    self.session = session
    reader = SnapshotRecordReader(
      session.snapshot, asksForStorage: session.options.asksForStorage,
      nanosecondsAlone: session.options.asksForNanosecondsAlone)
  }

  // MARK: Reading a folder's record

  private func go(to folder: FolderReference) throws(SnapshotFolderFailure) {
    current = nil
    let reference = try self.reference(folder)
    do throws(ByteDamage) {
      children = try reader.read(reference, into: &listing)
    } catch {
      throw .lost
    }
    current = reference
    hasNames = true
  }

  private func reference(
    _ folder: FolderReference
  ) throws(SnapshotFolderFailure) -> SnapshotReference {
    switch folder {
    case .kept(let folder): return unsafe unsafeDowncast(folder, to: SnapshotFolder.self).reference
    case .child(let parent, _, _, _, let handle):
      let parent = unsafe unsafeDowncast(parent, to: SnapshotFolder.self)
      return try parent.child(handle: handle ?? SnapshotFolderFailure.missing.handle).get()
    case .path(_, _, let handle?):
      if let failure = SnapshotFolderFailure(handle: handle) { throw failure }
      guard let reference = session.snapshot.reference(handle: handle) else { throw .lost }
      return reference
    case .path(let root, let path, nil): return try session.reference(to: root.names(to: path))
    }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    // The names may have been moved out; they are read again if needed.
    if case .kept(let kept) = folder,
      unsafe unsafeDowncast(kept, to: SnapshotFolder.self).reference == current
    {
      return
    }
    do throws(SnapshotFolderFailure) {
      try go(to: folder)
    } catch {
      throw error == .missing ? .noEntry : .inputOutput
    }
  }

  func keep() -> any KeptFolder {
    guard let current else { preconditionFailure("a reader keeps the folder that it is in") }
    return SnapshotFolder(current, children)
  }

  // Nothing to do: the decoded record is useful if the reader returns to the folder.
  func leave() {}

  // MARK: Folders

  func list(_ folder: FolderReference, into list: inout FolderListing) {
    guard arrive(at: folder, &list), listing.isListed else { return }
    list.outcome = .listed
    if options.hasStamp { list.stamp = session.stamp }
    list.handles.reserveCapacity(children.count)
    for child in children { list.handles.append(child.handle) }
    if let common = session.common {
      for (index, child) in children.enumerated() {
        guard case .success(let folder) = child,
          let content = common.content(of: folder, in: session.snapshot, by: &reader.pages)
        else { continue }
        if list.contents.isEmpty {
          list.contents.append(contentsOf: repeatElement(nil, count: children.count))
        }
        list.contents[index] = content
      }
    }
    if !listing.foldersLeftOut.isEmpty { list.leftOut = listing.foldersLeftOut }
    if listing.leavesOutFiles { list.leavesOutFiles = .byFacts }
    swap(&list.files, &listing.files)
    swap(&list.folders, &listing.folders)
    hasNames = false
  }

  func inspect(_ folder: FolderReference, into list: inout FolderListing) {
    // A failed listing doesn't matter here if the folder was listed at least in part.
    if arrive(at: folder, &list), listing.isListed { list.failure = nil }
  }

  private func arrive(at folder: FolderReference, _ list: inout FolderListing) -> Bool {
    list.removeAll()
    do throws(SnapshotFolderFailure) {
      try go(to: folder)
    } catch {
      list.failure = error.reason
      return false
    }
    if listing.isLoop { list.outcome = .loop }
    list.failure = listing.failure
    if options.readsMetadata, let modified = listing.modified {
      list.facts = FolderFacts(modified: modified, storage: listing.storage)
    }
    return true
  }

  // MARK: Files

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    storage.removeAll(keepingCapacity: true)
    // If the count equals the folder's, all its names are meant, so indices are the same.
    let isWhole = names.count == listing.facts.count
    if options.asksForStorage, isWhole, listing.fileStorage.count == names.count {
      storage.append(contentsOf: listing.fileStorage[range])
    }
    let hasStorage = !storage.isEmpty
    for (position, index) in range.enumerated() {
      let number = isWhole ? index : self.number(of: names, index)
      if options.asksForStorage, !hasStorage { storage.append(self.storage(number)) }
      if facts[position].status == .hidden { continue }
      if isWhole, options.readsMetadata, listing.facts[index].status == .known {
        facts[position] = listing.facts[index]
        if !needsLinks { facts[position].links = 0 }
      } else {
        fill(&facts[position], number, index, &failures)
      }
    }
  }

  private var needsLinks: Bool { options.countsLinks || options.asksForStorage }

  private func storage(_ number: Int?) -> FileStorage {
    guard let number, number < listing.fileStorage.count else { return .unknown }
    return listing.fileStorage[number]
  }

  private func number(of names: NameTable, _ index: Int) -> Int? {
    if !hasNames, let current {
      children = (try? reader.read(current, into: &listing)) ?? children
      hasNames = true
    }
    return listing.files.index(of: names.bytes.span.extracting(names.records[index].range))
  }

  private func fill(
    _ facts: inout EntryFacts, _ number: Int?, _ index: Int, _ failures: inout [FileSystem.Failure]
  ) {
    guard let number else {
      facts.status = .vanished
      failures.append(FileSystem.Failure(index: index, reason: .noEntry))
      return
    }
    let known = listing.facts[number]
    facts.kind = known.kind
    let isAsked = options.readsMetadata || known.kind == .unknown
    switch known.status {
    case .hidden: facts.leaveOut(for: known.leftOut)
    case _ where !isAsked: facts.status = .unasked
    case .known, .sized, .unasked:
      facts.size = known.size
      facts.modified = known.modified
      facts.status = options.readsMetadata ? known.status : .unasked
      if needsLinks { facts.links = known.links }
    case .vanished:
      facts.status = .vanished
      failures.append(FileSystem.Failure(index: index, reason: .noEntry))
    case .unreadable:
      facts.status = .unreadable
      failures.append(failure(of: number, index))
    }
  }

  private func failure(of number: Int, _ index: Int) -> FileSystem.Failure {
    switch listing.failures.first(where: { $0.index == number })?.reason {
    case .unreadable(let error)?: FileSystem.Failure(index: index, reason: error)
    case .listed(let words)?: FileSystem.Failure(index: index, reason: .inputOutput, words: words)
    case .vanished?, nil: FileSystem.Failure(index: index, reason: .inputOutput)
    }
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
}

/// A folder's record in a snapshot: its state, its listing, and the facts of its files.
package struct SnapshotListing: Sendable {
  package struct Failure: Sendable {
    package let index: Int
    package let reason: ScanFault.Reason
  }

  package var isListed = false
  /// It is one of its own ancestors, reached by a link.
  package var isLoop = false
  /// Why the listing or the metadata was unreadable.
  package var failure: ScanFault.Reason?
  package var modified: Int64?
  package var storage: FileStorage?

  package var files = NameTable()
  /// Of each file; `hidden` if the selection left it out.
  package var facts: [EntryFacts] = []
  /// Of each file; empty if not requested.
  package var fileStorage: [FileStorage] = []
  package var failures: [Failure] = []
  package var leavesOutFiles = false

  package var folders = NameTable()
  package var foldersLeftOut: [LeftOutEntry] = []

  package init() {}

  /// Without facts of their own.
  mutating func add(_ count: Int, _ state: EntryState, storage hasStorage: Bool) {
    facts.append(
      contentsOf: repeatElement(
        state.facts, count: count))
    if !hasStorage { return }
    let storage: FileStorage = state.status == .elsewhere ? .elsewhere : .unknown
    fileStorage.append(contentsOf: repeatElement(storage, count: count))
  }

  mutating func removeAll() {
    (isListed, isLoop, failure, modified, storage) = (false, false, nil, nil, nil)
    files.removeAll()
    facts.removeAll(keepingCapacity: true)
    fileStorage.removeAll(keepingCapacity: true)
    failures.removeAll()
    leavesOutFiles = false
    folders.removeAll()
    foldersLeftOut.removeAll()
  }
}
