import GeoAtlas
import GeoCompress
import GeoPath
import GeoPipeline
import GeoProjection
import GeoScan
import GeoSelect
import GeoSystem
import GeoTile

/// A file that is part of the page.
public struct PageAsset: Sendable {
  /// Where it is, such as `/assets/page.js`; `/` for the page itself.
  public let path: String
  /// Its media type.
  public let type: String
  let bytes: [UInt8]
  let packed: [UInt8]
  let tag: String

  /// A file of the given content.
  public init(path: String, type: String, bytes: [UInt8]) {
    self.path = path
    self.type = type
    self.bytes = bytes
    packed = Gzip.compress(bytes)
    tag = "\"\(String(XXH64.hash(bytes.span, seed: 1), radix: 16))\""
  }
}

/// What is served, and how.
public struct ServerConfiguration: Sendable {
  /// The folders.
  public var roots: [ScanRoot]
  /// How sub-folders come by their land.
  public var layout = Layout.settled
  /// Which entries are shown.
  public var selection = Selection()
  /// Where to listen: a name or an address of this machine.
  public var host = "127.0.0.1"
  /// 0 for a port that is free.
  public var port: UInt16 = 0
  /// Origins of other pages that may ask, such as `https://example.org`.
  public var allowedOrigins: [[UInt8]] = []
  /// The files of the page.
  public var assets: [PageAsset] = []
  /// What the program calls its version.
  public var version = ""
  /// Bytes of listings that are kept.
  public var folderCacheLimit = 48 << 20
  /// Bytes of tiles that are kept.
  public var tileCacheLimit = 24 << 20

  /// A server of some folders.
  public init(roots: [ScanRoot]) { self.roots = roots }
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
        roots: configuration.roots, layout: configuration.layout,
        selection: configuration.selection, cacheLimit: configuration.folderCacheLimit)
    } catch {
      throw .unmappable(error)
    }
    let listener = try Self.listener(configuration)
    let isOpen = !listener.isLoopback
    self.isOpen = isOpen
    let port = listener.port
    do throws(Errno) {
      let token = isOpen ? try Gatekeeper.makeToken() : nil
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
