import GeoCore
import GeoSystem

/// A folder that gets all files of a command, or none.
struct OutputFolder {
  private let shown: String
  private let draft: FolderDraft
  private let temporary: [UInt8]

  /// Makes the folder, or uses an empty one.
  ///
  /// This happens before the scan, which may read the folder around it.
  init(_ path: [UInt8]) throws(Failure) {
    let shown = path.shown
    self.shown = shown
    var isThere = false
    do {
      let target = try OutputPlace.folder(path, shown)
      if target.file.leadsThroughForeignLink { throw Failure.foreignLink(shown) }
      isThere = try target.file.facts(following: false) != nil
      temporary = try OutputPlace.temporary(for: target).name
      draft = try FolderDraft(target.name, in: target.folder)
    } catch {
      if let failure = error as? Failure { throw failure }
      switch error as? Errno {
      case .exists?:
        throw .usage("the folder '\(shown)' is not empty; it may hold lists of another split")
      case .noEntry?: throw isThere ? .danglingLink(shown) : .missingParent(of: shown)
      default:
        let group: ErrorGroup = error as? Errno == .notDirectory ? .usage : .output
        throw Failure(group, "can't make the folder '\(shown)': \(error)")
      }
    }
  }

  func write(lists names: [[UInt8]], _ content: (Int) -> [UInt8]) throws(Failure) {
    try rethrowing(draft.write(names, temporary: temporary, content)) {
      Failure.output("can't write the lists into '\(shown)': \($0)")
    }
  }

  /// Removes the folder if this run made it.
  func discard() { draft.discard() }
}
