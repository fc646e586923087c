import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import Synchronization

struct TileKey: Hashable, Sendable {
  var tile: TileAddress
  var format: TileFormat
  var isPacked: Bool
}

/// A computed tile with the version stamps of the folders that it was made from.
final class CachedTile: Sendable {
  let representation: Representation
  let folders: [FolderStamp]
  /// Whether it shows sizes and times of files, which may change without changing the folder.
  let hasFiles: Bool
  let isEmpty: Bool
  /// When its computation began, in nanoseconds: changes since then may be missing.
  let made: Int64
  /// The version of the totals and differences that it shows.
  let knowledge: Int
  private let checked: Atomic<Int64>
  private let changes: Atomic<Int>

  init(_ tile: World.Tile, _ key: TileKey, knowledge: Int, made: Int64, changes: Int) {
    self.knowledge = knowledge
    let body = key.format.encode(tile.content)
    isEmpty = tile.content.isEmpty
    hasFiles = tile.content.hasFiles
    representation = Representation(
      type: key.format.file.mediaType,
      body: key.isPacked ? Gzip.compress(body) : body,
      hash: XXH64.hash(body.span, seed: 1), isPacked: key.isPacked)
    folders = tile.folders
    self.made = made
    checked = Atomic(made)
    self.changes = Atomic(changes)
  }

  /// The approximate size in memory. Version stamps are shared by tiles, and each tile counts a
  /// part of them.
  var cost: Int { representation.body.count + 256 + 48 * folders.count }

  func isFresh(now: Int64, changes: Int) -> Bool {
    now - checked.load(ordering: .relaxed) < World.trust
      && self.changes.load(ordering: .relaxed) == changes
  }

  func setChecked(now: Int64, changes: Int) {
    checked.store(now, ordering: .relaxed)
    self.changes.store(changes, ordering: .relaxed)
  }
}

extension Router {
  /// How long sizes and times of files in unwatched folders are used without checking, in
  /// nanoseconds.
  private static let patience: Int64 = 2_000_000_000

  /// `/tiles/{z}/{x}/{y}.mvt` (or `.pbf`, the same) or `.json`.
  func tile(_ parts: [[UInt8]], _ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
    guard let key = Self.key(parts, packed: request.takesGzip) else {
      return HTTPResponse(
        error: .notFound,
        "tiles are /tiles/Z/X/Y.mvt, .pbf or .json, Z from 0 to \(TileAddress.maximumZoom)")
    }
    if let tile = freshTile(key) {
      watchAside(tile)
      return response(tile, request)
    }
    if request.has(parameter: "soon") { return tileSoon(key, request, reply) }
    return later(request, reply) { router in
      router.make(key, isUnwanted: { reply.isCancelled }) { _ in
        [PendingTiles.Request(reply: reply, request: request)]
      }
      return nil
    }
  }

  /// Makes a tile, sends it to the requests that `end` returns, and watches its folders for them.
  func make(
    _ key: TileKey, isUnwanted: @escaping @Sendable () -> Bool,
    then end: (CachedTile?) -> [PendingTiles.Request]
  ) {
    let made = currentTile(key, isUnwanted: isUnwanted)
    let requests = end(made.tile)
    for request in requests {
      let answer =
        made.isLost
        ? lost()
        : made.tile.map { response($0, request.request) }
          ?? HTTPResponse(error: .unavailable, "the tile was dropped; try again")
      send(answer, for: request.request, to: request.reply)
    }
    if let tile = made.tile, !requests.isEmpty { live.tree.watch(tile.folders) }
  }

  /// A tile that can be served without checking the disk.
  private func freshTile(_ key: TileKey) -> CachedTile? {
    guard let tile = tiles.value(for: key), tile.knowledge == knowledgeVersion,
      tile.isFresh(now: ThisProcess.nanoseconds, changes: live.tree.changeCount)
    else { return nil }
    return tile
  }

  /// Watches the folders of a tile that was made before its page requested it, on another thread.
  func watchAside(_ tile: CachedTile) {
    if live.listenerCount == 0 { return }
    _ = workers.add(for: nil) { [live] in live.tree.watch(tile.folders) }
  }

  /// The zoom of the first tiles that a page requests, in a window that shows the whole world.
  private static let firstZoom = 2

  /// Computes the first tiles that a page requests, middle ones first, while the browser still
  /// parses the page.
  func prepareFirstTiles(for request: HTTPRequest) {
    let count = 1 << Self.firstZoom
    let places = (0..<count * count).map { (x: $0 % count, y: $0 / count) }
    // Twice the distance from the middle.
    func distance(_ place: (x: Int, y: Int)) -> Int {
      abs(2 * place.x - count + 1) + abs(2 * place.y - count + 1)
    }
    for place in places.sorted(by: { distance($0) < distance($1) }) {
      guard let tile = TileAddress(zoom: Self.firstZoom, x: place.x, y: place.y) else { continue }
      let key = TileKey(tile: tile, format: .vector, isPacked: request.takesGzip)
      if freshTile(key) == nil { make(key, for: nil) }
    }
  }

  private static func key(_ parts: [[UInt8]], packed: Bool) -> TileKey? {
    guard parts.count == 3, let zoom = number(parts[0][...]), let x = number(parts[1][...]),
      let dot = parts[2].firstIndex(of: UInt8(ascii: ".")), let y = number(parts[2][..<dot]),
      let tile = TileAddress(zoom: zoom, x: x, y: y)
    else { return nil }
    let format: TileFormat
    switch String(decoding: parts[2][dot...], as: UTF8.self) {
    case ".mvt", ".pbf": format = .vector
    case ".json": format = .geojson
    default: return nil
    }
    return TileKey(tile: tile, format: format, isPacked: packed)
  }

  /// Parses a number without leading zeros, so that each tile has one address.
  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.count <= 10, text.count == 1 || text.first != UInt8(ascii: "0") else { return nil }
    return Int64(wholeNumber: text).map { Int($0) }
  }

  private func currentTile(
    _ key: TileKey, isUnwanted: @escaping @Sendable () -> Bool
  ) -> (tile: CachedTile?, isLost: Bool) {
    let now = ThisProcess.nanoseconds
    let changes = live.tree.changeCount
    let (known, version) = knowledge
    if let tile = tiles.value(for: key), tile.knowledge == version, stillHolds(tile, now: now) {
      tile.setChecked(now: now, changes: changes)
      return (tile, false)
    }
    let made = world.tile(key.tile, known, isUnwanted: isUnwanted)
    if known.isLost { return (nil, true) }
    guard let made else { return (nil, false) }
    let tile = CachedTile(made, key, knowledge: version, made: now, changes: changes)
    // A tile must not be cached if one of its listings must not.
    if tile.folders.allSatisfy({ $0.stamp != nil }) {
      tiles.insert(tile, for: key, cost: tile.cost)
    }
    return (tile, false)
  }

  private func stillHolds(_ tile: CachedTile, now: Int64) -> Bool {
    if live.tree.saw(nothingIn: tile.folders, since: tile.made) { return true }
    if tile.hasFiles && now - tile.made > Self.patience { return false }
    return tile.folders.allSatisfy { world.isUnchanged($0) }
  }

  func response(_ tile: CachedTile, _ request: HTTPRequest) -> HTTPResponse {
    countTile()
    return tile.representation.response(to: request, isEmpty: tile.isEmpty)
  }
}
