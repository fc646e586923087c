import GeoPath
import GeoSystem

extension Worker {
  /// Visits one sub-folder: lists it, shows it to the visitor, and puts what is to be visited in it
  /// on the stack.
  func visitFolder(_ parent: ScannedFolder, _ index: Int) {
    let name = parent.folders.name(at: index)
    let isRoot = parent.handle == nil
    var path = parent.path
    if !isRoot { path.append(UInt8(ascii: "/")) }
    path += name
    place = path
    let root = isRoot ? index : parent.root

    switch parent.admissions[index] {
    case .entered: break
    case .hidden: return
    case .elsewhere:
      return visitor.pass(
        FolderVisit(
          path: path, parentPlan: plan(of: parent), index: index, modified: nil, isUnreadable: false
        ))
    case .shown: return pass(path, name, parent, index, root: root, because: nil)
    }
    do throws(Errno) {
      let folder = try open(name, in: parent, index, root: root)
      context.counters.openedFolders.add(1, ordering: .relaxed)
      enter(path, name, folder, parent, index, root: root)
    } catch {
      pass(path, name, parent, index, root: root, because: error)
    }
  }

  private func open(
    _ name: [UInt8], in parent: ScannedFolder, _ index: Int, root: Int
  ) throws(Errno) -> Descriptor {
    guard let handle = parent.handle else {
      return try context.budget.opening { () throws(Errno) in
        try context.opener.open(context.roots[root])
      }
    }
    // The parent is in use while descriptors are looked for, so it is never the one that is closed.
    let isLink = parent.isLink(index)
    return try handle.withDescriptor { (descriptor) throws(Errno) in
      try context.budget.opening { () throws(Errno) in
        try FileSystem.openFolder(name, in: descriptor, following: isLink)
      }
    }
  }

