import GeoAtlas
import GeoCore
import GeoFormats
import GeoLive
import GeoProjection
import GeoSystem
import Synchronization

/// Answers requests about a world.
final class Router: RequestHandler {
  let world: World
  let configuration: ServerConfiguration
  private let assets: [PageAsset]
  let gatekeeper: Gatekeeper
  let tiles: BoundedCache<TileKey, CachedTile>
  let live: LiveHub
  let totals: WorldTotals
  let totalsHub: TotalsHub
  let changesHub: ChangesHub?
  /// Threads for tiles and other short answers.
  let workers: WorkerPool
  /// Threads for searches, so that no search delays a tile.
  private let searchers: WorkerPool
  private let servedTiles = Atomic(0)
  let pending = PendingTiles()
  private let matches: MatchHub

  init(
    _ world: World, configuration: ServerConfiguration, gatekeeper: Gatekeeper, link: String?,
    maximumListeners: Int
  ) throws(Errno) {
    self.world = world
    self.configuration = configuration
    assets = configuration.assets.map {
      $0.path == "/" ? Self.page($0, of: world, configuration.sizes, link: link) : $0
    }
    self.gatekeeper = gatekeeper
    tiles = BoundedCache(limit: configuration.tileCacheLimit)
    matches = MatchHub(world)
    workers = try WorkerPool(threads: max(2, FileSystem.processors), limit: 1024)
    let (workers, matches) = (workers, matches)
    // With two states the totals are of the new one: removed files use no space.
    totals = WorldTotals(of: world, from: configuration.comparison?.new) {
      workers.isBusy || matches.isBusy
    }
    live = try LiveHub(
      LiveTree(world, totals: totals, sharing: configuration.watcher),
      maximumListeners: maximumListeners)
    totalsHub = TotalsHub(
      live, expected: configuration.expected, counted: configuration.counted)
    changesHub = configuration.comparison.map { [live] in
      ChangesHub($0, configuration.states, live: live)
    }
    searchers = try WorkerPool(threads: 2, limit: 64)
  }

  func handle(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
    (gatekeeper.refusal(of: request) ?? route(request, reply))?
      .adding(gatekeeper.fields(for: request))
  }

  func streamEnded(_ connection: UInt64) {
    live.remove(connection)
    totalsHub.remove(connection)
  }

  /// What is known of the world in addition to its listings: totals and differences.
  ///
  /// Both versions only increase, so their sum identifies any state of the two.
  var knowledge: (known: Knowledge, version: Int) {
    let (totals, changes) = (totals.known, changesHub?.changes.known)
    return (
      Knowledge(totals?.tree, changes?.tree), (totals?.version ?? 0) + (changes?.version ?? 0)
    )
  }

  /// The current version of ``knowledge``.
  var knowledgeVersion: Int { totals.version + (changesHub?.changes.version ?? 0) }

  /// Compares the states again because some differences are lost.
  func lost() -> HTTPResponse {
    changesHub?.again()
    return HTTPResponse(
      error: .unavailable, "part of what differs can't be read from its scratch file; try again")
  }

  var tileCount: Int { servedTiles.load(ordering: .relaxed) }

  func countTile() { servedTiles.wrappingAdd(1, ordering: .relaxed) }

  private func route(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
    guard let path = PercentText.decoded(request.path) else {
      return HTTPResponse(error: .badRequest, "the address can't be decoded")
    }
    let parts = path.dropFirst().components.map { Array($0) }
    guard let first = parts.first else { return notFound }
    if first.elementsEqual("tiles") { return tile(Array(parts.dropFirst()), request, reply) }
    switch parts.count == 1 ? String(decoding: first, as: UTF8.self) : "" {
    case "node": return later(request, reply) { $0.node(request) }
    case "summary": return later(request, reply) { $0.summary(request) }
    case "at": return later(request, reply) { $0.at(request) }
    case "sheet.svg":
      return later(request, reply, by: searchers) { (router) throws(Failure) in
        try router.sheet(request)
      }
    case "stats": return later(request, reply) { $0.stats() }
    case "search": return search(request, reply)
    case "matches": return matches.answer(request, reply)
    case "totals": return totalsHub.answer(request, reply)
    case "changes":
      if let changesHub { return changesHub.answer(request, reply, in: self) }
    case "events": return events(request, reply)
    case "tilejson.json": return tileJSON(request)
    case "style.json": return style(request, hasNames: false)
    case "style-labels.json": return style(request, hasNames: true)
    default: break
    }
    if let answer = configuration.answers.first(where: { $0.path.utf8.elementsEqual(path) }) {
      return later(request, reply, by: answer.isSlow ? searchers : nil) { _ in
        answer.make(request.parameter("path"))
          .map { HTTPResponse(type: FileFormat.json.mediaType, $0) }
          ?? HTTPResponse(error: .notFound, "nothing is known of this folder")
      }
    }
    return asset(path, request) ?? notFound
  }

