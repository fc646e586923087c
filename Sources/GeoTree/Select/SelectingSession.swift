import GeoCore
import GeoSystem
import Synchronization

/// A reading session that leaves out what a selection leaves out, with the reasons.
///
/// It wraps the session of any source and is the only place where a selection and git's rules are
/// applied to a tree; visitors and readers see what it leaves out as if the source did.
final class SelectingSession: TreeSession {
  fileprivate let selection: Selection
  /// Reads git's rules; nil unless the selection uses them.
  fileprivate let git: GitRules?
  private let base: any TreeSession
  fileprivate let hasStamp: Bool
  /// git's rules around the roots, by their labels.
  private let scopes = Mutex<[[UInt8]: IgnoreScope]>([:])

  init(_ base: any TreeSession, _ options: FileSystemScanner.Options) {
    self.base = base
    selection = options.selection
    hasStamp = options.hasStamp
    git = selection.usesGitignore ? GitRules() : nil
  }

  func makeReader() -> any FolderReader { SelectingReader(self, base.makeReader()) }

  /// The stamp of the listing and, with git's rules, of all files that they are in.
  func stamp(of folder: FolderReference) -> ListingStamp? {
    guard let stamp = base.stamp(of: folder), git != nil, case .path(let root, let path, _) = folder
    else { return base.stamp(of: folder) }
    return ListingStamp(ofAll: [stamp] + path.waysDown(from: root).map { rules(in: $0, of: root) })
  }

  /// The stamp of the file with git's rules in a folder; nil without one.
  fileprivate func rules(in path: [UInt8], of root: ScanRoot) -> ListingStamp? {
    base.stamp(of: .path(root: root, path: path.appending(component: GitRules.file), handle: nil))
  }

  fileprivate func scope(around root: ScanRoot, _ git: GitRules) -> IgnoreScope {
    scopes.withLock { scopes in
      if let scope = scopes[root.label] { return scope }
      let scope = git.scope(around: root)
      scopes[root.label] = scope
      return scope
    }
  }
}

extension [UInt8] {
  /// The paths from a root to this one, both included.
  fileprivate func waysDown(from root: ScanRoot) -> [[UInt8]] {
    let ends = indices.filter { $0 >= root.label.count && self[$0] == .slash }
    return ends.map { Array(self[..<$0]) } + [self]
  }
}

private final class SelectedFolder: KeptFolder {
  let path: [UInt8]
  /// git's rules in the folder; nil unless the selection uses them.
  let scope: IgnoreScope?
  /// The sub-folders that git ignores although they are kept.
  let ignored: [[UInt8]]
  /// The base's handle; nil while the reader is in the folder.
  let kept: (any KeptFolder)?

  init(
    _ path: [UInt8], _ scope: IgnoreScope?, ignored: [[UInt8]] = [], kept: (any KeptFolder)? = nil
  ) {
    self.path = path
    self.scope = scope
    self.ignored = ignored
    self.kept = kept
  }

  /// git's rules around a sub-folder.
  func scope(around name: [UInt8]) -> IgnoreScope? {
    !ignored.isEmpty && ignored.contains(name) ? scope?.ignored : scope
  }
}

private final class SelectingReader: WrappingReader {
  private let session: SelectingSession
  let inner: any FolderReader
  private let selector: Selector
  private var current: SelectedFolder?
  /// git's rules in the folders on the way to the last one that was read by its path.
  private var way: [WayPoint] = []
  private var verdicts: [Selector.FolderVerdict] = []
  private var version: [EntryFacts] = []

  private struct WayPoint {
    let path: [UInt8]
    let scope: IgnoreScope
    let rules: ListingStamp?
  }

  init(_ session: SelectingSession, _ inner: any FolderReader) {
    self.session = session
    self.inner = inner
    selector = Selector(session.selection)
  }

