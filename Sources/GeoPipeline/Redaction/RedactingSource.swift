import GeoCore
import GeoSources
import GeoTree
import GeoSystem

/// A root with some names replaced.
///
/// It wraps another source, so that later stages, and above all the places on the map, depend on
/// the new names only.
final class RedactingSource: TreeSource {
  let root: ScanRoot
  fileprivate let redaction: Redaction
  fileprivate let keepsObjects: Bool
  fileprivate let keepsIdentity: Bool

  /// - Parameter keepsIdentity: Whether a renamed entry keeps what identifies it on its disk.
  init(_ root: ScanRoot, _ redaction: Redaction, keepsObjects: Bool, keepsIdentity: Bool) {
    self.root = root
    self.redaction = redaction
    self.keepsObjects = keepsObjects
    self.keepsIdentity = keepsIdentity
  }

  func check(_ root: ScanRoot) throws(Errno) { try self.root.check() }

  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    RedactingSession(self, root.source.session(options, readers: readers))
  }

  var record: SourceRecord? {
    var record = root.source.record
    record?.isRedacted = true
    return record
  }

  var isSequential: Bool { root.source.isSequential }

  var isPartial: Bool { root.source.isPartial }

  var followsLinks: Bool { root.source.followsLinks }

  var exclusionReasons: [ExclusionReason] { root.source.exclusionReasons }

  // Object ids identify contents, so they are not passed on to what may be written.
  var knowledge: ContentKnowledge {
    root.source.knowledge == .objects && !keepsObjects ? .seconds : root.source.knowledge
  }

  func readFiles(in contents: [ObjectID], _ take: (FileVersion) -> Void) -> ScanFault.Reason? {
    keepsObjects ? root.source.readFiles(in: contents, take)?.withoutWords : nil
  }
}

private final class RedactingSession: TreeSession {
  private let source: RedactingSource
  private let inner: any TreeSession

  init(_ source: RedactingSource, _ inner: any TreeSession) {
    self.source = source
    self.inner = inner
  }

  func makeReader() -> any FolderReader { RedactingReader(source, inner.makeReader()) }

  // Reported paths are not the source's, so listings are always read again.
  func stamp(of folder: FolderReference) -> ListingStamp? { nil }
}

/// A folder with its original path and the names in it.
private final class RedactedFolder: KeptFolder {
  let folder: NameRedactor.Folder
  let files: RedactedNames
  let folders: RedactedNames
  /// The folder as the wrapped source keeps it; nil until it is kept.
  let kept: (any KeptFolder)?

  init(
    _ folder: NameRedactor.Folder, files: RedactedNames, folders: RedactedNames,
    kept: (any KeptFolder)? = nil
  ) {
    self.folder = folder
    self.files = files
    self.folders = folders
    self.kept = kept
  }
}

private final class RedactingReader: FolderReader {
  private typealias Place = (reference: FolderReference, folder: NameRedactor.Folder)

  private let source: RedactingSource
  private let inner: any FolderReader
  private let redactor: NameRedactor
  private var current: RedactedFolder?

  init(_ source: RedactingSource, _ inner: any FolderReader) {
    self.source = source
    self.inner = inner
    redactor = NameRedactor(source.redaction)
  }

  // MARK: Going to a folder

  /// The original of a folder; nil if the name is unknown.
  private func place(of folder: FolderReference) -> Place? {
    switch folder {
    case .kept(let folder):
      guard let folder = folder as? RedactedFolder, let kept = folder.kept else { return nil }
      return (.kept(kept), folder.folder)
    case .child(let parent, _, let name, let isLink, let handle):
      guard let parent = parent as? RedactedFolder, let kept = parent.kept,
        let own = parent.ownName(ofFolder: name)
      else { return nil }
      let folder = parent.folder.folder(own: own, shown: name)
      return (
        .child(of: kept, path: folder.path, name: own, isLink: isLink, handle: handle), folder
      )
    case .path(_, let shown, _): return place(at: shown)
    }
  }

  /// The original of the folder at a replaced path, found by the listings that lead to it.
  private func place(at shown: [UInt8]) -> Place? {
    let own = source.root
    var folder = NameRedactor.Folder(root: own.label, shown: Array(shown.firstComponent))
    for name in shown.components.dropFirst().map({ Array($0) }) {
      var listing = FolderListing()
      inner.list(.path(root: own, path: folder.path, handle: nil), into: &listing)
      inner.leave()
      let folders = redactor.redact(
        files: listing.files, folders: listing.folders, of: folder
      ).folders
      guard let index = folders.shown.index(of: name) else { return nil }
      folder = folder.folder(own: folders.own.name(at: folders.number(at: index)), shown: name)
    }
    return (.path(root: own, path: folder.path, handle: nil), folder)
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    current = nil
    guard let place = place(of: folder) else { return listing.vanish() }
    inner.list(place.reference, into: &listing)
    listing.dropInvalid()
    let (files, folders) = redactor.redact(
      files: listing.files, folders: listing.folders, of: place.folder)
    current = RedactedFolder(place.folder, files: files, folders: folders)
    listing.files = files.shown
    listing.folders = folders.shown
    listing.handles = folders.arranged(listing.handles)
    listing.contents = source.keepsObjects ? folders.arranged(listing.contents) : []
    listing.stamp = nil
    hide(&listing, place.folder)
    rearrange(&listing, folders)
  }

