import GeoCore
import GeoTree
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
    return git.scope(scope, of: visit, files: files, folders: folders, &faults)
  }
}

extension GitRules {
  /// What git's rules say in a folder that was listed; its own rules are read from it.
  ///
  /// - Parameter scope: What they say in the folder above.
  package func scope<Plan>(
    _ scope: IgnoreScope, of visit: FolderVisit<Plan>, files: NameTable, folders: NameTable,
    _ faults: inout [ScanFault]
  ) -> IgnoreScope {
    self.scope(
      scope, inside: visit.path,
      hasGit: files.contains(Self.folder) || folders.contains(Self.folder),
      hasRules: files.contains(Self.file)
    ) { (path, following) throws(Errno) in
      do throws(Errno) {
        return try visit.readFile(path, following: following, limit: Self.largestFile)
      } catch {
        // What is git's own need not be readable.
        if !following {
          faults.append(
            ScanFault(path: visit.path.appending(component: path), reason: .unreadable(error)))
        }
        throw error
      }
    }
  }
}
