import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

extension Survey {
  /// Where the scan of a deed's part begins, if the deed fits the folders given.
  ///
  /// - Parameter roots: Where roots of the deed's world are, those that its places are in at least.
  static func starts(
    of deed: Deed, in roots: [ScanRoot], by engine: GeoProjectionEngine, _ filter: MapFilter,
    _ selection: Selection, _ git: GitRules?
  ) throws(MapError) -> [Start] {
    for root in roots where !deed.labels.contains(root.label) {
      throw .foreignRoot(label: root.label, directory: root.directory)
    }
    var unchecked = Self.checkedBefore
    let selector = selection.isActive ? Selector(selection) : nil
    let readers = OpenSources(roots, Self.namesOnly, readers: 1).makeReaders()
    var starts: [Start] = []
    var ring: [Coordinate] = []
    for (place, claim) in zip(deed.places, Claim.all(of: deed)) {
      let names = place.names
      guard let label = names.first, let index = roots.firstIndex(where: { $0.label == label })
      else {
        throw .missingRoot(label: names.first ?? [])
      }
      let root = roots[index]
      if names.count == 1, !engine.roots.contains(place.folder) {
        throw .misfit(path: place.path, directory: root.directory)
      }
      let start = root.below(place.path)
      if unchecked > 0 { try check(start, place.listing, readers, in: root, index) }
      unchecked -= 1
      var way = Way(root: root, reader: readers[index], selector: selector, git: git)
      // Where the land is hidden that a folder without any stands on, nobody comes to the folder.
      if let ancestor = place.ancestor, filter.box != nil {
        let box = MapFilter(box: filter.box)
        if box.verdict(on: ancestor, by: engine, ring: &ring) == .hidden { continue }
      }
      // What is left out is counted by the deed that the folder above belongs to.
      guard way.leads(to: Array(names.dropFirst())) else { continue }
      starts.append(Start(root: start, place: place.folder, claim: claim, scope: way.scope))
    }
    for way in deed.ways {
      let label = way.path.firstComponent
      guard let index = roots.firstIndex(where: { $0.label.elementsEqual(label) })
      else { continue }
      try check(roots[index].below(way.path), way.listing, readers, in: roots[index], index)
    }
    return starts
  }

  /// How many places are looked at before the scan looks at all; a deed that fits some of them
  /// hardly ever misses others.
  private static let checkedBefore = 4

  /// Names are all that tells whether a deed fits.
  private static var namesOnly: FileSystemScanner.Options {
    var options = FileSystemScanner.Options()
    options.readsMetadata = false
    return options
  }

  /// Looks whether a folder is the one that a deed was made for. The scan looks again; this is so
  /// that nothing is written in vain.
  private static func check(
    _ folder: ScanRoot, _ listing: UInt64?, _ readers: OpenSources.Readers, in root: ScanRoot,
    _ index: Int
  ) throws(MapError) {
    let misfit = MapError.misfit(path: folder.label, directory: root.directory)
    do throws(ScanRoot.Failure) {
      try folder.check()
    } catch {
      throw misfit
    }
    guard let listing else { return }
    var found = FolderListing()
    readers.list(folder.label, root: index, into: &found)
    // One that can't be read is mapped as such.
    if found.outcome != .listed || found.failure != nil { return }
    if found.folders.fingerprint != listing { throw misfit }
  }
}

/// The folders from a root down to one that a deed is about.
private struct Way {
  let root: ScanRoot
  let reader: any FolderReader
  let selector: Selector?
  let git: GitRules?
  /// What git's rules say in the folder reached, but for its own.
  private(set) var scope: IgnoreScope?

  init(root: ScanRoot, reader: any FolderReader, selector: Selector?, git: GitRules?) {
    self.root = root
    self.reader = reader
    self.selector = selector
    self.git = git
    scope = git?.scope(around: root)
  }

  /// Goes down.
  ///
  /// - Returns: Whether no folder on the way, the last one among them, is left out.
  mutating func leads(to names: [[UInt8]]) -> Bool {
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

  /// Reads what a folder on the way says to git.
  private mutating func enter(_ path: [UInt8]) {
    guard let git, let scope, (try? reader.enter(.path(root: root, path: path, mark: nil))) != nil
    else { return }
    self.scope = git.scope(scope, inside: path) { [reader] (path, following) throws(Errno) in
      try reader.readFile(path, following: following, limit: GitRules.largestFile)
    }
  }
}

extension Surveyor {
  /// Compares a folder that was listed with what a deed says of it.
  func check(_ claim: Claim, _ visit: FolderVisit<FolderPlan>, _ folders: NameTable) {
    if claim.kind == .place { output.mark(visit.path) }
    if visit.isUnreadable, claim.claims.isEmpty { return }
    if let listing = claim.listing, listing != folders.fingerprint { misfit.report(visit.path) }
  }

  /// Compares a folder that was not listed with what a deed says of it.
  ///
  /// - Returns: Whether the folder is to be shown.
  func checkUnlisted(_ claim: Claim, _ visit: FolderVisit<FolderPlan>) -> Bool {
    if claim.kind != .way { output.mark(visit.path) }
    // What was cut out of a folder that can't be read has no place any more.
    if visit.isUnreadable, !claim.claims.isEmpty { misfit.report(visit.path) }
    return claim.kind != .cut
  }

  /// Passes on what a deed says of a folder's sub-folders, and leaves out what was cut out.
  ///
  /// - Returns: The claims, by the numbers of those sub-folders that are not hidden.
  func pass(
    _ claim: Claim, to folders: NameTable, of path: [UInt8], _ admissions: inout [Admission]
  ) -> [Int: Claim] {
    var claims: [Int: Claim] = [:]
    if claim.claims.isEmpty { return claims }
    for (name, claim) in claim.claims {
      guard let index = folders.index(of: name) else {
        misfit.report(path)
        continue
      }
      if claim.kind == .cut, admissions[index] != .hidden { admissions[index] = .elsewhere }
      claims[index] = claim
    }
    var shown = 0
    var shownClaims: [Int: Claim] = [:]
    for (index, admission) in admissions.enumerated() where admission != .hidden {
      shownClaims[shown] = claims[index]
      shown += 1
    }
    return shownClaims
  }
}