  /// Sorts entries that the source left out by their new names.
  private func rearrange(_ listing: inout FolderListing, _ folders: RedactedNames) {
    if listing.leftOut.isEmpty { return }
    let positions = folders.positions
    listing.leftOut = listing.leftOut.map {
      LeftOutEntry(index: positions[$0.index], reason: $0.reason)
    }.sorted { $0.index < $1.index }
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    current = nil
    guard let place = place(of: folder) else { return listing.vanish() }
    inner.inspect(place.reference, into: &listing)
    hide(&listing, place.folder)
  }

  /// Removes what identifies the folder itself; that of a root leads to its path.
  private func hide(_ listing: inout FolderListing, _ folder: NameRedactor.Folder) {
    listing.failure = listing.failure?.withoutWords
    if source.keepsIdentity || !folder.isHidden && folder.path.contains(.slash) { return }
    if let storage = listing.facts?.storage { listing.facts?.storage = storage.withoutIdentity }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    current = nil
    guard let place = place(of: folder) else { throw .noEntry }
    if case .kept(let kept) = folder {
      try inner.enter(place.reference)
      current = kept as? RedactedFolder
      return
    }
    var listing = FolderListing()
    list(folder, into: &listing)
    if listing.outcome != .listed { throw .noEntry }
  }

  func keep() -> any KeptFolder {
    guard let current else { preconditionFailure("a reader keeps the folder that it is in") }
    self.current = nil
    return RedactedFolder(
      current.folder, files: current.files, folders: current.folders, kept: inner.keep())
  }

  func leave() {
    current = nil
    inner.leave()
  }

  // MARK: Files

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    guard let files = current?.files else { return }
    let (own, order) = ownNames(names, range, of: files)
    var ownFacts = order.map { facts[$0] }
    var ownStorage: [FileStorage] = []
    var ownFailures: [FileSystem.Failure] = []
    inner.readValidFacts(
      of: own, 0..<own.count, into: &ownFacts, storage: &ownStorage, failures: &ownFailures,
      asksForStorage: false)
    for position in facts.indices { facts[position].status = .vanished }
    storage.removeAll(keepingCapacity: true)
    if !ownStorage.isEmpty {
      storage.append(contentsOf: repeatElement(.unknown, count: range.count))
    }
    for (number, position) in order.enumerated() {
      facts[position] = ownFacts[number]
      if !storage.isEmpty { storage[position] = ownStorage[number] }
      if source.keepsIdentity { continue }
      let name = names.bytes.span.extracting(names.records[range.lowerBound + position].range)
      if own.bytes.span.extracting(own.records[number].range).equals(name) { continue }
      facts[position].links = 0
      if !storage.isEmpty { storage[position] = storage[position].withoutIdentity }
    }
    let shown = ownFailures.map { failure in
      FileSystem.Failure(index: range.lowerBound + order[failure.index], reason: failure.reason)
    }
    failures += shown.sorted { $0.index < $1.index }
  }

  func readObjects(of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?]) {
    objects.removeAll(keepingCapacity: true)
    guard source.keepsObjects, let files = current?.files else { return }
    let (own, order) = ownNames(names, range, of: files)
    var ownObjects: [ObjectID?] = []
    inner.readObjects(of: own, 0..<own.count, into: &ownObjects)
    if ownObjects.isEmpty { return }
    objects.append(contentsOf: repeatElement(nil, count: range.count))
    for (number, position) in order.enumerated() { objects[position] = ownObjects[number] }
  }

  /// The source's names of some replaced ones, in the source's order, which differs, and the
  /// position of each in the range. Unknown ones are left out.
  private func ownNames(
    _ names: NameTable, _ range: Range<Int>, of files: RedactedNames
  ) -> (own: NameTable, order: [Int]) {
    let found = range.compactMap { index in
      files.shown.index(of: names.bytes.span.extracting(names.records[index].range)).map {
        (number: files.number(at: $0), position: index - range.lowerBound)
      }
    }.sorted { $0.number < $1.number }
    var own = NameTable()
    for file in found { own.append(from: files.own, at: file.number) }
    return (own, found.map(\.position))
  }

  // Contents are not passed on.
  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
}

extension RedactedFolder {
  fileprivate func ownName(ofFolder shown: [UInt8]) -> [UInt8]? {
    folders.shown.index(of: shown).map { folders.own.name(at: folders.number(at: $0)) }
  }
}

extension ScanFault.Reason {
  /// The reason without the source's own words, which may contain names.
  fileprivate var withoutWords: ScanFault.Reason {
    if case .listed = self { .unreadable(.inputOutput) } else { self }
  }
}

extension FileStorage {
  /// The storage without what identifies the entry on its disk, or its owner.
  fileprivate var withoutIdentity: FileStorage {
    if isElsewhere { return self }
    return FileStorage(
      identity: FileSystem.Identity(device: 0, inode: 0), allocated: allocated,
      nanoseconds: nanoseconds, owner: Self.unknownOwner, group: Self.unknownOwner)
  }
}

extension FolderListing {
  fileprivate mutating func vanish() {
    removeAll()
    failure = .vanished
  }
}
