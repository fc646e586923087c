import GeoAtlas
import GeoChange
import GeoFormats
import GeoCore
import GeoLive
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// The configuration of a server.
package struct ServerConfiguration: Sendable {
  /// The roots to serve.
  package var roots: [ScanRoot]
  /// The roots of an older state. If there are any, the world is the union of both states.
  package var since: [ScanRoot] = []
  /// The names and times of the two states, the older one first.
  package var states: [MapState] = []
  /// How sub-folders get their land.
  package var layout = Layout.settled
  /// Which entries to show.
  package var selection = Selection()
  /// Values of the user's own; nil for none.
  package var layers: LayerSet?
  /// Called once, when all folders have been counted for the first time.
  package var counted: (@Sendable () -> Void)?
  /// What sizes mean at first on the page, `files` or the name of a layer; nil for bytes.
  package var sizes: String?
  /// The name or address of this machine to listen on.
  package var host = "127.0.0.1"
  /// The port to listen on; 0 for any free port.
  package var port: UInt16 = 0
  /// Whether clients of this machine, too, need the token in the address. Without it any user of
  /// the machine can connect, unless the system prevents it.
  package var requiresToken = false
  /// Other origins whose pages may send requests.
  package var allowedOrigins: Set<WebOrigin> = []
  /// The files of the page.
  package var assets: [PageAsset] = []
  /// Additional documents, which may be replaced while they are served.
  package var documents: [ServedDocument] = []
  /// Additional answers.
  package var answers: [ServedAnswer] = []
  /// Reports changes on disk; with nil the server makes its own watcher.
  package var watcher: SharedWatcher?
  /// The film that the page draws, if it does so.
  var film: FilmPlan?
  /// The version of the program.
  package var version = ""
  /// The maximum number of bytes of cached listings.
  package var folderCacheLimit = 48 << 20
  /// The maximum number of bytes of cached tiles.
  package var tileCacheLimit = 24 << 20
  /// The maximum number of bytes of differences between the states in memory; the rest is in a
  /// scratch file.
  package var comparisonLimit = 64 << 20

  /// The measure of what differs between two states; nil for room on disk if both know it.
  package var measure: SizeMeasure?

  /// Makes a configuration for some roots.
  package init(roots: [ScanRoot]) { self.roots = roots }

  /// The comparison of the two states; nil for one state.
  var comparison: Comparison? {
    if since.isEmpty { return nil }
    var comparison = Comparison(old: since, new: roots)
    comparison.layout = layout
    comparison.selection = selection
    comparison.memory = comparisonLimit
    comparison.measure = measure
    return comparison
  }
}

/// An HTTP server of a world, for browsers and other clients.
package struct Server {
  private let loop: EventLoop<Router>
  /// The address of the page.
  package let address: String
  /// The port that it listens on.
  package let port: UInt16
  /// Whether other machines can connect, with the token.
  package let isOpen: Bool

  /// Makes a server that listens, but answers only after ``run()``.
  ///
  /// - Throws: `MapError` if the roots are invalid; `Failure`, with the system's reason as its cause
  ///   if the port is in use.
  package init(_ configuration: ServerConfiguration) throws {
    let parts = try ServerParts(configuration)
    (address, port, isOpen) = (parts.address, parts.listener.port, !parts.listener.isLoopback)
    loop = try rethrowing(parts.loop(parts.router), as: ServerParts.failure)
  }

  /// Serves until the process ends.
  package func run() throws(Errno) -> Never { try loop.run() }
}

extension ConnectionLimits {
  /// Makes limits that leave descriptors for folders.
  fileprivate init(descriptors: Int) {
    self.init()
    connections = max(16, min(connections, descriptors / 2 - 64))
  }
}

/// The parts of a server, which listens already.
struct ServerParts {
  let listener: Listener
  let router: Router
  let poller: Poller
  /// The address of the page, with the token if there is one.
  let address: String
  private let limits: ConnectionLimits

  init(_ configuration: ServerConfiguration) throws {
    var configuration = configuration
    ThisProcess.limitMemoryPools(to: 2)
    let world = try World(
      roots: configuration.comparison?.union ?? configuration.roots, layout: configuration.layout,
      selection: configuration.selection, cacheLimit: configuration.folderCacheLimit,
      layers: configuration.layers)
    listener = try Listener(host: configuration.host, port: configuration.port)
    do throws(Errno) {
      let token =
        !listener.isLoopback || configuration.requiresToken ? try Gatekeeper.makeToken() : nil
      let host = Self.shown(configuration.host)
      address =
        "http://\(host):\(listener.port)/"
        + (token.map { "?token=" + String(decoding: $0, as: UTF8.self) } ?? "")
      let gatekeeper = Gatekeeper(
        port: listener.port, host: Array(configuration.host.utf8).lowercased, token: token,
        origins: configuration.allowedOrigins)
      if let film = configuration.film, let token {
        configuration.assets = film.described(in: configuration.assets, of: world, token)
      }
      limits = ConnectionLimits(descriptors: FileSystem.descriptorLimit)
      router = try Router(
        world, configuration: configuration, gatekeeper: gatekeeper,
        link: token == nil ? nil : address, maximumListeners: limits.streams)
      for document in configuration.documents {
        try document.watch(for: router.live, router.totalsHub)
      }
      poller = try Poller()
    } catch {
      throw Self.failure(error)
    }
  }

  /// A system call failed, such as starting a thread.
  static func failure(_ reason: Errno) -> Failure { .output("can't serve: \(reason)") }

  /// The loop that answers requests by a handler.
  func loop<Handler>(_ handler: Handler) throws(Errno) -> EventLoop<Handler> {
    try EventLoop(
      listener, poller: poller, mailbox: Mailbox(waking: poller), limits: limits, handler: handler)
  }

  /// Returns a host for an address. Hosts that mean all addresses are replaced by this machine's,
  /// because clients can't open them.
  private static func shown(_ host: String) -> String {
    var host = host
    if host == "0.0.0.0" || host == "::" { host = ThisProcess.machineAddress ?? "localhost" }
    return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }
}