  private func enter(
    _ path: [UInt8], _ name: [UInt8], _ folder: consuming Descriptor,
    _ parent: ScannedFolder, _ index: Int, root: Int
  ) {
    var lineage: Lineage?
    if context.keepsLineage {
      do throws(Errno) {
        lineage = try self.lineage(of: folder.rawValue, below: parent, index)
      } catch {
        return pass(path, name, parent, index, root: root, because: error)
      }
      if let lineage, lineage.isLoop || staysOutside(lineage) {
        return passUnlisted(path, folder, parent, index, isLoop: lineage.isLoop)
      }
    }
    files.removeAll()
    folders.removeAll()
    var failure = reader.read(folder.rawValue, files: &files, folders: &folders)
    if let failure, files.isEmpty, folders.isEmpty {
      return pass(path, name, parent, index, root: root, because: failure)
    }
    var known: FolderFacts?
    if context.options.readsMetadata {
      do throws(Errno) {
        known = folderFacts(try facts(of: folder))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { faults.append(ScanFault(path: path, reason: .unreadable(failure))) }
    files.sort()
    folders.sort()

    let visit = FolderVisit(
      path: path, parentPlan: plan(of: parent), index: index, modified: known?.modified,
      storage: known?.storage, isUnreadable: failure != nil, fileCount: files.count,
      descriptor: folder.rawValue)
    guard let decision = visitor.enter(visit, files: files, folders: folders) else { return }
    faults += decision.faults
    visitContents(path, folder, decision, root: root, lineage: lineage)
  }

  private func visitContents(
    _ path: [UInt8], _ folder: consuming Descriptor, _ decision: FolderDecision<Plan>, root: Int,
    lineage: Lineage?
  ) {
    let fileCount = decision.wantsFiles ? files.count : 0
    let segment = min(fileCount, Work.segment)
    if segment > 0 {
      visitFiles(files, 0..<segment, of: path, plan: decision.plan, in: folder.rawValue)
    }
    let shown = shownFolders(decision.admissions)
    if shown.names.isEmpty, segment == fileCount { return }

    let handle = ReopenableFolder(
      folder, root: context.roots[root], path: path, budget: context.budget, lineage: lineage)
    let scanned = ScannedFolder(
      path: path, root: root, plan: decision.plan, folders: shown.names,
      admissions: shown.admissions, handle: handle, lineage: lineage)
    if !shown.names.isEmpty {
      stack.append(Work(folder: scanned, part: .folders, range: 0..<shown.names.count))
    }
    if segment < fileCount {
      stack.append(Work(folder: scanned, part: .files(files), range: segment..<fileCount))
      files = NameTable()
    }
  }

  private func shownFolders(
    _ admissions: [Admission]
  ) -> (names: NameTable, admissions: [Admission]) {
    var names = NameTable()
    if !admissions.contains(.hidden) {
      swap(&names, &folders)
      return (names, admissions)
    }
    for (index, admission) in admissions.enumerated() where admission != .hidden {
      names.append(from: folders, at: index)
    }
    return (names, admissions.filter { $0 != .hidden })
  }

  /// Shows a folder that was not listed: because it was not to be, or because it could not be.
  private func pass(
    _ path: [UInt8], _ name: [UInt8], _ parent: ScannedFolder, _ index: Int, root: Int,
    because reason: Errno?
  ) {
    // What a world begins with is there, whatever becomes of it; the top of a part may vanish.
    let isRoot = parent.handle == nil && context.roots[root].names.isEmpty
    var reason = reason
    if !isRoot, let reason, reason.meansChanged {
      faults.append(ScanFault(path: path, reason: .vanished))
      return
    }
    var known: FolderFacts?
    var isLoop = false
    let mayLoop = !isRoot && (parent.isLink(index) || parent.lineage?.isBelowLink ?? false)
    if context.options.readsMetadata || mayLoop {
      do throws(Errno) {
        let found = try facts(of: name, in: parent, index, root: root)
        if found.kind != .directory { throw .notDirectory }
        if context.options.readsMetadata { known = folderFacts(found) }
        if mayLoop {
          isLoop =
            Lineage(found.identity, isLink: parent.isLink(index), parent: parent.lineage).isLoop
        }
      } catch {
        if !isRoot, error.meansChanged {
          faults.append(ScanFault(path: path, reason: .vanished))
          return
        }
        reason = reason ?? error
      }
    }
    if let reason { faults.append(ScanFault(path: path, reason: .unreadable(reason))) }
    visitor.pass(
      FolderVisit(
        path: path, parentPlan: plan(of: parent), index: index, modified: known?.modified,
        storage: known?.storage, isUnreadable: reason != nil, isLoop: isLoop))
  }

  private func facts(
    of name: [UInt8], in parent: ScannedFolder, _ index: Int, root: Int
  ) throws(Errno) -> FileSystem.Facts {
    guard let handle = parent.handle else {
      return try context.roots[root].facts(
        storage: context.options.asksForStorage, method: context.options.method)
    }
    let isLink = parent.isLink(index)
    return try handle.withDescriptor { (descriptor) throws(Errno) in
      try FileSystem.facts(
        of: name, in: descriptor, following: isLink, storage: context.options.asksForStorage,
        method: context.options.method)
    }
  }

  /// What an open folder is.
  func facts(of folder: borrowing Descriptor) throws(Errno) -> FileSystem.Facts {
    try FileSystem.facts(
      of: folder.rawValue, storage: context.options.asksForStorage, method: context.options.method)
  }

  /// What a visitor is told of a folder: what it would be without this program.
  func folderFacts(_ facts: FileSystem.Facts) -> FolderFacts {
    var known = FolderFacts(
      modified: facts.modified, storage: context.options.asksForStorage ? facts.storage : nil)
    if let temporary = context.options.temporary, temporary.folder == facts.identity {
      known.modified = temporary.folderModified
      known.storage?.nanoseconds = temporary.folderNanoseconds
    }
    return known
  }
}

/// What is known of a folder.
struct FolderFacts {
  /// When it was changed.
  var modified: Int64
  /// Where somebody asked for it.
  var storage: FileStorage?
}

extension Errno {
  /// Whether what the listing called a folder is gone, or has become something else.
  fileprivate var meansChanged: Bool {
    self == .noEntry || self == .notDirectory || self == .linkLoop
  }
}
