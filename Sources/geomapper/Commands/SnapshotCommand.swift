import GeoCore
import GeoPipeline
import GeoTree
import GeoSources
import GeoSystem

extension Command {
  /// `geomapper snapshot`
  static let snapshot = Command(
    name: "snapshot",
    summary: "Keep what is in folders, to be mapped later.",
    usage: "snapshot [OPTION]... [[LABEL=]DIR]... -o FILE\n       geomapper snapshot --info FILE",
    description: [
      "Keep in FILE what is in some folders now: names, types, sizes, times, room taken, owners. "
        + "FILE can be mapped later, on any machine.",
      "What the selection leaves out is not entered and not asked for metadata, but its names and "
        + "types are in FILE: where the rest lies on the map depends on them.",
    ],
    options: Option.snapshot + Option.selection + Option.linksOfSnapshot + Option.redaction
      + Option.list + [.git],
    examples: [
      Example(
        line: "geomapper snapshot -o home.geosnap ~", effect: "Keep what the home folder has."),
      Example(
        line: "ssh host geomapper snapshot /srv > srv.geosnap",
        effect: "Fetch what a folder of another machine has."),
      Example(
        line: "geomapper snapshot --info home.geosnap", effect: "Tell what it holds, and check it."),
    ],
    statuses: ExitMeaning.usual(
      "All was kept, or the snapshot of --info is sound",
      incomplete: "The snapshot is complete but for what could not be read or vanished; the one of "
        + "--info is damaged.",
      wrong: "a folder, list, revision or snapshot that does not exist or can't be used"),
    run: SnapshotCommand.run)
}

extension Option {
  /// The options of `geomapper snapshot`, those apart that other commands have.
  static let snapshot: [Option] =
    [
      .output(
        "Write to FILE, which is replaced when the snapshot is complete and left alone if it "
          + "can't be; '-' is standard output, which must not be a terminal."),
      Option(
        name: "info", group: .output,
        help: "Tell what the snapshot FILE holds, read all of it, and name what is damaged.",
        brief: "Tell what a snapshot holds, and check it",
        effect: .value(placeholder: "FILE") { (low, text) in low.snapshotInfo = text }),
      reportFormat("of what --info tells."),
      readingDepth("The rest is not kept."),
    ] + map.filter { ["threads", "progress", "quiet", "help"].contains($0.name) }

  /// What is decided when a snapshot is taken.
  static let linksOfSnapshot = links.filter { ["one-file-system", "follow"].contains($0.name) }
}

/// `geomapper snapshot`: keeps what is in folders.
enum SnapshotCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      if let file = low.snapshotInfo { return try SnapshotInfo.run(file, low) }
      return try take(low)
    } catch {
      throw error.hinting(at: "\(Tool.name) snapshot --help")
    }
  }

  private static func take(_ low: LowArguments) throws(Failure) -> ExitStatus {
    var request: SnapshotRequest
    var isWhole = true
    if low.redaction.isAsked || low.redaction.keyFile != nil {
      let sources = try WorldSources(low, low.operands)
      request = SnapshotRequest(roots: sources.roots)
      request.scan.threads = low.threads
      isWhole = sources.status() == .success
    } else {
      request = try self.request(low, low.operands)
    }
    let now = ThisProcess.unixNanoseconds
    request.seconds = now / 1_000_000_000
    request.nanoseconds = UInt32(now % 1_000_000_000)
    if low.format != nil {
      throw .usage("--format goes with --info: a snapshot has a format of its own")
    }
    try low.checkEnding(against: nil, "a snapshot has a format of its own")
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    if place.isTerminal {
      throw .usage("a snapshot is nothing to look at: give a file with --output FILE")
    }
    request.scan.temporary = place.temporary
    let (progress, isQuiet) = (low.progress ?? .auto, low.isQuiet)

    if !MapPlan.canBeShown(request.roots, isQuiet: low.isQuiet) { isWhole = false }
    let status = try MainThreadExecutor().run { [request] in
      await Result { () async throws(Failure) in
        var request = request
        let report = Report(
          mode: progress, isQuiet: isQuiet, outputIsTerminal: false,
          total: request.selection.isActive ? nil : request.roots.entryCount)
        request.list?.listener = report.listListener
        let stream: SnapshotStream
        do throws(MapError) {
          stream = try await MapPipeline.openSnapshot(request)
        } catch {
          throw Failure(error)
        }
        return try await StreamOutput(name: "snapshot", report: report)
          .drain(stream, into: OutputFile(opening: place))
      }
    }.get()
    return status == .success && !isWhole ? .incomplete : status
  }

  /// What is to be kept of what operands name.
  static func request(
    _ low: LowArguments, _ operands: [[UInt8]]
  ) throws(Failure) -> SnapshotRequest {
    let list = try MapPlan.list(low)
    var request = SnapshotRequest(
      roots: list == nil
        ? try MapPlan.sources(low, operands) : [try MapPlan.rootOfList(operands)])
    request.list = list
    request.selection = try MapPlan.selection(low)
    request.scan.ownFolder = low.ownFolder
    request.scan.threads = low.threads
    request.scan.staysOnFileSystem = low.links.staysOnFileSystem
    request.scan.followsLinks = low.links.follows
    if let conflict = request.conflict { throw Failure(MapError.conflict(conflict)) }
    request.options = options(low)
    return request
  }

  /// The options that decide what is in a snapshot, as they could be typed.
  private static func options(_ low: LowArguments) -> [[UInt8]] {
    func option(_ name: String, _ value: [UInt8]? = nil) -> [UInt8] {
      Array("--\(name)".utf8) + (value.map { [UInt8(ascii: "=")] + $0 } ?? [])
    }
    var options = low.rules.map { rule in
      switch rule {
      case .exclude(let glob): option("exclude", Selection.ageless(glob))
      case .excludeFrom(let file): option("exclude-from", file)
      case .include(let glob): option("include", Selection.ageless(glob))
      case .noHidden: option("no-hidden")
      case .gitignore: option("gitignore")
      }
    }
    options += low.names.map { option("name", $0) }
    if let kinds = low.kinds {
      let letters = kinds.map(\.letter).sorted().joined(separator: ",")
      options.append(option("type", Array(letters.utf8)))
    }
    options += low.sizes.map { option("size", Array($0.text.utf8)) }
    if let newer = low.newer { options.append(option("newer", newer)) }
    if let older = low.older { options.append(option("older", older)) }
    if low.links.staysOnFileSystem { options.append(option("one-file-system")) }
    if low.links.follows { options.append(option("follow")) }
    if let depth = low.readingDepth { options.append(option("max-depth", Array("\(depth)".utf8))) }
    return options
  }
}
