import GeoSources
import GeoCore
import GeoPipeline
import GeoTree

extension MapPlan {
  /// What stands before a revision among other operands.
  static let revisionMark = Array("git:".utf8)

  /// The roots that operands name: folders, snapshots, and revisions of a git repository. The current
  /// folder if there are none, or its newest revision with `--git`.
  static func sources(_ low: LowArguments, _ operands: [[UInt8]]) throws(Failure) -> [ScanRoot] {
    let repository = low.gitRepository ?? [UInt8(ascii: ".")]
    if low.gitRepository?.isEmpty ?? false {
      throw .usage("--git needs the path of a repository; it is empty")
    }
    var operands = try marked(operands, low)
    let areRevisions = low.gitRepository != nil && !operands.contains(where: isMarked)
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
        do throws(Failure) {
          roots.append(try revision(name, argument, of: repository))
        } catch {
          guard (try? ScanRoot(label: [], directory: argument.directory).check()) != nil else {
            throw error
          }
          let shown = TerminalText.escaped(argument.directory)
          throw .usage("\(error.message); for the folder '\(shown)', give './\(shown)'")
        }
      } else if Snapshot.begins(argument.directory) {
        roots += try snapshot(argument)
      } else {
        roots.append(try root(argument, given: operand))
      }
    }
    if low.links.staysOnFileSystem {
      for index in roots.indices where roots[index].source is DiskSource {
        roots[index].source = DiskSource.withinFileSystem
      }
    }
    return roots
  }

  /// Names what is in revisions and can't be shown.
  ///
  /// - Returns: Whether all can.
  static func canBeShown(_ roots: [ScanRoot], isQuiet: Bool) -> Bool {
    nameUnshown(in: roots, isQuiet: isQuiet) == 0
  }

  /// Names what is in revisions and can't be shown; what several of them have, once.
  ///
  /// - Returns: How much there is.
  static func nameUnshown(in roots: [ScanRoot], isQuiet: Bool) -> Int {
    let list = FaultList(isQuiet: isQuiet)
    var named: Set<ScanFault> = []
    for root in roots {
      guard let revision = root.source as? GitRevision else { continue }
      list.add(
        revision.faults.map { fault in
          ScanFault(path: root.label.appending(component: fault.path), reason: fault.reason)
        }.filter { named.insert($0).inserted })
    }
    list.finish()
    return list.count
  }

  /// Whether all that the operands name is on a disk, as far as one look at each tells.
  static func areFolders(_ operands: [[UInt8]], _ low: LowArguments) -> Bool {
    if low.gitRepository != nil || low.list.file != nil { return false }
    return !operands.contains { operand in
      isMarked(operand)
        || (try? RootArgument(parsing: operand)).map { Snapshot.begins($0.directory) } ?? false
    }
  }

  /// Whether an operand is a revision among others.
  static func isMarked(_ operand: [UInt8]) -> Bool {
    (try? RootArgument(parsing: operand))?.directory.starts(with: revisionMark) ?? false
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
      throw Failure(error)
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
}
