import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem

/// What of a world is shown: one selection for all that is asked of it, as a map of it has it.
struct Visibility: Sendable {
  /// Nil if nothing is left out.
  let selection: Selection?
  let git: GitRules?
  /// What git's rules say in the roots, if they count.
  let scopes: [IgnoreScope]
  /// Whether folders are shown; if not, what is in them is all the same.
  let showsFolders: Bool

  init(_ selection: Selection, of roots: [ScanRoot]) {
    self.selection = selection.isActive ? selection : nil
    showsFolders = selection.showsFolders
    let git = selection.usesGitignore ? GitRules() : nil
    self.git = git
    scopes = git.map { git in roots.map { git.scope(around: $0) } } ?? []
  }

  /// What the file of git's rules in a folder is good for now.
  func witness(ofRulesOf path: [UInt8], root: Int, in world: World) -> ListingWitness? {
    world.sources.session(ofRoot: root).witness(
      of: .path(
        root: world.roots[root], path: path.appending(component: GitRules.file), mark: nil))
  }
}

/// What of a listing is left out, and what the rules say in its folder.
struct LeftOut {
  /// One for each file; empty if all are shown.
  var files: [Bool] = []
  /// One for each sub-folder; empty if all are shown.
  var folders: [Bool] = []
  /// The sub-folders, by their numbers in the listing, that git ignores though they are shown.
  var ignored: Set<Int> = []
  /// What git's rules say in the folder.
  var scope: IgnoreScope?
  /// Whether it depends on what no witness of the listing tells.
  var isFleeting = false

  mutating func hide(folder index: Int, of count: Int) {
    if folders.isEmpty { folders = [Bool](repeating: false, count: count) }
    folders[index] = true
  }
}

extension WorldReader {
  /// Looks what of the folder that a reader has just listed is left out.
  ///
  /// - Parameter scope: What git's rules say above it.
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
