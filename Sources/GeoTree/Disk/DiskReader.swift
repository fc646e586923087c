import GeoCore
import GeoSystem

/// Reads folders on disk, each relative to its open parent.
final class DiskReader: FolderReader {
  private let session: DiskSession
  private var names: DirectoryReader
  private let way: FolderPathWalker

  /// The descriptor of the open folder; nil if the folder is kept, or belongs to the path walker.
  private var own: Descriptor?
  private var kept: DiskFolder?
  /// The descriptor number of the open folder; −1 if none is open.
  private var number: Int32 = -1
  /// The kept parent of the open folder, or its root if it was opened by path.
  private var parent: DiskFolder?
  private var root: ScanRoot?
  private var path: [UInt8] = []
  private var ancestors: AncestorChain?

  private var options: FileSystemScanner.Options { session.options }

  var answered: (() -> Void)? {
    get { names.answered }
    set { names.answered = newValue }
  }

  init(_ session: DiskSession) {
    self.session = session
    way = FolderPathWalker(budget: session.budget)
    names = DirectoryReader(
      method: session.options.method, ignoring: session.options.temporary?.name ?? [],
      followsLinks: session.options.followsLinks)
  }

  deinit { leave() }

  var openFolder: Int32? { number < 0 ? nil : number }

  // MARK: Opening folders

  func enter(_ folder: FolderReference) throws(Errno) { try enter(folder, toList: false) }

  private func enter(_ folder: FolderReference, toList: Bool) throws(Errno) {
    leave()
    switch folder {
    case .kept(let folder):
      let folder = unsafeDowncast(folder, to: DiskFolder.self)
      number = try folder.borrow()
      kept = folder
    case .child(let parent, let path, let name, let isLink, _):
      let parent = unsafeDowncast(parent, to: DiskFolder.self)
      // Borrowing the parent keeps the budget from closing it.
      let directory = try parent.borrow()
      defer { parent.giveBack() }
      let opened = try session.budget.opening { () throws(Errno) in
        try FileSystem.openFolder(name, in: directory, following: isLink)
      }
      number = opened.rawValue
      own = consume opened
      self.parent = parent
      self.path = path
    case .path(let root, let path, _):
      number = try way.open(root.directory, root.names(to: path), anew: toList)
      self.root = root
      self.path = path
    }
  }

  func leave() {
    if number < 0 { return }
    if let kept {
      kept.giveBack()
      self.kept = nil
    }
    own = nil
    number = -1
    parent = nil
    if root != nil { root = nil }
    if ancestors != nil { ancestors = nil }
  }

  func keep() -> any KeptFolder {
    defer { leave() }
    if let kept { return kept }
    guard let root = parent?.root ?? root else {
      preconditionFailure("a reader keeps the folder that it is in")
    }
    return DiskFolder(
      parent == nil ? way.take() : own.take(), root: root, path: path, budget: session.budget,
      ancestors: ancestors)
  }