  private var notFound: HTTPResponse { HTTPResponse(error: .notFound, "there is nothing here") }

  /// Makes an answer on a thread that may block. Pass ``searchers`` for slow answers.
  func later(
    _ request: HTTPRequest, _ reply: Reply, by pool: WorkerPool? = nil,
    _ body: @escaping @Sendable (Router) throws(Failure) -> HTTPResponse?
  ) -> HTTPResponse? {
    let isTaken = (pool ?? workers).add(for: reply) { [self] in
      let response: HTTPResponse?
      do throws(Failure) {
        response = try body(self)
      } catch {
        response = HTTPResponse(error: .badRequest, error.message)
      }
      if let response { send(response, for: request, to: reply) }
    }
    return isTaken ? nil : HTTPResponse(error: .unavailable, "too much to do; try again")
  }

  func send(_ response: HTTPResponse, for request: HTTPRequest, to reply: Reply) {
    reply.send(response.adding(gatekeeper.fields(for: request)))
  }

  /// `/search`: streams the nodes whose names match.
  func search(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
    guard let query = request.parameter("q") else {
      return HTTPResponse(error: .badRequest, "give what to look for: /search?q=…")
    }
    let limit = request.whole("limit") ?? 50
    guard let match = NameMatch(query) else {
      return HTTPResponse(error: .badRequest, "give up to 256 letters to look for")
    }
    let response = HTTPResponse(streamOf: FileFormat.jsonl.mediaType)
    if request.method == .head { return response }
    let isTaken = searchers.add(for: reply) { [self] in
      send(response, for: request, to: reply)
      SearchAnswer.send(
        NameSearch(for: match, limit: min(max(limit, 1), 500), in: world), to: reply)
      reply.finish()
    }
    return isTaken ? nil : HTTPResponse(error: .unavailable, "too many searches; try again")
  }

  private func events(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse {
    // A HEAD request doesn't add a listener.
    if request.method == .get, !live.add(reply) {
      return HTTPResponse(error: .unavailable, "too many pages listen already")
    }
    // The first piece is in the mailbox, so it is sent after the head.
    return HTTPResponse(streamOf: FileFormat.sse.mediaType)
  }

  private func asset(_ path: [UInt8], _ request: HTTPRequest) -> HTTPResponse? {
    let document = configuration.documents.first { $0.path.utf8.elementsEqual(path) }
    if path.elementsEqual("/".utf8), request.method == .get { prepareFirstTiles(for: request) }
    let asset = document?.asset ?? assets.first { $0.path.utf8.elementsEqual(path) }
    return asset?.representation(for: request).response(to: request)
  }

  private func stats() -> HTTPResponse {
    var writer = NodeWriter(world)
    let line = JSONBuilder.object { json in
      json.member("version", text: Array(configuration.version.utf8))
      json.member("projection", Int64(GeoProjectionEngine.version))
      json.member("foldersOpened", Int64(world.folderReads))
      json.member("cacheBytes", Int64(world.cacheCost + tiles.cost))
      json.member("tilesServed", Int64(tileCount))
      json.member("listeners", Int64(live.listenerCount))
      json.member("watchedFolders", Int64(live.tree.watchedCount))
      writer.putRoots(withCoasts: false, to: &json)
    }
    return HTTPResponse(line: line)
  }
}

extension HTTPRequest {
  func has(parameter name: StaticString) -> Bool { parameter(name) != nil }
}

extension Router {
  /// The URL template of tiles. It has the token if the client sent it in the address, and so may
  /// not send cookies.
  private func tileAddress(_ request: HTTPRequest) -> String {
    let token = gatekeeper.shownToken(request).map { "?token=\($0)" } ?? ""
    // The address of this server, as the client calls it.
    let host = String(decoding: request.field("host") ?? [], as: UTF8.self)
    return "http://\(host)/tiles/{z}/{x}/{y}.mvt\(token)"
  }

  /// `/tilejson.json`: a description of the tiles (TileJSON 3.0).
  func tileJSON(_ request: HTTPRequest) -> HTTPResponse {
    var description = TileJSON(of: world, tiles: tileAddress(request))
    description.hasDifferences = changesHub != nil
    return HTTPResponse(type: FileFormat.json.mediaType, description.encode())
  }

