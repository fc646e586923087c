import GeoPath
import GeoScan
import GeoSelect
import GeoSystem

extension Surveyor {
  /// What git's rules say in a folder that was listed; its own rules are read from it.
  func scope(
    of visit: FolderVisit<FolderPlan>, files: NameTable, folders: NameTable,
    _ faults: inout [ScanFault]
  ) -> IgnoreScope? {
    guard let git else { return nil }
    let parent = visit.parentPlan
    guard var scope = parent.scope ?? (visit.index < scopes.count ? scopes[visit.index] : nil)
    else { return nil }
    if parent.ignored.contains(visit.index) { scope = scope.ignored }

    // Whatever fails here has been named by then.
    func read(_ path: [UInt8], following: Bool) -> [UInt8]? {
      do throws(Errno) {
        return try visit.readFile(path, following: following, limit: GitRules.largestFile)
      } catch {
        faults.append(
          ScanFault(path: visit.path + [UInt8(ascii: "/")] + path, reason: .unreadable(error)))
        return nil
      }
    }
    if files.contains(GitRules.folder) || folders.contains(GitRules.folder) {
      scope = git.scope(scope, ofWorkTreeAt: visit.path) {
        try? visit.readFile($0, following: true, limit: GitRules.largestFile)
      }
    }
    if !scope.isIgnored, files.contains(GitRules.file),
      let rules = read(GitRules.file, following: false)
    {
      scope = scope.adding(rules, below: visit.path)
    }
    return scope
  }
}