  // MARK: Folders

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    do throws(Errno) {
      try enter(folder, toList: true)
      if session.keepsAncestors || options.hasStamp {
        let facts = try factsOfOpenFolder()
        if options.hasStamp {
          listing.setStamp(facts)
          if options.readsMetadata { listing.facts = known(facts) }
        }
        if session.keepsAncestors, staysOutside(facts, folder, &listing) { return leave() }
      }
    } catch {
      leave()
      listing.stamp = nil
      listing.failure = .unreadable(error)
      return
    }
    var failure = names.read(number, files: &listing.files, folders: &listing.folders)
    if let failure, listing.files.isEmpty, listing.folders.isEmpty {
      leave()
      listing.stamp = nil
      listing.failure = .unreadable(failure)
      return
    }
    listing.outcome = .listed
    do throws(Errno) {
      if options.readsMetadata, options.asksForFolders, listing.facts == nil {
        listing.facts = known(try factsOfOpenFolder())
      }
      if let own = options.ownFolder { try leaveOut(own, of: &listing.folders) }
    } catch {
      failure = failure ?? error
    }
    if let failure {
      listing.failure = .unreadable(failure)
      listing.stamp = nil
    }
    listing.files.sort()
    listing.folders.sort()
  }

  /// Removes the folder that the program itself writes, if it is in this listing.
  private func leaveOut(_ own: OwnFolder, of folders: inout NameTable) throws(Errno) {
    let found = folders.records.indices.first { index in
      folders.bytes.span.extracting(folders.records[index].range).equals(own.name.span)
    }
    guard let found, try factsOfOpenFolder().identity == own.parent else { return }
    var rest = NameTable()
    for index in folders.records.indices where index != found {
      rest.append(from: folders, at: index)
    }
    folders = rest
  }

  /// Whether to skip an open folder because it is a loop or on another file system.
  private func staysOutside(
    _ facts: FileSystem.Facts, _ folder: FolderReference, _ listing: inout FolderListing
  ) -> Bool {
    let ancestors = self.ancestors(facts.identity, of: folder)
    self.ancestors = ancestors
    if ancestors.isLoop {
      listing.outcome = .loop
    } else if !options.staysOnFileSystem || !ancestors.isBeyondBorder {
      return false
    }
    listing.stamp = nil
    if options.readsMetadata { listing.facts = known(facts) }
    return true
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    leave()
    listing.removeAll()
    let mayLoop = mayLoop(folder)
    if !options.readsMetadata && !mayLoop { return }
    do throws(Errno) {
      let facts = try facts(of: folder)
      if facts.kind != .directory { throw .notDirectory }
      if options.readsMetadata { listing.facts = known(facts) }
      if mayLoop, ancestors(facts.identity, of: folder).isLoop { listing.outcome = .loop }
    } catch {
      listing.failure = .unreadable(error)
    }
  }

  private func facts(of folder: FolderReference) throws(Errno) -> FileSystem.Facts {
    switch folder {
    case .kept(let folder):
      let folder = unsafeDowncast(folder, to: DiskFolder.self)
      let directory = try folder.borrow()
      defer { folder.giveBack() }
      return try FileSystem.facts(
        of: directory, storage: options.asksForStorage, method: options.method)
    case .child(let parent, _, let name, let isLink, _):
      let parent = unsafeDowncast(parent, to: DiskFolder.self)
      let directory = try parent.borrow()
      defer { parent.giveBack() }
      return try FileSystem.facts(
        of: name, in: directory, following: isLink, storage: options.asksForStorage,
        method: options.method)
    case .path(let root, let path, _):
      return try way.facts(
        root.directory, root.names(to: path), storage: options.asksForStorage,
        method: options.method)
    }
  }

  private func factsOfOpenFolder() throws(Errno) -> FileSystem.Facts {
    try FileSystem.facts(of: number, storage: options.asksForStorage, method: options.method)
  }

  /// A folder's facts with the times before this program wrote its temporary file there.
  private func known(_ facts: FileSystem.Facts) -> FolderFacts {
    var known = FolderFacts(
      modified: facts.modified, storage: options.asksForStorage ? facts.storage : nil)
    if let temporary = options.temporary, temporary.folder == facts.identity {
      known.modified = temporary.folderModified
      known.storage?.nanoseconds = temporary.folderNanoseconds
    }
    return known
  }

  // MARK: Links and borders

  private func ancestors(_ identity: FileSystem.Identity, of folder: FolderReference)
    -> AncestorChain
  {
    guard case .child(let parent, _, _, let isLink, _) = folder else {
      return AncestorChain(identity, isLink: false, parent: top(above: folder))
    }
    return AncestorChain(
      identity, isLink: isLink,
      parent: unsafeDowncast(parent, to: DiskFolder.self).ancestors)
  }

  /// The root of a folder opened by path, as its only ancestor; nil for the root itself, or if
  /// borders don't matter.
  private func top(above folder: FolderReference) -> AncestorChain? {
    guard options.staysOnFileSystem, case .path(let root, let path, _) = folder,
      path.count > root.label.count,
      let facts = try? FolderPathWalker().facts(root.directory, root.names, method: options.method)
    else { return nil }
    return AncestorChain(facts.identity, isLink: false, parent: nil)
  }

  private func mayLoop(_ folder: FolderReference) -> Bool {
    guard case .child(let parent, _, _, let isLink, _) = folder else { return false }
    return isLink || unsafeDowncast(parent, to: DiskFolder.self).ancestors?.isBelowLink ?? false
  }

  // MARK: Files

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    FileSystem.readFacts(
      of: names, range, in: number, session.questions, into: &facts, storage: &storage,
      failures: &failures)
  }

  func readFile(
    _ path: [UInt8], following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    do throws(Errno) {
      return try FileSystem.readFile(path, in: number, following: following, limit: limit)
    } catch {
      if error == .noEntry || error == .notDirectory || error == .linkLoop { return nil }
      throw error
    }
  }
}

extension FolderListing {
  /// Listings read within this time after the last change are not cached: a following change may
  /// leave the same time, because file systems count in steps of some milliseconds.
  private static let racyNanoseconds: Int64 = 50_000_000

  /// Sets the stamp from facts that were read before the listing, if the last change is old enough.
  fileprivate mutating func setStamp(_ facts: FileSystem.Facts) {
    // In nanoseconds, the times of some file systems exceed 64 bits.
    let changed = Int128(facts.modified) * 1_000_000_000 + Int128(facts.modifiedNanoseconds)
    let age = Int128(ThisProcess.unixNanoseconds) - changed
    if age > Int128(Self.racyNanoseconds) { stamp = ListingStamp(facts) }
  }
}
