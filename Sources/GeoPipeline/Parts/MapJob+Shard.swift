import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

extension MapJob {
  /// The folders in which the scan of a manifest's part begins, if the manifest matches the given
  /// roots.
  ///
  /// - Parameter roots: Roots of the manifest's world; at least those that contain its places.
  static func starts(
    of manifest: ShardManifest, in roots: [ScanRoot], by engine: GeoProjectionEngine,
    _ filter: MapFilter,
    _ selection: Selection, _ git: GitRules?
  ) throws(MapError) -> [Start] {
    for root in roots where !manifest.labels.contains(root.label) {
      throw .foreignRoot(label: root.label, directory: root.directory)
    }
    var unchecked = Self.checkedBefore
    let selector = selection.isActive ? Selector(selection) : nil
    let readers = OpenSources(roots, Self.namesOnly, readers: 1).makeReaders()
    var starts: [Start] = []
    var ring: [Coordinate] = []
    for (place, assignment) in zip(manifest.places, Assignment.all(of: manifest)) {
      let names = place.names
      guard let label = names.first, let index = roots.firstIndex(where: { $0.label == label })
      else {
        throw .missingRoot(label: names.first ?? [])
      }
      let root = roots[index]
      if names.count == 1, !engine.roots.contains(place.folder) {
        throw .mismatch(path: place.path, directory: root.directory)
      }
      let start = root.below(place.path)
      if unchecked > 0 { try check(start, place.listing, readers, in: root, index) }
      unchecked -= 1
      var walker = PathWalker(root: root, reader: readers[index], selector: selector, git: git)
      // A folder without land is hidden if the land of its nearest ancestor with land is.
      if let ancestor = place.ancestor, filter.box != nil {
        let box = MapFilter(box: filter.box)
        if box.verdict(on: ancestor, by: engine, ring: &ring) == .hidden { continue }
      }
      // The part of the folder above counts the entries left out.
      guard walker.reaches(Array(names.dropFirst())) else { continue }
      starts.append(
        Start(root: start, place: place.folder, assignment: assignment, scope: walker.scope))
    }
    for folder in manifest.intermediates {
      let label = folder.path.firstComponent
      guard let index = roots.firstIndex(where: { $0.label.elementsEqual(label) })
      else { continue }
      try check(roots[index].below(folder.path), folder.listing, readers, in: roots[index], index)
    }
    return starts
  }

  /// How many places are checked before the scan, which checks all; a manifest that matches some of
  /// them rarely misses others.
  private static let checkedBefore = 4

  /// Options that read names only, which are enough to check a manifest.
  private static var namesOnly: FileSystemScanner.Options {
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    return options
  }

  /// Checks that a folder is the manifest's. The scan checks again; this check comes before
  /// anything is written.
  private static func check(
    _ folder: ScanRoot, _ listing: UInt64?, _ readers: OpenSources.Readers, in root: ScanRoot,
    _ index: Int
  ) throws(MapError) {
    let mismatch = MapError.mismatch(path: folder.label, directory: root.directory)
    do throws(ScanRoot.Failure) {
      try folder.check()
    } catch {
      throw mismatch
    }
    guard let listing else { return }
    var found = FolderListing()
    readers.list(folder.label, root: index, into: &found)
    // A folder that can't be read is mapped as unreadable.
    if found.outcome != .listed || found.failure != nil { return }
    if found.folders.fingerprint != listing { throw mismatch }
  }
}

/// Walks the folders from a root down to a place of a manifest.
private struct PathWalker {
  let root: ScanRoot
  let reader: any FolderReader
  let selector: Selector?
  let git: GitRules?
  /// git's rules in the current folder, without its own.
  private(set) var scope: IgnoreScope?

  init(root: ScanRoot, reader: any FolderReader, selector: Selector?, git: GitRules?) {
    self.root = root
    self.reader = reader
    self.selector = selector
    self.git = git
    scope = git?.scope(around: root)
  }

  /// Walks down.
  ///
  /// - Returns: Whether no folder on the path is left out.
  mutating func reaches(_ names: [[UInt8]]) -> Bool {
    guard let selector else { return true }
    var path = root.label
    var verdicts: [Selector.FolderVerdict] = []
    for name in names {
      enter(path)
      selector.judgeFolders(
        NameTable([name], kind: .directory), in: path, scope: scope, into: &verdicts)
      if verdicts[0].reason != nil { return false }
      if verdicts[0].isIgnored { scope = scope?.ignored }
      path.append(component: name)
    }
    return true
  }

  /// Adds git's rules of a folder on the path.
  private mutating func enter(_ path: [UInt8]) {
    guard let git, let scope, (try? reader.enter(.path(root: root, path: path, mark: nil))) != nil
    else { return }
    self.scope = git.scope(scope, inside: path) { [reader] (path, following) throws(Errno) in
      try reader.readFile(path, following: following, limit: GitRules.largestFile)
    }
  }
}

extension MapVisitor {
  /// Compares a listed folder with the manifest.
  func check(_ assignment: Assignment, _ visit: FolderVisit<FolderPlan>, _ folders: NameTable) {
    if assignment.kind == .place { output.mark(visit.path) }
    if visit.isUnreadable, assignment.assignments.isEmpty { return }
    if let listing = assignment.listing, listing != folders.fingerprint {
      mismatch.report(visit.path)
    }
  }

  /// Compares a folder that was not listed with the manifest.
  ///
  /// - Returns: Whether the folder is shown.
  func checkUnlisted(_ assignment: Assignment, _ visit: FolderVisit<FolderPlan>) -> Bool {
    if assignment.kind != .intermediate { output.mark(visit.path) }
    // A folder that can't be read has no places for the folders that were cut out of it.
    if visit.isUnreadable, !assignment.assignments.isEmpty { mismatch.report(visit.path) }
    return assignment.kind != .cut
  }

  /// Passes the manifest's assignments to sub-folders, and leaves out what was cut out.
  ///
  /// - Returns: The assignments, by index among the sub-folders that are not hidden.
  func pass(
    _ assignment: Assignment, to folders: NameTable, of path: [UInt8],
    _ decisions: inout [TraversalDecision]
  ) -> [Int: Assignment] {
    var assignments: [Int: Assignment] = [:]
    if assignment.assignments.isEmpty { return assignments }
    for (name, assignment) in assignment.assignments {
      guard let index = folders.index(of: name) else {
        mismatch.report(path)
        continue
      }
      if assignment.kind == .cut, decisions[index] != .hidden { decisions[index] = .elsewhere }
      assignments[index] = assignment
    }
    var shown = 0
    var shownAssignments: [Int: Assignment] = [:]
    for (index, decision) in decisions.enumerated() where decision != .hidden {
      shownAssignments[shown] = assignments[index]
      shown += 1
    }
    return shownAssignments
  }
}
