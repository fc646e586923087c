import GeoSources
import GeoCore
import GeoTree
import GeoSystem

extension MapPlan {
  /// Operands of which each tells whether it is a revision: beside one that is marked as such, one without a mark
  /// is a path if one is there, else a revision, which gets its mark.
  ///
  /// - Throws: What was tried, if it is neither.
  static func marked(_ operands: [[UInt8]], _ low: LowArguments) throws(Failure) -> [[UInt8]] {
    guard let repository = low.gitRepository, !repository.isEmpty,
      operands.contains(where: isMarked)
    else {
      return operands
    }
    var all: [[UInt8]] = []
    for operand in operands {
      guard !isMarked(operand), let argument = try? RootArgument(parsing: operand),
        !isPlainPath(argument.directory),
        (try? FileSystem.rootFacts(argument.directory)) == nil
      else {
        all.append(operand)
        continue
      }
      let name = argument.directory
      do throws(GitError) {
        _ = try GitRevision.commit(name.prefix { $0 != UInt8(ascii: ":") }, of: repository)
      } catch {
        let shown = TerminalText.escaped(name)
        throw .usage(
          "there is no file or folder '\(shown)' here, and no revision '\(shown)' in the repository "
            + "'\(TerminalText.escaped(repository))'")
      }
      all.append(operand.dropLast(name.count) + revisionMark + name)
    }
    return all
  }

  /// Whether a path can be nothing else: `/…`, `./…` or `../…`.
  private static func isPlainPath(_ path: [UInt8]) -> Bool {
    let first = path.firstComponent
    return first.isEmpty || first.elementsEqual(".".utf8) || first.elementsEqual("..".utf8)
  }

  /// Two revisions of one repository as roots, read as far as they differ; nil if the operands name anything
  /// else, or git can't tell them so.
  ///
  /// - Parameter operands: The operands of two states, the old one first.
  static func differing(
    _ operands: [[[UInt8]]], _ low: LowArguments
  ) throws(Failure) -> [ScanRoot]? {
    guard operands.count == 2, operands.allSatisfy({ $0.count == 1 }),
      low.gitRepository?.isEmpty != true
    else { return nil }
    let arguments = operands.joined().compactMap { try? RootArgument(parsing: $0) }
    let areMarked = arguments.map { $0.directory.starts(with: revisionMark) }
    guard arguments.count == 2, areMarked[0] == areMarked[1] else { return nil }
    if low.gitRepository == nil {
      // What lies on a disk comes before revisions.
      let isOnDisk = arguments.contains { (try? FileSystem.rootFacts($0.directory)) != nil }
      guard areMarked[0], !isOnDisk else { return nil }
    }
    let names = arguments.map { argument in
      areMarked[0] ? Array(argument.directory.dropFirst(revisionMark.count)) : argument.directory
    }
    return try differing(names, arguments, of: low.gitRepository ?? [UInt8(ascii: ".")])
  }

  private static func differing(
    _ names: [[UInt8]], _ arguments: [RootArgument], of repository: [UInt8]
  ) throws(Failure) -> [ScanRoot]? {
    // Another git says meanwhile what the repository is called.
    let label = SideWork { () throws(Errno) in
      Result { () throws(GitError) in try GitRevision.label(of: [], in: repository) }
    }
    label.begin()
    guard let pair = GitRevision.differing((names[0], names[1]), of: repository) else { return nil }
    do {
      return try zip(arguments, [pair.old, pair.new]).map { (argument, revision) in
        ScanRoot(
          label: try argument.label ?? GitRevision.label(of: revision.name) ?? label.finish().get(),
          directory: argument.directory, source: revision)
      }
    } catch let error as GitError {
      throw Failure(error)
    } catch {
      throw .usage("\(error)")
    }
  }
}
