import GeoCore
import GeoSystem
import GeoTree

/// The snapshots of all parts of a tree as one source.
///
/// Each folder is read from the part that has it: the lists in the headers say which.
package final class JoinedSource: TreeSource {
  fileprivate let parts: [Snapshot]
  fileprivate let folders: ListedFolders

  fileprivate static let missing = "no part has it"

  /// Folders of missing parts are shown as unreadable if gaps are allowed. Throws if a part is
  /// missing, doubled, or of another tree.
  package init(_ parts: [Snapshot], allowsGaps: Bool) throws(Failure) {
    var lists: [FolderList] = []
    for part in parts {
      if let reason = parts[0].header.difference(from: part.header) {
        throw .usage(
          "'\(TerminalText.escaped(parts[0].path))' and '\(TerminalText.escaped(part.path))' are "
            + "parts of different trees: they have other \(reason)")
      }
      lists.append(try Self.list(of: part))
    }
    self.parts = parts
    folders = ListedFolders(lists)
    let labels = Set(parts.first?.header.roots.map(\.label) ?? [])
    if let foreign = folders.folders.keys.first(where: { !labels.contains($0) }) {
      throw .usage("a part is of '\(TerminalText.escaped(foreign))', which no part has")
    }
    for label in labels.sorted(by: MapOrder.precedes) where folders.folders[label] == nil {
      if !allowsGaps { throw Self.refusal(ofMissing: label) }
    }
    try check(allowsGaps: allowsGaps)
  }

  private static func list(of part: Snapshot) throws(Failure) -> FolderList {
    let name = TerminalText.escaped(part.path)
    let paths = part.header.options.compactMap { KeptCondition(parsing: $0) }
      .filter { $0.name == .only }.map { $0.value ?? [] }
    if paths.isEmpty {
      throw .usage("'\(name)' is not a part; 'geomapper snapshot --only' writes parts")
    }
    return try FolderList(paths, called: "the list in '\(name)'")
  }

  /// Throws unless exactly one part has each listed folder.
  private func check(allowsGaps: Bool) throws(Failure) {
    var open = folders.folders.map { (path: $0.key, folder: $0.value) }
    while let (path, folder) = open.popLast() {
      if folder.owners.count > 1 {
        let names = folder.owners.prefix(2).map { "'\(TerminalText.escaped(parts[$0].path))'" }
        throw .usage(
          "\(names.joined(separator: " and ")) both have '\(TerminalText.escaped(path))'")
      }
      if folder.owners.isEmpty, !allowsGaps { throw Self.refusal(ofMissing: path) }
      open += folder.folders.map { (path.appending(component: $0.key), $0.value) }
    }
  }

  private static func refusal(ofMissing path: [UInt8]) -> Failure {
    .usage(
      "no part has '\(TerminalText.escaped(path))'; give all parts, or --incomplete to go without")
  }

  package var roots: [ScanRoot] {
    guard let header = parts.first?.header else { return [] }
    return header.roots.indices.map { index in
      let label = header.roots[index].label
      // The machine that read the root's own files knows where it is.
      let owner = folders.folders[label]?.owners.first ?? 0
      return ScanRoot(
        label: label, directory: parts[owner].header.roots[index].directory, source: self)
    }
  }

  package var header: SnapshotHeader {
    var header = SnapshotHeader(
      roots: roots.map { SnapshotHeader.Root(label: $0.label, directory: $0.directory) })
    guard let first = parts.map(\.header).min(by: { $0.time < $1.time }) else { return header }
    (header.seconds, header.nanoseconds) = first.time
    (header.origin, header.knowledge) = (first.origin, first.knowledge)
    header.options = first.optionsOfWhole
    return header
  }

  package var partCount: Int { parts.count }

  package var failure: (path: [UInt8], reason: Errno)? {
    for part in parts { if let reason = part.failure { return (part.path, reason) } }
    return nil
  }

  package func check(_ root: ScanRoot) throws(Errno) {}

  package func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    JoinedSession(self, options)
  }

  package var isDecided: Bool { true }
}

extension SnapshotHeader {
  fileprivate var time: (seconds: Int64, nanoseconds: UInt32) { (seconds, nanoseconds) }

  fileprivate var optionsOfWhole: [[UInt8]] {
    options.filter { KeptCondition(parsing: $0)?.name != .only }
  }

  /// In words; nil if both can be parts of one tree.
  fileprivate func difference(from other: SnapshotHeader) -> String? {
    if roots.map(\.label) != other.roots.map(\.label) { return "roots" }
    if optionsOfWhole != other.optionsOfWhole { return "options" }
    if origin != other.origin || knowledge != other.knowledge { return "facts of files" }
    return nil
  }
}

private final class JoinedSession: TreeSession {
  let source: JoinedSource
  private let roots: [[PartOfRoot]]

  init(_ source: JoinedSource, _ options: FileSystemScanner.Options) {
    self.source = source
    roots = source.parts.enumerated().map { (part, snapshot) in
      snapshot.scanRoots().enumerated().map { (number, root) in
        let source = SnapshotSource(snapshot, root: number)
        return PartOfRoot(part: part, root: root, session: SnapshotSession(source, options))
      }
    }
  }

  func makeReader() -> any FolderReader { JoinedReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? { nil }

  func root(of path: [UInt8]) -> Int? {
    let label = path.firstComponent
    return source.parts[0].header.roots.firstIndex { $0.label.elementsEqual(label) }
  }

  /// The part that has a folder, or one that has something in it.
  func part(of place: JoinedPlace) -> PartOfRoot? {
    var found = place.owner
    var open = found == nil ? place.listed.map { [$0] } ?? [] : []
    while let folder = open.popLast() {
      if let owner = folder.owners.first { found = min(owner, found ?? owner) }
      open += folder.folders.values
    }
    return found.map { roots[$0][place.root] }
  }
}

private struct PartOfRoot {
  let part: Int
  let root: ScanRoot
  let session: SnapshotSession

