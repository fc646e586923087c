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

    return git.scope(
      scope, inside: visit.path,
      hasGit: files.contains(GitRules.folder)
        || folders.contains(GitRules.folder), hasRules: files.contains(GitRules.file)
    ) { (path, following) throws(Errno) in
      do throws(Errno) {
        return try visit.readFile(path, following: following, limit: GitRules.largestFile)
      } catch {
        // What is git's own need not be readable.
        if !following {
          faults.append(
            ScanFault(path: visit.path + [UInt8(ascii: "/")] + path, reason: .unreadable(error)))
        }
        throw error
      }
    }
  }
}
