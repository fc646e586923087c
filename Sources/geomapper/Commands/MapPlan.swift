import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb

/// What `geomapper map` is going to do: the arguments with all that follows from them.
struct MapPlan: Sendable {
  var request: MapRequest
  /// As it was given.
  let output: [UInt8]
  /// Whether somebody has said what is to be written, or where.
  let isDeliberate: Bool
  let progress: ProgressMode
  let isQuiet: Bool
  /// Whether all of a list could be used, where it was looked at before, and all of a revision be shown.
  private(set) var isWhole = true

  init(_ low: LowArguments) throws(Failure) {
    // Totals take two readings, and a part begins somewhere: neither goes with a list as it is. What is
    // told by other names is kept before.
    let isRedacted = low.redaction.isAsked || low.redaction.keyFile != nil
    if isRedacted, low.deeds.deed != nil {
      throw .usage("--redact needs the whole tree, and --deed maps a part of it: drop one of them")
    }
    if isRedacted || low.list.file != nil && (low.links.totals || low.deeds.deed != nil) {
      let sources = try WorldSources(low, low.operands)
      request = MapRequest(roots: sources.roots)
      request.selection = sources.selection
      isWhole = sources.status() == .success
    } else {
      let list = try Self.list(low)
      request = MapRequest(
        roots: list == nil
          ? try Self.sources(low, low.operands) : [try Self.rootOfList(low.operands)])
      request.list = list
      request.selection = try Self.selection(low)
      isWhole = Self.canBeShown(request.roots, isQuiet: low.isQuiet)
    }
    request.layout = low.layout ?? .settled
    if let file = low.deeds.deed {
      if low.layout != nil {
        throw .usage("--layout can't be given with --deed: the deed says the layout")
      }
      let deed = try Self.deed(from: file)
      Self.name(&request.roots, after: deed, low.operands)
      request.deed = deed
    }
    request.filter.zoom = low.zoom
    request.filter.box = low.box
    request.filter.maxDepth = low.maxDepth
    request.format = low.format?.ofMap?.complete ?? .geojson
    request.tippecanoe = low.tippecanoe
    request.lonlat = low.lonlat
    request.isIndexed = low.isIndexed
    request.compression = low.compression
    request.quotesAll = low.quotesAll
    request.scan.threads = low.threads
    request.scan.ownFolder = low.ownFolder
    request.scan.readsMetadata = low.readsMetadata
    Self.apply(low.links, to: &request)
    if isRedacted {
      // That was done when the names were read.
      request.scan.staysOnFileSystem = false
      request.scan.followsLinks = false
    }
    if let conflict = request.conflict { throw Failure(MapError.conflict(conflict)) }
    output = low.output ?? [UInt8(ascii: "-")]
    isDeliberate =
      low.output != nil || low.format != nil || low.tippecanoe || request.filter.isActive
      || request.selection.isActive
    progress = low.progress ?? .auto
    isQuiet = low.isQuiet
  }

  /// The folder that an operand names.
  static func root(
    _ argument: RootArgument, given operand: [UInt8]
  ) throws(Failure) -> ScanRoot {
    let root = ScanRoot(label: try label(of: argument), directory: argument.directory)
    if argument.label != nil { try check(root, given: operand) }
    return root
  }

  /// Roots, each of which is there, in the order of their labels.
  static func checked(_ roots: [ScanRoot]) throws(Failure) -> [ScanRoot] {
    do throws(MapError) {
      return try MapPipeline.roots(roots, readsDisk: true)
    } catch {
      throw Failure(error)
    }
  }

  /// A label for the argument.
  private static func label(of argument: RootArgument) throws(Failure) -> [UInt8] {
    if let label = argument.impliedLabel { return label }
    do throws(Errno) {
      return RootArgument.label(ofRealPath: try ThisProcess.realPath(argument.directory))
    } catch {
      let root = ScanRoot(label: [], directory: argument.directory)
      do throws(ScanRoot.Failure) {
        try root.check()
      } catch {
        throw Failure(MapError(error, directory: root.directory))
      }
      // It is there, but has no path any more, as the current folder when it was removed.
      let shown = TerminalText.escaped(root.directory)
      throw .usage(
        "can't tell the real path of '\(shown)', and with it its label: \(error); "
          + "give it a LABEL, such as NAME=\(shown)")
    }
  }

