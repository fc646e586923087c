import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// The entries of a world that are shown: one selection for all queries, with the meaning that it
/// has for a map.
struct Visibility: Sendable {
  /// nil if everything is shown.
  let selection: Selection?
  let git: GitRules?
  /// git's rules in the roots; empty unless the selection uses them.
  let scopes: [IgnoreScope]
  /// Whether folders are shown; files in hidden folders are shown all the same.
  let showsFolders: Bool

  init(_ selection: Selection, of roots: [ScanRoot]) {
    self.selection = selection.isActive ? selection : nil
    showsFolders = selection.showsFolders
    let git = selection.usesGitignore ? GitRules() : nil
    self.git = git
    scopes = git.map { git in roots.map { git.scope(around: $0) } } ?? []
  }

  /// The current version stamp of the rule file in a folder.
  func stamp(ofRulesOf path: [UInt8], root: Int, in world: World) -> ListingStamp? {
    world.sources.session(ofRoot: root).stamp(
      of: .path(
        root: world.roots[root], path: path.appending(component: GitRules.file), mark: nil))
  }
}

/// The hidden entries of a listing, and git's rules in its folder.
struct LeftOut {
  /// One flag for each file; empty if all are shown.
  var files: [Bool] = []
  /// One flag for each sub-folder; empty if all are shown.
  var folders: [Bool] = []
  /// The indices in the listing of sub-folders that git ignores though they are shown.
  var ignored: Set<Int> = []
  /// git's rules in the folder.
  var scope: IgnoreScope?
  /// Whether it depends on data that the version stamp of the listing doesn't cover.
  var isFleeting = false

  mutating func hide(folder index: Int, of count: Int) {
    if folders.isEmpty { folders = [Bool](repeating: false, count: count) }
    folders[index] = true
  }
}

extension WorldReader {
  /// Finds the hidden entries of the folder that a reader has just listed.
  ///
  /// - Parameter scope: git's rules above it.
  func leftOut(
    of listing: FolderListing, at path: [UInt8], _ scope: IgnoreScope?, by reader: any FolderReader
  ) -> LeftOut {
    var left = LeftOut()
    let (files, folders) = (listing.files, listing.folders)
    for index in listing.leftOut { left.hide(folder: index, of: folders.count) }
    if listing.outcome != .listed { return left }
    if let scope, let git = world.visibility.git {
      left.scope = git.scope(
        scope, inside: path,
        hasGit: files.contains(GitRules.folder) || folders.contains(GitRules.folder),
        hasRules: files.contains(GitRules.file)
      ) { (file, following) throws(Errno) in
        try reader.readFile(file, following: following, limit: GitRules.largestFile)
      }
    }
    if let selector {
      var verdicts: [Selector.FolderVerdict] = []
      selector.judgeFolders(folders, in: path, scope: left.scope, into: &verdicts)
      for (index, verdict) in verdicts.enumerated() {
        if verdict.reason != nil { left.hide(folder: index, of: folders.count) }
        if verdict.isIgnored { left.ignored.insert(index) }
      }
    }
    let needsMetadata = world.visibility.selection?.needsMetadata ?? false
    if (selector == nil && !listing.leavesOutFiles) || files.isEmpty { return left }
    var facts = files.records.map { EntryFacts(kind: $0.kind) }
    var counts = ExclusionCounts()
    selector?.selectFiles(
      files, 0..<files.count, in: path, scope: left.scope, facts: &facts, counts: &counts)
    if needsMetadata || listing.leavesOutFiles {
      var storage: [FileStorage] = []
      var failures: [FileSystem.Failure] = []
      reader.readFacts(
        of: files, 0..<files.count, into: &facts, storage: &storage, failures: &failures)
      selector?.selectByMetadata(&facts, counts: &counts)
      left.isFleeting = needsMetadata
    }
    let hidden = facts.map { $0.status == .hidden }
    if hidden.contains(true) { left.files = hidden }
    return left
  }
}

extension ExactPoint {
  /// Its position on the plan, to some thousand units: inverts the projection and the chart.
  package func planPoint(by engine: GeoProjectionEngine) -> PlanPoint {
    let world = Double(sign: .plus, exponent: 62, significand: 1)
    let (longitude, latitude) = degrees
    let x = Int64(min(max((longitude / 360 + 0.5) * world, 0), world - 1024))
    // Newton's method for the y of the latitude. Away from the equator the curve is concave, so
    // that each step stops short of the solution.
    var y = (0.5 - latitude / 360) * world
    for _ in 0..<32 {
      let reached = Degrees.latitude(Int64(y))
      let slope = Trigonometry.cosine(reached * .pi / 180) * 360 / world
      let next = min(max(y + (reached - latitude) / slope, 0), world)
      let isThere = abs(next - y) < 256
      y = next
      if isThere { break }
    }
    return engine.chart.inverse(PlanPoint(x: x, y: min(Int64(y), (1 << 62) - 1024)))
  }
}

extension Quad {
  /// Whether a point is in the box around the quad, extended by an eighth in each direction. A
  /// point outside is neither in the quad, nor in one whose corners are moved outwards by a
  /// sixteenth.
  package func isNear(_ point: PlanPoint) -> Bool {
    let (west, east) = (min(q0.x, q1.x, q2.x, q3.x), max(q0.x, q1.x, q2.x, q3.x))
    let (north, south) = (min(q0.y, q1.y, q2.y, q3.y), max(q0.y, q1.y, q2.y, q3.y))
    let (width, height) = ((east - west) >> 3, (south - north) >> 3)
    return point.x >= west - width && point.x <= east + width
      && point.y >= north - height && point.y <= south + height
  }

  /// Whether a point is in the quad or on its edge.
  package func contains(_ point: PlanPoint) -> Bool {
    // From corner to corner, counter-clockwise on a plan whose y runs south.
    func isLeft(_ a: PlanPoint, _ b: PlanPoint) -> Bool {
      let side =
        Int128(b.x - a.x) * Int128(point.y - a.y) - Int128(b.y - a.y) * Int128(point.x - a.x)
      return side >= 0
    }
    return isLeft(q0, q1) && isLeft(q1, q2) && isLeft(q2, q3) && isLeft(q3, q0)
  }
}
