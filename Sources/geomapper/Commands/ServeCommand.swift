import GeoChange
import GeoCore
import GeoLive
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb

extension Command {
  /// The tool without a command, on a terminal: `serve`, with a browser if there is a display.
  static let open = Command(
    id: serve.id, summary: serve.summary, usage: serve.usage, description: serve.description,
    examples: serve.examples, statuses: serve.statuses, rules: serve.rules,
    run: ServeCommand.open)

  static let serve = Command(
    id: .serve,
    summary: "Show folders in the browser.",
    usage: "serve [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper serve [OPTION]... --git REPO [[LABEL=]REV]...\n"
      + "       geomapper serve --history [OPTION]... --git REPO [[LABEL=]REV]\n"
      + "       geomapper serve --history [OPTION]... [LABEL=]STATE...\n"
      + "       geomapper serve --history --kept [OPTION]... [[LABEL=]DIR]\n"
      + "       geomapper serve --replay FILE [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Show folders as a map in the browser. Only what you look at is read, so it starts "
        + "at once on any tree. The address is printed, the same each time for the same folders; "
        + "Ctrl-C ends it.",
      "Only programs on this machine can connect, of any user (see --token), and no other "
        + "web page gets an answer. Other programs can read vector tiles from it "
        + "(/tilejson.json, /style.json). In an SSH session the terminal also gets the command "
        + "that lets the user's own machine connect.",
    ],
    examples: [
      "geomapper serve --open ~": "Show the home folder.",
      "geomapper serve --git . v1.0": "Show a revision of this repository.",
      "geomapper serve --history --git .": "Play the history of this repository.",
      "geomapper serve --replay build.json src": "Play a recording on the map of src.",
      "geomapper serve --port 8080 old=backup/src new=src":
        "Show two folders as two continents, at port 8080.",
    ],
    statuses: [
      ("2", "Wrong usage, or a folder that does not exist."),
      ("3", "Can't listen there, or start threads."),
      ("128+N", "Ended by signal N. No partial file is left."),
    ],
    rules: [.history(when: .option("history"))],
    run: ServeCommand.run)
}

enum ServeCommand {
  /// Limit of descriptors, for connections and for folders.
  private static let descriptors = 16_384

  static func run(_ run: Run) throws(Failure) { try serve(run, greets: false) }

  static func open(_ run: Run) throws(Failure) { try serve(run, greets: true) }

  private static func serve(_ run: Run, greets: Bool) throws(Failure) {
    let low = run.low
    var configuration =
      if low.serve.showsHistory {
        try ServedHistory.configuration(low)
      } else if !low.serve.since.isEmpty {
        try configurationOfTwoStates(low)
      } else if let path = low.serve.recording {
        try ServedRecording.configuration(path, run)
      } else {
        try self.configuration(run)
      }
    configuration.layout = run.low.chosenLayout
    if let sampling = low.record.sampling {
      try ServedSamples.add(every: sampling, to: &configuration, low)
    }
    ServedKept.add(to: &configuration, low)
    if let host = low.serve.host { configuration.host = host }
    configuration.allowedOrigins = low.serve.origins
    configuration.requiresToken = low.serve.requiresToken
    configuration.version = Tool.version
    FileSystem.raiseDescriptorLimit(to: descriptors)
    let server = try server(configuration, run)
    try serve(server, configuration, opensBrowser: low.serve.opensBrowser, greets: greets)
  }

  /// Makes the server, at the port of the folders if none is given.
  private static func server(_ wanted: ServerConfiguration, _ run: Run) throws(Failure) -> Server {
    var configuration = wanted
    let own = ServedPort.of(run.low)
    configuration.port = run.low.serve.port.map { UInt16(clamping: $0) } ?? own
    do throws(Failure) {
      return try wording { try Server(configuration) }
    } catch {
      if run.low.serve.port != nil || error.cause as? Errno != .addressInUse { throw error }
    }
    configuration.port = 0
    let server = try wording { try Server(configuration) }
    run.note(
      "port \(own) is in use; this time it is \(server.port) (stars and tracks stay at \(own))")
    return server
  }

  static func configuration(_ run: Run) throws(Failure) -> ServerConfiguration {
    let inputs = try run.inputs(run.low.operands, read: .anywhere)
    var configuration = ServerConfiguration(roots: try inputs.roots.checked)
    configuration.selection = inputs.selection
    configuration.layers = try run.low.layers.open(inputs)
    configuration.sizes = try run.low.layers.sizes(configuration.layers)
    configuration.expected = ExpectedEntries(of: configuration.roots, run.low).map {
      ($0.count, $0.basis)
    }
    if let layers = configuration.layers, !run.low.isQuiet {
      configuration.counted = {
        if let note = try? layers.unmatched().note { Messages.note(note) }
      }
    }
    configuration.assets = PageAsset.all(of: .map)
    return configuration
  }

