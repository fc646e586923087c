import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

extension MapPlan {
  /// How many bytes a deed may have.
  private static let longestDeed = 1 << 30

  /// Reads a deed.
  static func deed(from file: [UInt8]) throws(Failure) -> Deed {
    let shown = TerminalText.escaped(file)
    let path = file == [UInt8(ascii: "-")] ? Array("/dev/stdin".utf8) : file
    let text: [UInt8]
    do throws(Errno) {
      text = try FileSystem.readInput(path, limit: longestDeed)
    } catch {
      throw .usage("can't read the deed '\(shown)': \(error)")
    }
    do throws(DeedError) {
      return try Deed(text: text)
    } catch {
      if error == .foreign {
        throw .usage("'\(shown)' is no deed; deeds are made by 'geomapper deed'")
      }
      throw .usage("the deed '\(shown)' is \(error)")
    }
  }

  /// Gives the only root of a deed's world its label, whatever its folder is called here.
  static func name(_ roots: inout [ScanRoot], after deed: Deed, _ operands: [[UInt8]]) {
    guard deed.labels.count == 1, roots.count == 1 else { return }
    let given = operands.first.flatMap { try? RootArgument(parsing: $0) }
    if given?.label == nil { roots[0].label = deed.labels[0] }
  }
}

extension MapPlan {
  /// Says in a request what is to be done about links and mounts.
  static func apply(_ links: LinkArguments, to request: inout MapRequest) {
    request.scan.staysOnFileSystem = links.staysOnFileSystem
    request.scan.followsLinks = links.follows
    request.scan.countsLinks = links.countsLinks
    request.totals = links.totals
  }
}

extension MapPlan {
  /// The list that is read in place of a disk, if one is given.
  static func list(_ low: LowArguments) throws(Failure) -> ListSource? {
    let given = low.list
    guard let file = given.file else { return nil }
    if file.isEmpty { throw .usage("--files-from needs the name of a list; it is empty") }
    let isStandardInput = file == [UInt8(ascii: "-")]
    var source = ListSource(file: isStandardInput ? nil : file)
    source.format = given.format ?? .lines
    if given.format == nil, !isStandardInput, let kind = FileKind(at: file) {
      throw .usage("'\(TerminalText.escaped(file))' is no list of paths, but \(kind.advice)")
    }
    source.isZeroSeparated = given.isZeroSeparated
    return source
  }

  /// What the paths of a list begin with; the current folder if nothing is said.
  static func rootOfList(_ operands: [[UInt8]]) throws(Failure) -> ScanRoot {
    if operands.count > 1 {
      let shown = operands.map { "'\(TerminalText.escaped($0))'" }.joined(separator: " and ")
      throw .usage(
        "a list is about one folder, not \(shown): give one path that all in it begin with")
    }
    let argument: RootArgument
    do throws(RootError) {
      argument = try RootArgument(parsing: operands.first ?? [UInt8(ascii: ".")])
    } catch {
      throw .usage(error.description)
    }
    return ScanRoot(label: try labelOfList(argument), directory: argument.directory)
  }

  private static func labelOfList(_ argument: RootArgument) throws(Failure) -> [UInt8] {
    if let label = argument.impliedLabel { return label }
    do throws(Errno) {
      return RootArgument.label(ofRealPath: try ThisProcess.realPath(argument.directory))
    } catch {
      let shown = TerminalText.escaped(argument.directory)
      throw .usage("'\(shown)' gives the map no label; give one, such as NAME=\(shown)")
    }
  }
}

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
