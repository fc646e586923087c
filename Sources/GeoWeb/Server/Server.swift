import GeoAtlas
import GeoChange
import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// What is served, and how.
package struct ServerConfiguration: Sendable {
  /// The folders.
  package var roots: [ScanRoot]
  /// The folders of an older state, with which these are compared: then the world is that of both.
  package var since: [ScanRoot] = []
  /// What the two states are called, the older one first.
  package var states: [MapState] = []
  /// How sub-folders come by their land.
  package var layout = Layout.settled
  /// Which entries are shown.
  package var selection = Selection()
  /// Where to listen: a name or an address of this machine.
  package var host = "127.0.0.1"
  /// 0 for a port that is free.
  package var port: UInt16 = 0
  /// Whether clients of this machine, too, need the token that the address has. Without it any user of
  /// the machine can connect, unless the system keeps them apart.
  package var requiresToken = false
  /// Origins of other pages that may ask.
  package var allowedOrigins: Set<WebOrigin> = []
  /// The files of the page.
  package var assets: [PageAsset] = []
  /// What is served beside the map and is replaced meanwhile.
  package var documents: [ServedDocument] = []
  /// What else is answered beside the map.
  package var answers: [ServedAnswer] = []
  /// Reports what happens on the disk; nil for a watcher of the server's own.
  package var watcher: (any FolderNotifier)?
  /// What the program calls its version.
  package var version = ""
  /// Bytes of listings that are kept.
  package var folderCacheLimit = 48 << 20
  /// Bytes of tiles that are kept.
  package var tileCacheLimit = 24 << 20
  /// Bytes of what differs between two states that are in memory; the rest is in a scratch file.
  package var comparisonLimit = 64 << 20

  /// A server of some folders.
  package init(roots: [ScanRoot]) { self.roots = roots }

  /// The two states; nil if there is one.
  var comparison: Comparison? {
    if since.isEmpty { return nil }
    var comparison = Comparison(old: since, new: roots)
    comparison.layout = layout
    comparison.selection = selection
    comparison.memory = comparisonLimit
    return comparison
  }
}

/// Why nothing can be served.
package enum ServerError: Error, Sendable, Hashable {
  /// The folders can't be those of a map.
  case unmappable(MapError)
  /// The host is neither an address nor a name that is known here.
  case unknownHost(String)
  /// The system doesn't let anybody listen there.
  case cannotListen(String, port: UInt16, Errno)
  /// The system refuses something else, such as a thread.
  case refused(Errno)
}

/// Serves a world to browsers and other clients of this machine.
package struct Server {
  private let loop: EventLoop<Site>
  /// Where the page is to be found.
  package let address: String
  /// Whether programs of other machines can connect, if they have the token.
  package let isOpen: Bool

  /// A server that listens already, but answers nobody yet.
  package init(_ configuration: ServerConfiguration) throws(ServerError) {
    ThisProcess.limitMemoryPools(to: 2)
    let world: World
    do throws(MapError) {
      world = try World(
        roots: configuration.comparison?.union ?? configuration.roots, layout: configuration.layout,
        selection: configuration.selection, cacheLimit: configuration.folderCacheLimit)
    } catch {
      throw .unmappable(error)
    }
    let listener = try Self.listener(configuration)
    let isOpen = !listener.isLoopback
    self.isOpen = isOpen
    let port = listener.port
    do throws(Errno) {
      let token = isOpen || configuration.requiresToken ? try Gatekeeper.makeToken() : nil
      let host = Self.shown(configuration.host)
      address =
        "http://\(host):\(port)/"
        + (token.map { "?token=" + String(decoding: $0, as: UTF8.self) } ?? "")
      let gatekeeper = Gatekeeper(
        port: port, host: Array(configuration.host.utf8).lowercased, token: token,
        origins: configuration.allowedOrigins)
      let limits = ConnectionLimits(descriptors: FileSystem.descriptorLimit)
      let site = try Site(
        world, configuration: configuration, gatekeeper: gatekeeper,
        mostListeners: limits.streams)
      for document in configuration.documents { try document.watch(for: site.live, site.totalsHub) }
      let poller = try Poller()
      loop = try EventLoop(
        listener, poller: poller, mailbox: Mailbox(waking: poller), limits: limits,
        handler: site)
    } catch {
      throw .refused(error)
    }
  }

  private static func listener(
    _ configuration: ServerConfiguration
  ) throws(ServerError) -> Listener {
    do throws(Listener.Failure) {
      return try Listener(host: configuration.host, port: configuration.port)
    } catch {
      switch error {
      case .unknownHost: throw .unknownHost(configuration.host)
      case .refused(let reason):
        throw .cannotListen(configuration.host, port: configuration.port, reason)
      }
    }
  }

  /// A host as it stands in an address; one that means all addresses is no place to go to.
  private static func shown(_ host: String) -> String {
    if host == "0.0.0.0" || host == "::" { return "localhost" }
    return host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
  }

  /// Serves until the process ends.
  package func run() throws(Errno) -> Never { try loop.run() }
}

extension ConnectionLimits {
  /// Limits that leave descriptors for folders.
  fileprivate init(descriptors: Int) {
    self.init()
    connections = max(16, min(connections, descriptors / 2 - 64))
  }
}