  private static func configurationOfTwoStates(
    _ low: LowArguments
  ) throws(Failure) -> ServerConfiguration {
    let selection = try Selection(low)
    let operands = low.operands.isEmpty ? [[UInt8(ascii: ".")]] : low.operands
    let states = try OpenState.states([low.oldStates, operands], low, now: nil)
    var configuration = ServerConfiguration(roots: states[1].roots)
    configuration.since = states[0].roots
    configuration.measure = low.measure
    configuration.states = states.map(\.state)
    configuration.selection = selection
    configuration.assets = PageAsset.all(of: .changes)
    return configuration
  }

  private static func serve(
    _ server: Server, _ configuration: ServerConfiguration, opensBrowser: Bool, greets: Bool
  ) throws(Failure) {
    var greeting = ""
    if Terminal.isTerminal(Descriptor.standardOutput) {
      greeting = Greeting.reach(server, at: configuration.host)
    }
    if greets { greeting += Greeting.text(for: configuration.roots) }
    try StandardOutput.print("\(server.address)\n\(greeting)")
    // Without --open the browser is optional, so say nothing if it can't be opened.
    let triesBrowser = opensBrowser || greets && hasDisplay
    if triesBrowser, !show(server.address), opensBrowser {
      Messages.write("\(Tool.name): no browser could be opened; open the address yourself\n")
    }
    try explaining("the server can't go on", as: .output) { try server.run() }
  }

  private static var hasDisplay: Bool {
    #if canImport(Darwin)
      ThisProcess.environment("SSH_CONNECTION") == nil
    #else
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { ThisProcess.environment($0)?.isEmpty == false }
    #endif
  }

  private static func show(_ address: String) -> Bool {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    return ThisProcess.runShell(
      "command -v \(program) >/dev/null && { \(program) \"$0\" >/dev/null 2>&1 & }", address)
  }
}

extension PageAsset {
  static func all(of page: ServedPage, head: String = "") -> [PageAsset] {
    page.files.map { file in
      if file.name != PageFile.index.name {
        return PageAsset(path: "/assets/\(file.name)", type: file.type, bytes: file.bytes)
      }
      var bytes = file.bytes
      let place = bytes.firstRange(of: Array("<title>".utf8))?.lowerBound ?? bytes.count
      bytes.insert(contentsOf: head.utf8, at: place)
      return PageAsset(path: "/", type: file.type, bytes: bytes)
    }
  }
}

/// The data of `geomapper serve --replay`: a recording on the map of its folders, or on a map of
/// its events only.
private enum ServedRecording {
  /// The largest recording that a browser can play, in bytes.
  private static let maximum = 256 << 20

  static func configuration(_ path: [UInt8], _ run: Run) throws(Failure) -> ServerConfiguration {
    let file = try RecordingFile(path, run.low)
    let metadata = try file.read().metadata
    run.low.layout = run.low.layout ?? metadata.layout.flatMap { Layout(rawValue: $0.text) }
    let low = run.low
    var configuration =
      if low.operands.isEmpty, low.gitRepository == nil, low.list.file == nil {
        try withoutFolders(by: metadata, low.chosenLayout)
      } else {
        try ServeCommand.configuration(run)
      }
    let head = low.record.speed.map { "<meta name=\"speed\" content=\"\($0)\">\n" } ?? ""
    configuration.assets = PageAsset.all(of: .replay, head: head)
    configuration.assets.append(
      PageAsset(
        path: "/recording", type: "application/json", bytes: try file.bytes(limit: maximum)))
    return configuration
  }

  /// The configuration for a recording without its folders: the page knows only its events.
  private static func withoutFolders(
    by metadata: RecordingMetadata, _ layout: Layout
  ) throws(Failure) -> ServerConfiguration {
    let labels = metadata.roots.isEmpty ? [Array("recording".utf8)] : metadata.roots
    let world = try wording { try HistoryWorld.empty(labels: labels, layout) }
    return ServerConfiguration(roots: HistorySource(world).roots)
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

/// The port that belongs to a set of folders, so that their addresses and what a browser keeps for
/// them last.
enum ServedPort {
  /// The ports that no service has (RFC 6335).
  static let dynamic = 49_152...65_535

  /// It depends on their real paths alone: not on labels, on their order, or on the current folder.
  static func of(_ low: LowArguments) -> UInt16 { port(of: names(low)) }

  static func port(of names: [[UInt8]]) -> UInt16 {
    let sorted = Set(names).sorted { $0.lexicographicallyPrecedes($1) }
    let digest = SHA256.digest(Array(sorted.joined(separator: [0])))
    let number = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return UInt16(dynamic.lowerBound + number % dynamic.count)
  }

  private static func names(_ low: LowArguments) -> [[UInt8]] {
    let repository = low.gitRepository.map { [realPath($0)] } ?? []
    let directories = low.operands.map { operand in
      (try? RootArgument(parsing: operand))?.directory ?? operand
    }
    // Revisions are kept as typed.
    if !repository.isEmpty { return repository + directories }
    if !directories.isEmpty { return directories.map(realPath) }
    if let file = low.list.file ?? low.serve.recording { return [realPath(file)] }
    return [realPath([UInt8(ascii: ".")])]
  }

  private static func realPath(_ path: [UInt8]) -> [UInt8] {
    (try? ThisProcess.realPath(path)) ?? path
  }
}
