import GeoGit
import GeoPath
import GeoPipeline
import GeoScan
import GeoSnapshot

extension MapPlan {
  /// What stands before a revision among other operands.
  private static let revisionMark = Array("git:".utf8)

  /// The roots that the operands name: folders, snapshots, and revisions of a git repository. The current
  /// folder if there are none, or its newest revision with `--git`.
  static func sources(_ low: LowArguments) throws(Failure) -> [ScanRoot] {
    let repository = low.gitRepository ?? [UInt8(ascii: ".")]
    if low.gitRepository?.isEmpty ?? false {
      throw .usage("--git needs the path of a repository; it is empty")
    }
    let isMarked = low.operands.contains { operand in
      (try? RootArgument(parsing: operand))?.directory.starts(with: revisionMark) ?? false
    }
    let areRevisions = low.gitRepository != nil && !isMarked
    var operands = low.operands
    if operands.isEmpty { operands = [areRevisions ? Array("HEAD".utf8) : [UInt8(ascii: ".")]] }
    var roots: [ScanRoot] = []
    for operand in operands {
      let argument: RootArgument
      do throws(RootError) {
        argument = try RootArgument(parsing: operand)
      } catch {
        throw .usage(error.description)
      }
      if areRevisions {
        roots.append(try revision(argument.directory, argument, of: repository))
      } else if argument.directory.starts(with: revisionMark) {
        let name = Array(argument.directory.dropFirst(revisionMark.count))
        roots.append(try revision(name, argument, of: repository))
      } else if Snapshot.begins(argument.directory) {
        roots += try snapshot(argument)
      } else {
        roots.append(try root(argument, given: operand))
      }
    }
    try refuse(low, with: roots)
    return roots
  }

  private static func revision(
    _ name: [UInt8], _ argument: RootArgument, of repository: [UInt8]
  ) throws(Failure) -> ScanRoot {
    do throws(GitError) {
      let revision = try GitRevision(name, of: repository)
      let label =
        if let label = argument.label { label } else {
          try GitRevision.label(of: name, in: repository)
        }
      return ScanRoot(label: label, directory: argument.directory, source: revision)
    } catch {
      throw .usage(error.description)
    }
  }

  private static func snapshot(_ argument: RootArgument) throws(Failure) -> [ScanRoot] {
    let snapshot: Snapshot
    do throws(SnapshotError) {
      snapshot = try Snapshot(opening: argument.directory)
    } catch {
      throw .usage(error.description)
    }
    if argument.label != nil, snapshot.header.roots.count > 1 {
      throw .usage(
        "the snapshot '\(TerminalText.escaped(argument.directory))' has "
          + "\(snapshot.header.roots.count) roots, each with a label of its own: give it no LABEL")
    }
    return snapshot.scanRoots(label: argument.label)
  }

  /// Refuses what was decided when a snapshot was taken, or goes with no revision.
  private static func refuse(
    _ low: LowArguments, with roots: [ScanRoot]
  ) throws(Failure) {
    let isIgnoring = low.rules.contains { if case .gitignore = $0 { true } else { false } }
    let options = [
      ("--gitignore", isIgnoring), ("--one-file-system", low.links.staysOnFileSystem),
      ("--follow", low.links.follows),
    ]
    guard let option = options.first(where: { $0.1 })?.0 else { return }
    for root in roots {
      if root.source is SnapshotSource {
        throw .usage(
          "\(option) is decided when a snapshot is taken: give it to 'geomapper snapshot', and not "
            + "with '\(TerminalText.escaped(root.directory))'")
      }
      if root.source is GitRevision {
        throw .usage(
          "\(option) needs a disk, and '\(TerminalText.escaped(root.directory))' is a revision: drop "
            + "one of them")
      }
    }
  }
}
