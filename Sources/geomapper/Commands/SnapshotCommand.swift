import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

extension Command {
  /// `geomapper snapshot`
  static let snapshot = Command(
    id: .snapshot,
    summary: "Keep what is in folders, to be mapped later.",
    usage: "snapshot [OPTION]... [[LABEL=]DIR]... -o FILE\n       geomapper snapshot --info FILE",
    description: [
      "Keep in FILE what is in some folders now: names, types, sizes, times, room taken, owners. "
        + "FILE can be mapped later, on any machine.",
      "What the selection leaves out is not entered and not asked for metadata, but its names and "
        + "types are in FILE: where the rest lies on the map depends on them.",
    ],
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
    if list == nil { try low.checkDisk(of: request.roots) }
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

/// `geomapper snapshot --info`: tells what a snapshot holds, and whether it is sound.
enum SnapshotInfo {
  static func run(_ file: [UInt8], _ low: LowArguments) throws(Failure) -> ExitStatus {
    if !low.operands.isEmpty {
      throw .usage("--info tells of one snapshot; give no folders with it")
    }
    let format = try low.reportFormat()
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let snapshot: Snapshot
    do throws(SnapshotError) {
      snapshot = try Snapshot(opening: file)
    } catch {
      throw .usage(error.description)
    }
    let progress = low.progressLine()
    progress?.begin(of: Int(clamping: snapshot.folders))
    let list = FaultList(isQuiet: low.isQuiet, progress)
    let check = snapshot.check(
      report: { list.add([Snapshot.fault(ofLost: $0)]) },
      telling: { progress?.show(Int(clamping: $0), "folder") })
    list.finish()
    try OutputFile.write(
      format == .json ? json(of: snapshot, check) : Array(text(of: snapshot, check).utf8), to: place
    )
    return check.isSound ? .success : .incomplete
  }

  /// An option of a header as it would be typed now.
  private static func modern(_ option: [UInt8]) -> [UInt8] {
    for name in ["--exclude=", "--include="] where option.starts(with: name.utf8) {
      let start = name.utf8.count
      return option[..<start] + Selection.modern(Array(option[start...]))
    }
    return option
  }

  private static func json(of snapshot: Snapshot, _ check: SnapshotCheck) -> [UInt8] {
    let header = snapshot.header
    var json = JSONBuilder()
    json.object { json in
      json.member("snapshot", text: snapshot.path, raw: "rawSnapshot")
      json.member("taken", moment: header.seconds)
      json.member("of", text: Array(header.origin.words.utf8))
      json.key("roots")
      json.array { json in
        for root in header.roots {
          json.object { json in
            json.member("label", text: root.label, raw: "rawLabel")
            json.member("directory", text: root.directory, raw: "rawDirectory")
          }
        }
      }
      json.key("options")
      json.array { json in for option in header.options { json.value(text: modern(option)) } }
      json.key("knows")
      json.array { json in
        for word in header.knowledge.words { json.value(text: Array(word.utf8)) }
      }
      json.member("folders", Int64(clamping: check.folders))
      json.member("files", Int64(clamping: check.files))
      json.member("unreadable", Int64(clamping: check.unreadable))
      json.member("leftOut", Int64(clamping: check.leftOut))
      json.member("bytes", Int64(clamping: snapshot.length))
      json.member("blocks", Int64(clamping: snapshot.blocks))
      json.member("sound", check.isSound)
      json.member("lost", Int64(clamping: check.lost))
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private static func text(of snapshot: Snapshot, _ check: SnapshotCheck) -> String {
    let header = snapshot.header
    var text = ""
    func add(_ term: String, _ meaning: String) {
      text += (term + String(repeating: " ", count: max(1, 10 - term.count))) + meaning + "\n"
    }
    func count(_ number: UInt64, _ thing: String) -> String {
      Quantity.count(Int(clamping: number), thing)
    }
    add("snapshot", TerminalText.escaped(snapshot.path))
    add("taken", CivilTime.text(unixSeconds: header.seconds))
    add("of", header.origin.words)
    for root in header.roots {
      add("root", "\(TerminalText.escaped(root.label))=\(TerminalText.escaped(root.directory))")
    }
    for option in header.options { add("option", TerminalText.escaped(modern(option))) }
    if !header.knowledge.isEmpty {
      add("knows", header.knowledge.words.joined(separator: ", "))
    }
    add(
      "holds",
      count(check.folders, "folder") + ", " + count(check.files, "file") + ", "
        + "\(Int(clamping: check.unreadable).grouped) unreadable, "
        + "\(Int(clamping: check.leftOut).grouped) left out")
    add("size", Quantity.bytes(snapshot.length) + " in " + count(snapshot.blocks, "block"))
    if check.isSound {
      add("state", "sound")
    } else {
      if check.lost > 0 { add("state", "damaged: " + count(check.lost, "folder") + " lost") }
      if !check.isWhole { add("state", "the checksum of all is wrong") }
      if !check.countsFit {
        add(
          "state",
          "it says that it has " + count(snapshot.folders, "folder") + ", "
            + count(snapshot.files, "file"))
      }
    }
    return text
  }
}

extension SnapshotHeader.Origin {
  fileprivate var words: String {
    switch self {
    case .disk: "folders on a disk"
    case .list: "a list"
    case .git: "revisions of a git repository"
    }
  }
}

extension SnapshotKnowledge {
  fileprivate var words: [String] {
    let all: [(SnapshotKnowledge, String)] = [
      (.nanoseconds, "nanoseconds"), (.room, "room taken"), (.identity, "identity"),
      (.owner, "owners"), (.links, "links"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
