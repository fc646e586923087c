import GeoAtlas
import GeoChange
import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection
import GeoTree
import GeoSystem

/// What is served, and how.
public struct ServerConfiguration: Sendable {
  /// The folders.
  public var roots: [ScanRoot]
  /// The folders of an older state, with which these are compared: then the world is that of both.
  public var since: [ScanRoot] = []
  /// What the two states are called, the older one first.
  public var states: [MapState] = []
  /// How sub-folders come by their land.
  public var layout = Layout.settled
  /// Which entries are shown.
  public var selection = Selection()
  /// Where to listen: a name or an address of this machine.
  public var host = "127.0.0.1"
  /// 0 for a port that is free.
  public var port: UInt16 = 0
  /// Whether clients of this machine, too, need the token that the address has. Without it any user of
  /// the machine can connect, unless the system keeps them apart.
  public var requiresToken = false
  /// Origins of other pages that may ask.
  public var allowedOrigins: Set<WebOrigin> = []
  /// The files of the page.
  public var assets: [PageAsset] = []
  /// What is served beside the map and is replaced meanwhile.
  public var documents: [ServedDocument] = []
  /// What else is answered beside the map.
  public var answers: [ServedAnswer] = []
  /// What the program calls its version.
  public var version = ""
  /// Bytes of listings that are kept.
  public var folderCacheLimit = 48 << 20
  /// Bytes of tiles that are kept.
  public var tileCacheLimit = 24 << 20
  /// Bytes of what differs between two states that are in memory; the rest is in a scratch file.
  public var comparisonLimit = 64 << 20

  /// A server of some folders.
  public init(roots: [ScanRoot]) { self.roots = roots }

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
public enum ServerError: Error, Sendable, Hashable {
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
public struct Server {
  private let loop: EventLoop<Site>
  /// Where the page is to be found.
  public let address: String
  /// Whether programs of other machines can connect, if they have the token.
  public let isOpen: Bool

  /// A server that listens already, but answers nobody yet.
  public init(_ configuration: ServerConfiguration) throws(ServerError) {
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
      let live = try LiveHub(world, mostListeners: limits.streams)
      let site = try Site(
        world, configuration: configuration, gatekeeper: gatekeeper, live: live)
      for document in configuration.documents { try document.watch(for: live, site.totalsHub) }
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
  public func run() throws(Errno) -> Never { try loop.run() }
}

extension ConnectionLimits {
  /// Limits that leave descriptors for folders.
  fileprivate init(descriptors: Int) {
    self.init()
    connections = max(16, min(connections, descriptors / 2 - 64))
  }
}
