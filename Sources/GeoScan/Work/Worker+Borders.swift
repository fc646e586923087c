import GeoPath
import GeoSystem

extension Worker {
  /// What an open folder was reached through.
  func lineage(
    of folder: Int32, below parent: ScannedFolder, _ index: Int
  ) throws(Errno) -> Lineage {
    let facts = try FileSystem.facts(of: folder, method: context.options.method)
    return Lineage(facts.identity, isLink: parent.isLink(index), parent: parent.lineage)
  }

  /// Whether a folder is not entered because it is in another file system.
  func staysOutside(_ folder: Lineage) -> Bool {
    context.options.staysOnFileSystem && folder.isBeyondBorder
  }

  /// Shows a folder that was opened and is not to be listed: it leads back, or elsewhere.
  func passUnlisted(
    _ path: [UInt8], _ folder: consuming Descriptor, _ parent: ScannedFolder, _ index: Int,
    isLoop: Bool
  ) {
    var known: FolderFacts?
    var isUnreadable = false
    if context.options.readsMetadata {
      do throws(Errno) {
        known = folderFacts(try facts(of: folder))
      } catch {
        faults.append(ScanFault(path: path, reason: .unreadable(error)))
        isUnreadable = true
      }
    }
    visitor.pass(
      FolderVisit(
        path: path, parentPlan: plan(of: parent), index: index, modified: known?.modified,
        storage: known?.storage, isUnreadable: isUnreadable, isLoop: isLoop, descriptor: nil))
  }
}

extension ScannedFolder {
  /// Whether a sub-folder is a link to a folder.
  func isLink(_ index: Int) -> Bool { folders.records[index].kind == .symlink }
}
