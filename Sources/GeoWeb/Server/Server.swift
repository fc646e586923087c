import GeoAtlas
import GeoCore
import GeoSystem

package struct Server {
  private let loop: EventLoop<Router>
  /// The address of the page.
  package let address: String
  package let port: UInt16
  /// Whether other machines can connect, with the token.
  package let isOpen: Bool

  /// It answers only after ``run()``. Throws `MapError` if the roots are invalid, and `Failure` with the
  /// system's reason as its cause if the port is in use.
  package init(_ configuration: ServerConfiguration) throws {
    let parts = try ServerParts(configuration)
    (address, port, isOpen) = (parts.address, parts.listener.port, !parts.listener.isLoopback)
    loop = try rethrowing(parts.loop(parts.router), as: ServerParts.failure)
  }

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

  static func failure(_ reason: Errno) -> Failure { .output("can't serve: \(reason)") }

  func loop<Handler>(_ handler: Handler) throws(Errno) -> EventLoop<Handler> {
    try EventLoop(
      listener, poller: poller, mailbox: Mailbox(waking: poller), limits: limits, handler: handler)
  }

  /// A host for an address: clients can't open those that mean all addresses, so this machine's
  /// replaces them.
  private static func shown(_ host: String) -> String {
    var host = host
    if host == "0.0.0.0" || host == "::" { host = ThisProcess.machineAddress ?? "localhost" }
    return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }
}
