import GeoChange
import GeoCore
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb
import Synchronization

/// `geomapper serve`: serves a map until a signal ends it.
enum ServeCommand {
  /// Limit of descriptors, for connections and for folders.
  private static let descriptors = 16_384

  @Sendable
  static func run(_ run: Run) throws(Failure) { try serve(run, greets: false) }

  /// Serves, and opens a browser if there is a display.
  @Sendable
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
  private static func server(
    _ wanted: ServerConfiguration, _ run: Run
  ) throws(Failure) -> Server {
    var configuration = wanted
    let own = ServedPort.of(run.low)
    configuration.port = run.low.serve.port.map { UInt16(clamping: $0) } ?? own
    do throws(ServerError) {
      return try Server(configuration)
    } catch {
      guard run.low.serve.port == nil, case .cannotListen(_, _, .addressInUse) = error else {
        throw Failure(error)
      }
    }
    configuration.port = 0
    let server = try wording { try Server(configuration) }
    run.note(
      "port \(own) is in use; this time it is \(server.port) (stars and tracks stay at \(own))")
    return server
  }

  /// The configuration for folders.
  static func configuration(_ run: Run) throws(Failure) -> ServerConfiguration {
    let inputs = try run.inputs(run.low.operands, read: .anywhere)
    var configuration = ServerConfiguration(roots: try inputs.checked)
    configuration.selection = inputs.selection
    configuration.layout = run.low.layout ?? .settled
    configuration.assets = PageAsset.all(of: .map)
    return configuration
  }

  /// The configuration for two states.
  private static func configurationOfTwoStates(
    _ low: LowArguments
  ) throws(Failure) -> ServerConfiguration {
    let selection = try Selection(low)
    let operands = low.operands.isEmpty ? [[UInt8(ascii: ".")]] : low.operands
    let states = try OpenState.states([low.serve.since, operands], low, now: nil)
    var configuration = ServerConfiguration(roots: states[1].roots)
    configuration.since = states[0].roots
    configuration.states = states.map(\.state)
    configuration.selection = selection
    configuration.layout = low.layout ?? .settled
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

  /// Whether a browser could open a window.
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
  /// The files of a page.
  ///
  /// - Parameter head: Lines to add to the page's head.
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

/// The data of `geomapper serve --history`: every node that ever existed, and the time line.
enum ServedHistory {
  static func configuration(_ low: LowArguments) throws(Failure) -> ServerConfiguration {
    var reading = HistoryReading(low)
    reading.readsSubjects = true
    // If this fails, reading the history reports why.
    let head = try? reading.head()
    let source = HistorySource(try reading.world().0)
    return configuration(
      of: source, HistoryFilter(), low, renewal(of: source, reading, since: head))
  }

  /// The configuration for a history.
  ///
  /// - Parameters:
  ///   - filter: The part to show.
  ///   - renew: Returns a newer version, or nil.
  static func configuration(
    of source: HistorySource, _ filter: HistoryFilter, _ low: LowArguments,
    _ renew: @escaping @Sendable () -> ServedDocument.Renewal?
  ) -> ServerConfiguration {
    var configuration = ServerConfiguration(roots: source.roots)
    configuration.layout = low.layout ?? .settled
    configuration.assets = PageAsset.all(of: .history)
    configuration.documents = [
      ServedDocument(
        path: "/history", event: "history", bytes: HistoryTimeline(source, filter: filter).text(),
        renew: renew)
    ]
    return configuration
  }

  /// Makes a check that reads the history again if the revision's commit has changed.
  private static func renewal(
    of source: HistorySource, _ reading: HistoryReading, since head: [UInt8]?
  ) -> @Sendable () -> ServedDocument.Renewal? {
    var quiet = reading
    quiet.isQuiet = true
    let (reading, known) = (quiet, KnownHead(head))
    return {
      // A pull or `git gc` may hide the commit for a moment; the next check finds it.
      guard let head = try? reading.head(), known.isNew(head), let read = try? reading.world()
      else { return nil }
      known.set(head)
      let next = HistorySource(read.0)
      return ServedDocument.Renewal(
        bytes: HistoryTimeline(next, filter: HistoryFilter()).text(), roots: next.roots
      ) { source.replace(by: read.0) }
    }
  }

  private final class KnownHead: Sendable {
    private let head: Mutex<[UInt8]?>

    init(_ head: [UInt8]?) { self.head = Mutex(head) }

    func isNew(_ other: [UInt8]) -> Bool { head.withLock { $0 != other } }

    func set(_ other: [UInt8]) { head.withLock { $0 = other } }
  }
}