  /// Looks whether `a=b` was meant as the name of a folder.
  private static func check(_ root: ScanRoot, given operand: [UInt8]) throws(Failure) {
    do throws(ScanRoot.Failure) {
      try root.check()
    } catch {
      let failure = Failure(MapError(error, directory: root.directory))
      if (try? ScanRoot(label: [], directory: operand).check()) == nil { throw failure }
      let shown = TerminalText.escaped(operand)
      throw .usage("\(failure.message); for the folder '\(shown)', give './\(shown)'")
    }
  }
}

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
    let progress = low.progressLine()
    defer { progress?.clear() }
    var roots: [ScanRoot] = []
    for operand in operands {
      let argument: RootArgument
      do throws(RootError) {
        argument = try RootArgument(parsing: operand)
      } catch {
        throw .usage(error.description)
      }
      if areRevisions {
        roots.append(try revision(argument.directory, argument, of: repository, progress))
      } else if argument.directory.starts(with: revisionMark) {
        let name = Array(argument.directory.dropFirst(revisionMark.count))
        do throws(Failure) {
          roots.append(try revision(name, argument, of: repository, progress))
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
    _ name: [UInt8], _ argument: RootArgument, of repository: [UInt8], _ progress: Progress?
  ) throws(Failure) -> ScanRoot {
    progress?.begin("revision \(TerminalText.escaped(name))")
    do throws(GitError) {
      let revision = try GitRevision(name, of: repository) { progress?.show($0, "name") }
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

extension LowArguments {
  /// Whether anything is to be left out.
  var selects: Bool {
    readingDepth != nil || !rules.isEmpty || !names.isEmpty || kinds != nil || !sizes.isEmpty
      || newer != nil
      || older != nil
  }
}

extension MapPlan {
  /// How many bytes a file of globs may have.
  private static let largestFile = 64 << 20

  /// What the arguments select.
  static func selection(_ low: LowArguments) throws(Failure) -> Selection {
    var selection = Selection()
    do throws(GlobError) {
      for name in low.names { try selection.requireName(name) }
    } catch {
      throw .usage("--name does not take a pattern: \(error)")
    }
    for rule in low.rules { try add(rule, to: &selection) }
    if let depth = low.readingDepth { try exclude(below: depth, in: &selection) }
    if let kinds = low.kinds { selection.requireKinds(kinds) }
    for condition in low.sizes { selection.requireSize(condition) }
    if let text = low.newer { selection.newer = try seconds(of: text, for: "--newer") }
    if let text = low.older { selection.older = try seconds(of: text, for: "--older") }
    return selection
  }

  private static func add(_ rule: LowRule, to selection: inout Selection) throws(Failure) {
    do throws(GlobError) {
      switch rule {
      case .exclude(let glob): try selection.exclude(glob)
      case .include(let glob): try selection.include(glob)
      case .noHidden: selection.excludeHidden()
      case .gitignore: selection.excludeIgnored()
      case .excludeFrom: break
      }
    } catch {
      throw .usage("a pattern can't be used: \(error)")
    }
    if case .excludeFrom(let file) = rule { try exclude(from: file, in: &selection) }
  }

  /// Leaves out what is deeper, whatever the rules before say.
  private static func exclude(below depth: Int, in selection: inout Selection) throws(Failure) {
    // No path has more names.
    if depth >= 2048 { return }
    let names = [[UInt8]](repeating: [UInt8(ascii: "*")], count: depth + 1)
    try add(.exclude([.slash] + names.joined(separator: [.slash])), to: &selection)
  }

  private static func exclude(
    from file: [UInt8], in selection: inout Selection
  ) throws(Failure) {
    let name = TerminalText.escaped(file)
    let path = file == [UInt8(ascii: "-")] ? Array("/dev/stdin".utf8) : file
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileSystem.readInput(path, limit: largestFile)
    } catch {
      throw .usage("--exclude-from can't read '\(name)': \(error)")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let glob = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      if glob.isEmpty || glob.first == UInt8(ascii: "#") { continue }
      do throws(GlobError) {
        if glob.first == UInt8(ascii: "!") {
          try selection.include(Array(glob.dropFirst()), selectively: false)
        } else {
          try selection.exclude(glob)
        }
      } catch {
        throw .usage("--exclude-from: line \(index + 1) of '\(name)' is no pattern: \(error)")
      }
    }
  }

  /// The time that a date says, or the one at which a file was changed.
  private static func seconds(of text: [UInt8], for option: String) throws(Failure) -> Int64 {
    if let seconds = Moment.seconds(parsing: text) { return seconds }
    do throws(Errno) {
      return try FileSystem.rootFacts(text).modified
    } catch {
      throw .usage(
        "\(option) takes a date such as 2026-01-31 or 2026-01-31T12:00Z, @SECONDS, or a file; "
          + "'\(TerminalText.escaped(text))' is no date, and as a file: \(error)")
    }
  }
}