  // MARK: Folders

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    let (path, around, reference) = place(of: folder)
    if let depth = session.selection.maximumDepth, path.count(where: { $0 == .slash }) >= depth {
      return inspect(folder, into: &listing)
    }
    let rules = stamps(ofRulesOf: folder)
    inner.list(reference, into: &listing)
    current = nil
    guard listing.outcome == .listed else { return }
    var scope: IgnoreScope?
    if let around { scope = self.scope(inside: path, around: around, &listing) }
    current = SelectedFolder(path, scope, ignored: judge(path, scope, &listing))
    listing.leavesOutFiles = max(
      listing.leavesOutFiles, session.selection.needsMetadata ? .byFacts : .byName)
    // Files may change without their folder.
    if session.selection.needsMetadata, !listing.files.isEmpty { listing.stamp = nil }
    if session.git != nil, let stamp = listing.stamp {
      listing.stamp = rules.map { ListingStamp(ofAll: [stamp] + $0) }
    }
  }

  /// The stamps of the files with git's rules from the root to a folder; nil if not needed.
  private func stamps(ofRulesOf folder: FolderReference) -> [ListingStamp?]? {
    guard session.hasStamp, session.git != nil, case .path(let root, let path, _) = folder else {
      return nil
    }
    return way.map(\.rules) + [session.rules(in: path, of: root)]
  }

  /// Leaves out sub-folders. Returns the names of those that git ignores although they are kept.
  private func judge(
    _ path: [UInt8], _ scope: IgnoreScope?, _ listing: inout FolderListing
  ) -> [[UInt8]] {
    selector.judgeFolders(listing.folders, in: path, scope: scope, into: &verdicts)
    var known = listing.leftOut[...]
    var leftOut: [LeftOutEntry] = []
    var ignored: [[UInt8]] = []
    for (index, verdict) in verdicts.enumerated() {
      if let first = known.first, first.index == index {
        leftOut.append(first)
        known.removeFirst()
      } else if let reason = verdict.reason {
        leftOut.append(LeftOutEntry(index: index, reason: reason))
      } else if verdict.isIgnored {
        ignored.append(listing.folders.name(at: index))
      }
    }
    if !leftOut.isEmpty { listing.leftOut = leftOut }
    return ignored
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    inner.inspect(base(folder), into: &listing)
    current = nil
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    if case .kept(let kept) = folder {
      current = kept as? SelectedFolder
      return try inner.enter(base(folder))
    }
    let (path, around, reference) = place(of: folder)
    current = SelectedFolder(path, around)
    try inner.enter(reference)
    if let git = session.git, let around {
      current = SelectedFolder(path, entered(path, around, git))
    }
  }

  func keep() -> any KeptFolder {
    let folder = current ?? SelectedFolder([], nil)
    current = nil
    return SelectedFolder(folder.path, folder.scope, ignored: folder.ignored, kept: inner.keep())
  }

  func leave() {
    current = nil
    inner.leave()
  }

  /// The folder as the base names it.
  private func base(_ folder: FolderReference) -> FolderReference {
    switch folder {
    case .path: return folder
    case .child(let parent, let path, let name, let isLink, let handle):
      guard let kept = (parent as? SelectedFolder)?.kept else { return folder }
      return .child(of: kept, path: path, name: name, isLink: isLink, handle: handle)
    case .kept(let kept):
      return (kept as? SelectedFolder)?.kept.map { .kept($0) } ?? folder
    }
  }

  /// A folder's path, git's rules around it if they are used, and the folder as the base names it.
  private func place(
    of folder: FolderReference
  ) -> (path: [UInt8], around: IgnoreScope?, reference: FolderReference) {
    let reference = base(folder)
    switch folder {
    case .path(let root, let path, _): return (path, scope(around: path, of: root), reference)
    case .child(let parent, let path, let name, _, _):
      return (path, (parent as? SelectedFolder)?.scope(around: name), reference)
    case .kept(let kept):
      let folder = kept as? SelectedFolder
      return (folder?.path ?? [], folder?.scope, reference)
    }
  }

  // MARK: git's rules

  /// git's rules in the folder that was just listed.
  private func scope(
    inside path: [UInt8], around outer: IgnoreScope, _ listing: inout FolderListing
  ) -> IgnoreScope? {
    guard let git = session.git else { return nil }
    let (files, folders) = (listing.files, listing.folders)
    var faults: [ScanFault] = []
    let scope = git.scope(
      outer, inside: path,
      hasGit: files.contains(GitRules.folder) || folders.contains(GitRules.folder),
      hasRules: files.contains(GitRules.file)
    ) { (file, following) throws(Errno) in
      do throws(Errno) {
        return try inner.readFile(file, following: following, limit: GitRules.largestFile)
      } catch {
        // Files in `.git` may be unreadable.
        if !following {
          faults.append(
            ScanFault(rawPath: path.appending(component: file), reason: .unreadable(error)))
        }
        throw error
      }
    }
    listing.faults += faults
    return scope
  }

  /// git's rules in the folder that was just entered.
  private func entered(
    _ path: [UInt8], _ outer: IgnoreScope, _ git: GitRules
  ) -> IgnoreScope {
    git.scope(outer, inside: path) { (file, following) throws(Errno) in
      try inner.readFile(file, following: following, limit: GitRules.largestFile)
    }
  }

  /// git's rules around a folder that is read by its path; nil if they are not used.
  ///
  /// The rules of the folders above are remembered until the files that they are in change.
  private func scope(around path: [UInt8], of root: ScanRoot) -> IgnoreScope? {
    guard let git = session.git else { return nil }
    var scope = session.scope(around: root, git)
    let folders = path.waysDown(from: root).dropLast()
    if way.count > folders.count { way.removeSubrange(folders.count...) }
    for (depth, above) in folders.enumerated() {
      let rules = session.rules(in: above, of: root)
      if depth < way.count, way[depth].path == above, way[depth].rules == rules {
        scope = way[depth].scope
      } else {
        way.removeSubrange(depth...)
        if (try? inner.enter(.path(root: root, path: above, handle: nil))) != nil {
          scope = entered(above, scope, git)
        }
        way.append(WayPoint(path: above, scope: scope, rules: rules))
      }
      let name = Array(path[(above.count + 1)...].prefix { $0 != .slash })
      selector.judgeFolders(
        NameTable([name], kind: .directory), in: above, scope: scope, into: &verdicts)
      if verdicts.first?.isIgnored ?? false { scope = scope.ignored }
    }
    return scope
  }

  // MARK: Files

  func leaveOut(_ names: NameTable, _ range: Range<Int>, in facts: inout [EntryFacts]) {
    inner.leaveOut(names, range, in: &facts)
    guard let current else { return }
    selector.selectFiles(names, range, in: current.path, scope: current.scope, facts: &facts)
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure]
  ) {
    inner.readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
    guard session.selection.needsMetadata else { return }
    guard let versions = inner.versions, versions.count == facts.count else {
      return selector.selectByMetadata(&facts)
    }
    // A file is left out if the selection leaves it out in any state.
    for state in (0..<versions.states).reversed() {
      version.removeAll(keepingCapacity: true)
      for position in facts.indices {
        var known = versions[position, state].facts
        if facts[position].status == .hidden || !versions[position, state].isThere {
          known.status = .hidden
          known.leftOut = nil
        }
        version.append(known)
      }
      selector.selectByMetadata(&version)
      for position in facts.indices {
        if let reason = version[position].leftOut { facts[position].leaveOut(for: reason) }
      }
    }
  }
}
