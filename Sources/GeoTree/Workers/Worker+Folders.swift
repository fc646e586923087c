import GeoCore
import GeoSystem

extension Worker {
  /// Visits one sub-folder: lists it, shows it to the visitor, and puts what is to be visited in it
  /// on the stack.
  func visitFolder(_ parent: ScannedFolder, _ index: Int) {
    if parent.admissions[index] == .hidden { return }
    let folder = FolderAtHand(index, of: parent, in: context)
    place = folder.path
    lookedAt.folders += 1
    let reader = readers[folder.root]
    switch parent.admissions[index] {
    case .hidden: return
    case .elsewhere: return pass(folder, facts: nil, isUnreadable: false)
    case .shown: return pass(folder, by: reader, because: nil)
    case .entered: break
    }
    reader.list(folder.reference, into: &listing)
    if listing.outcome == .unlisted, let failure = listing.failure {
      return pass(folder, by: reader, because: failure)
    }
    context.counters.openedFolders.add(1, ordering: .relaxed)
    if let failure = listing.failure {
      faults.append(ScanFault(path: folder.path, reason: failure))
    }
    if listing.outcome == .listed {
      enter(folder, by: reader)
      reader.leave()
    } else {
      pass(
        folder, facts: listing.facts, isUnreadable: listing.failure != nil,
        isLoop: listing.outcome == .loop, states: listing.states)
    }
  }

  /// Shows a folder that was listed.
  private func enter(_ folder: FolderAtHand, by reader: any FolderReader) {
    let visit = FolderVisit(
      path: folder.path, parentPlan: plan(of: folder.parent), index: folder.index, listing,
      reader: reader)
    guard
      let decision = visitor.enter(visit, files: listing.files, folders: listing.folders)
    else { return }
    faults += decision.faults

    let fileCount = decision.wantsFiles ? listing.files.count : 0
    let segment = min(fileCount, Work.segment)
    if segment > 0 {
      visitFiles(listing.files, 0..<segment, of: folder.path, plan: decision.plan, by: reader)
    }
    let admissions = takeShownFolders(decision.admissions)
    if admissions.isEmpty, segment == fileCount { return }

    let scanned = ScannedFolder(
      path: folder.path, root: folder.root, plan: decision.plan, folders: listing.folders,
      marks: listing.marks, admissions: admissions, kept: reader.keep())
    listing.folders = NameTable()
    listing.marks = []
    if !admissions.isEmpty {
      stack.append(Work(folder: scanned, part: .folders, range: 0..<admissions.count))
    }
    if segment < fileCount {
      stack.append(Work(folder: scanned, part: .files(listing.files), range: segment..<fileCount))
      listing.files = NameTable()
    }
  }

  /// Leaves of the listing's folders only those that are not hidden.
  private func takeShownFolders(_ admissions: [Admission]) -> [Admission] {
    if !admissions.contains(.hidden) { return admissions }
    var names = NameTable()
    var marks: [UInt64] = []
    for (index, admission) in admissions.enumerated() where admission != .hidden {
      names.append(from: listing.folders, at: index)
      if index < listing.marks.count { marks.append(listing.marks[index]) }
    }
    listing.folders = names
    listing.marks = marks
    return admissions.filter { $0 != .hidden }
  }

  /// Shows a folder that was not listed: because it was not to be, or because it could not be.
  private func pass(
    _ folder: FolderAtHand, by reader: any FolderReader, because reason: ScanFault.Reason?
  ) {
    // What a world begins with is there, whatever becomes of it; the top of a part may vanish.
    let mayVanish = !folder.isRoot || !context.roots[folder.root].names.isEmpty
    func vanishes(_ reason: ScanFault.Reason?) -> Bool {
      guard mayVanish, let reason, reason.meansChanged else { return false }
      faults.append(ScanFault(path: folder.path, reason: .vanished))
      return true
    }
    if vanishes(reason) { return }
    reader.look(at: folder.reference, into: &listing)
    if vanishes(listing.failure) { return }
    let reason = reason ?? listing.failure
    if let reason { faults.append(ScanFault(path: folder.path, reason: reason)) }
    pass(
      folder, facts: listing.facts, isUnreadable: reason != nil,
      isLoop: listing.outcome == .loop, states: listing.states)
  }

  private func pass(
    _ folder: FolderAtHand, facts: FolderFacts?, isUnreadable: Bool, isLoop: Bool = false,
    states: [FolderState] = []
  ) {
    visitor.pass(
      FolderVisit(
        path: folder.path, parentPlan: plan(of: folder.parent), index: folder.index,
        facts: facts, isUnreadable: isUnreadable, isLoop: isLoop, states: states))
  }
}

/// A folder whose turn has come.
private struct FolderAtHand {
  let parent: ScannedFolder
  let index: Int
  let path: [UInt8]
  /// Which root it is, or is below.
  let root: Int
  let reference: FolderReference

  var isRoot: Bool { parent.kept == nil }

  init(_ index: Int, of parent: ScannedFolder, in context: ScanContext) {
    self.parent = parent
    self.index = index
    let name = parent.folders.name(at: index)
    guard let kept = parent.kept else {
      path = name
      root = index
      reference = .path(root: context.roots[index], path: name, mark: nil)
      return
    }
    root = parent.root
    var path = parent.path
    path.append(component: name)
    self.path = path
    reference = .child(
      of: kept, path: path, name: name,
      isLink: parent.folders.records[index].kind == .symlink,
      mark: parent.marks.isEmpty ? nil : parent.marks[index])
  }
}

extension ScanFault.Reason {
  /// Whether what the listing called a folder is gone, or has become something else.
  fileprivate var meansChanged: Bool {
    switch self {
    case .vanished: true
    case .unreadable(let error):
      error == .noEntry || error == .notDirectory || error == .linkLoop
    case .listed: false
    }
  }
}