  func reference(to path: [UInt8]) -> FolderReference {
    .path(root: root, path: path, handle: nil)
  }
}

private struct JoinedPlace {
  let path: [UInt8]
  let root: Int
  var listed: ListedFolders?
  var owner: Int?

  func folder(_ name: [UInt8]) -> JoinedPlace {
    let next = listed?.folders[name]
    return JoinedPlace(
      path: path.appending(component: name), root: root, listed: next,
      owner: next == nil ? owner : next?.owners.first)
  }
}

private final class JoinedFolder: KeptFolder {
  let place: JoinedPlace
  let part: PartOfRoot
  let kept: any KeptFolder

  init(_ place: JoinedPlace, _ part: PartOfRoot, _ kept: any KeptFolder) {
    self.place = place
    self.part = part
    self.kept = kept
  }
}

private final class JoinedReader: FolderReader {
  /// How many readers of parts it keeps, each with a block. Neighbours may be in any part.
  private static let readerLimit = 24

  private let session: JoinedSession
  /// Those used last come last.
  private var readers: [(session: SnapshotSession, reader: any FolderReader)] = []
  private var current: (place: JoinedPlace, part: PartOfRoot, reader: any FolderReader)?

  init(_ session: JoinedSession) { self.session = session }

  private func reader(of session: SnapshotSession) -> any FolderReader {
    if let index = readers.firstIndex(where: { $0.session === session }) {
      readers.append(readers.remove(at: index))
    } else {
      if readers.count >= Self.readerLimit { readers.removeFirst() }
      readers.append((session, session.makeReader()))
    }
    return readers[readers.count - 1].reader
  }

  private func find(
    _ folder: FolderReference
  ) -> (place: JoinedPlace, part: PartOfRoot, reference: FolderReference)? {
    switch folder {
    case .path(_, let path, _):
      guard let root = session.root(of: path) else { return nil }
      var names = path.components[...]
      let label = Array(names.removeFirst())
      let first = session.source.folders.folders[label]
      let top = JoinedPlace(path: label, root: root, listed: first, owner: first?.owners.first)
      let place = names.reduce(top) { $0.folder(Array($1)) }
      return session.part(of: place).map { (place, $0, $0.reference(to: path)) }
    case .child(let parent, let path, let name, let isLink, let handle):
      guard let parent = parent as? JoinedFolder else { return nil }
      let place = parent.place.folder(name)
      guard let part = session.part(of: place) else { return nil }
      let reference =
        part.session === parent.part.session
        ? .child(of: parent.kept, path: path, name: name, isLink: isLink, handle: handle)
        : part.reference(to: path)
      return (place, part, reference)
    case .kept(let kept):
      guard let kept = kept as? JoinedFolder else { return nil }
      return (kept.place, kept.part, .kept(kept.kept))
    }
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    guard let found = arrive(at: folder, &listing) else { return }
    found.reader.list(found.reference, into: &listing)
    if found.place.owner == nil {
      listing.failure = .listed(JoinedSource.missing)
      listing.leavesOutFiles = .none
    }
    if found.place.listed != nil, listing.outcome == .listed {
      joinFolders(of: found.place, &listing)
    }
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    guard let found = arrive(at: folder, &listing) else { return }
    found.reader.inspect(found.reference, into: &listing)
    if found.place.owner == nil { listing.failure = .listed(JoinedSource.missing) }
  }

  /// The listing gets the reason if no part has the folder.
  private func arrive(
    at folder: FolderReference, _ listing: inout FolderListing
  ) -> (place: JoinedPlace, reader: any FolderReader, reference: FolderReference)? {
    current = nil
    guard let (place, part, reference) = find(folder) else {
      listing.removeAll()
      listing.failure = .listed(JoinedSource.missing)
      return nil
    }
    let reader = reader(of: part.session)
    current = (place, part, reader)
    return (place, reader, reference)
  }

  /// Replaces what a folder's part says of sub-folders that other parts have.
  private func joinFolders(of place: JoinedPlace, _ listing: inout FolderListing) {
    let listed = place.listed?.folders ?? [:]
    listing.leaveOut { name, known in
      var reason = place.owner == nil ? nil : known
      if listed[name] != nil, let other = session.part(of: place.folder(name)),
        other.part != place.owner
      {
        let path = place.path.appending(component: name)
        reason = other.session.reason(ofLeftOut: other.root.names(to: path))
      }
      // A list of a missing part, or of one that names nothing here.
      return reason == .part && place.folder(name).owner == nil ? nil : reason
    }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    current = nil
    guard let (place, part, reference) = find(folder) else { throw .noEntry }
    let reader = reader(of: part.session)
    try reader.enter(reference)
    current = (place, part, reader)
  }

  func keep() -> any KeptFolder {
    guard let current else { preconditionFailure("a reader keeps the folder that it is in") }
    self.current = nil
    return JoinedFolder(current.place, current.part, current.reader.keep())
  }

  func leave() {
    current?.reader.leave()
    current = nil
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure]
  ) {
    storage.removeAll(keepingCapacity: true)
    guard let current else { return }
    if current.place.owner != nil {
      return current.reader.readFacts(
        of: names, range, into: &facts, storage: &storage, failures: &failures)
    }
    for (position, index) in range.enumerated() where facts[position].status != .hidden {
      facts[position].status = .unreadable
      failures.append(
        FactFailure(index: index, reason: .inputOutput, words: JoinedSource.missing))
    }
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
}
