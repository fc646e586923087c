import GeoDeed
import GeoPath
import GeoProjection
import GeoScan
import GeoSelect
import GeoSystem
import GeoTier

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
    var reader = DirectoryReader()
    var starts: [Start] = []
    var ring: [Coordinate] = []
    for (place, claim) in zip(deed.places, Claim.all(of: deed)) {
      let names = place.names
      guard let label = names.first, let root = roots.first(where: { $0.label == label }) else {
        throw .missingRoot(label: names.first ?? [])
      }
      if names.count == 1, !engine.roots.contains(place.folder) {
        throw .misfit(path: place.path, directory: root.directory)
      }
      var start = root
      start.label = place.path
      start.names = Array(names.dropFirst())
      if unchecked > 0 { try check(start, place.listing, &reader, in: root) }
      unchecked -= 1
      var way = Way(root: root, selector: selector, git: git)
      // Where the land is hidden that a folder without any stands on, nobody comes to the folder.
      if let ancestor = place.ancestor, filter.box != nil {
        let box = MapFilter(box: filter.box)
        if box.verdict(on: ancestor, by: engine, ring: &ring) == .hidden { continue }
      }
      // What is left out is counted by the deed that the folder above belongs to.
      guard way.leads(to: start.names) else { continue }
      starts.append(Start(root: start, place: place.folder, claim: claim, scope: way.scope))
    }
    for way in deed.ways {
      let names = way.path.split(separator: UInt8(ascii: "/")).map { Array($0) }
      guard let root = roots.first(where: { $0.label == names.first }) else { continue }
      var folder = root
      folder.label = way.path
      folder.names = Array(names.dropFirst())
      try check(folder, way.listing, &reader, in: root)
    }
    return starts
  }

  /// How many places are looked at before the scan looks at all; a deed that fits some of them
  /// hardly ever misses others.
  private static let checkedBefore = 4

  /// Looks whether a folder is the one that a deed was made for. The scan looks again; this is so
  /// that nothing is written in vain.
  private static func check(
    _ folder: ScanRoot, _ listing: UInt64?, _ reader: inout DirectoryReader, in root: ScanRoot
  ) throws(MapError) {
    let misfit = MapError.misfit(path: folder.label, directory: root.directory)
    do throws(ScanRoot.Failure) {
      try folder.check()
    } catch {
      throw misfit
    }
    // One that can't be read is mapped as such.
    guard let listing, let descriptor = try? folder.open() else { return }
    var files = NameTable()
    var folders = NameTable()
    if reader.read(descriptor.rawValue, files: &files, folders: &folders) != nil { return }
    folders.sort()
    if folders.fingerprint != listing { throw misfit }
  }
}

/// The folders from a root down to one that a deed is about.
private struct Way {
  let root: ScanRoot
  let selector: Selector?
  let git: GitRules?
  /// What git's rules say in the folder reached, but for its own.
  private(set) var scope: IgnoreScope?

  init(root: ScanRoot, selector: Selector?, git: GitRules?) {
    self.root = root
    self.selector = selector
    self.git = git
    scope = git?.scope(aroundRoot: root.directory)
  }

  /// Goes down.
  ///
  /// - Returns: Whether no folder on the way, the last one among them, is left out.
  mutating func leads(to names: [[UInt8]]) -> Bool {
    guard let selector else { return true }
    var path = root.label
    var verdicts: [Selector.FolderVerdict] = []
    for (depth, name) in names.enumerated() {
      enter(names.prefix(depth), path)
      selector.judgeFolders(
        NameTable([name], kind: .directory), in: path, scope: scope, into: &verdicts)
      if verdicts[0].reason != nil { return false }
      if verdicts[0].isIgnored { scope = scope?.ignored }
      path += [UInt8(ascii: "/")] + name
    }
    return true
  }

  /// Reads what a folder on the way says to git.
  private mutating func enter(_ names: ArraySlice<[UInt8]>, _ path: [UInt8]) {
    guard let git, var scope else { return }
    var folder = root
    folder.names = Array(names)
    guard let descriptor = try? folder.open() else { return }
    let number = descriptor.rawValue
    scope = git.scope(scope, ofWorkTreeAt: path) {
      try? FileSystem.readFile(
        $0, in: number, following: true, limit: GitRules.largestFile)
    }
    let rules = try? FileSystem.readFile(
      GitRules.file, in: number, following: false, limit: GitRules.largestFile)
    if !scope.isIgnored, let rules { scope = scope.adding(rules, below: path) }
    self.scope = scope
  }
}
