import GeoSources
import GeoCore
import GeoTree
import GeoSystem

extension StateArgument {
  /// Why a state can't be used, and how it is given if its name is a revision of the current folder's
  /// repository, as whoever knows git's commands gives it.
  static func pointing(at failure: Failure) -> Failure {
    guard let name = failure.missing,
      (try? GitRevision.commit(name, of: [UInt8(ascii: ".")])) != nil
    else { return failure }
    let marked = TerminalText.escaped(MapPlan.revisionMark + name)
    return .usage("\(failure.message); the revision is '\(marked)'")
  }

  /// Says that a revision is of a whole repository where it is compared with a folder that is only a part of
  /// the work tree, as whoever is in that folder may take both for the same.
  ///
  /// Git is asked only if there is a folder on a disk beside a revision.
  static func noteWholeRepository(among states: [StateArgument]) {
    let roots = states.compactMap { $0.roots.count == 1 ? $0.roots.first : nil }
    let whole = roots.first { root in
      (root.source as? GitRevision)?.name.contains(UInt8(ascii: ":")) == false
    }
    guard let whole, let revision = whole.source as? GitRevision else { return }
    for root in roots where root.source is DiskSource {
      // Where git can't tell there is nothing to say.
      guard let path = try? revision.path(of: root.directory) else { continue }
      let (name, part) = (TerminalText.escaped(whole.directory), TerminalText.escaped(path))
      Messages.note(
        "'\(name)' is the whole repository, and '\(TerminalText.escaped(root.directory))' is only its "
          + "folder '\(part)'; that folder of the revision is '\(name):\(part)'")
      return
    }
  }
}