  /// `/style.json`: a style for MapLibre and QGIS; `/style-labels.json`: the same with names.
  func style(_ request: HTTPRequest, hasNames: Bool) -> HTTPResponse {
    var style = TileStyle(tiles: tileAddress(request))
    style.hasNames = hasNames
    return HTTPResponse(type: FileFormat.json.mediaType, style.encode())
  }

  /// Adds the description of the roots to the page, which saves its first request; and the link with
  /// the token, which the page can't read from its cookie.
  static func page(
    _ asset: PageAsset, of world: World, _ sizes: String?, link: String?
  ) -> PageAsset {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in
      writer.putRoots(withCoasts: true, to: &json)
      world.put(layersWithSizes: sizes, to: &json)
      if let link { json.member("link", text: Array(link.utf8)) }
    }
    let element =
      Array("<script type=\"application/json\" id=\"begin\">".utf8) + json.scriptBytes
      + Array("</script>\n<script>\(ServedPage.early)</script>\n".utf8)
    // A script after a style sheet would wait for it.
    return asset.adding(element, before: "<link rel=\"stylesheet\"")
  }

  /// `/node?path=` or `/node?rawPath=`: a node with its ancestors and its contents.
  func node(_ request: HTTPRequest) -> HTTPResponse {
    guard let path = request.parameter("path") ?? request.parameter("rawPath") else {
      return HTTPResponse(error: .badRequest, "give the path of a node: /node?path=LABEL/…")
    }
    guard let found = world.find(path) else {
      return HTTPResponse(error: .notFound, "there is no such path")
    }
    let limit = request.whole("children") ?? NodeWriter.defaultChildren
    let known = knowledge.known
    var writer = NodeWriter(world, totals: known.totals, changes: known.changes)
    // The path on this machine is only sent to this machine's users.
    let state = configuration.comparison?.new
    let file = gatekeeper.token == nil ? world.file(of: found, in: state) : nil
    let children = min(max(limit, 0), NodeWriter.maximumChildren)
    guard let answer = writer.answer(about: found, children: children, file: file) else {
      return HTTPResponse(error: .notFound, "it has just gone")
    }
    return known.isLost ? lost() : HTTPResponse(line: answer)
  }

  /// `/summary?path=` or `/summary?rawPath=`: the sums of a folder, its lands and files by size;
  /// without a path, those of the world.
  func summary(_ request: HTTPRequest) -> HTTPResponse {
    let path = request.parameter("path") ?? request.parameter("rawPath")
    let found = path.flatMap { world.find($0) }
    let known = knowledge.known
    // Apparent size is what the moments of a history have in common.
    let hasHistory = !configuration.documents.isEmpty
    let writer = SummaryWriter(
      world, totals: known.totals, changes: known.changes, measure: hasHistory ? .bytes : nil,
      isCompared: changesHub != nil, hasDisk: configuration.comparison == nil && !hasHistory)
    let answer = path == nil ? writer.answer() : found.flatMap { writer.answer(about: $0) }
    guard let answer else { return HTTPResponse(error: .notFound, "there is no such folder") }
    return known.isLost ? lost() : HTTPResponse(line: answer)
  }

  /// `/at?lon=&lat=&zoom=`: the deepest node that contains a point, and the nearest files.
  func at(_ request: HTTPRequest) -> HTTPResponse {
    guard let longitude = number(request, "lon"), (-180...180).contains(longitude),
      let latitude = number(request, "lat"), (-90...90).contains(latitude)
    else { return HTTPResponse(error: .badRequest, "give a point in degrees: /at?lon=…&lat=…") }
    let zoom = request.has(parameter: "zoom") ? number(request, "zoom") : 64
    guard let zoom, (0...64).contains(zoom) else {
      return HTTPResponse(error: .badRequest, "zoom is a number from 0 to 64")
    }
    var query = PointQuery(ExactPoint(longitude: longitude, latitude: latitude))
    query.zoom = Int(zoom)
    let answer = query.answer(in: world)
    let found = answer.folders.first?.last.flatMap { world.find($0.path) }
    var writer = NodeWriter(world)
    let line = JSONBuilder.object { json in
      json.key("node")
      json.value(raw: found.flatMap { writer.feature(of: $0) } ?? Array("null".utf8))
      json.member("ancestors", each: found?.ancestors.dropLast() ?? []) { writer.put($0, to: &$1) }
      json.member("nearest", objects: answer.files) { near, json in
        json.member("path", path: near.path)
        json.member("name", text: Array(near.path.lastComponent))
        json.member("distance", decimal: (near.distance * 100).rounded() / 100)
        json.put(near.place.coordinate, digits: near.digits)
      }
    }
    return HTTPResponse(line: line)
  }

  private func number(_ request: HTTPRequest, _ name: StaticString) -> Double? {
    request.text(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
