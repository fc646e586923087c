import Foundation
import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// Answers questions about single paths and places of a world, for code that is not asynchronous: each
/// call blocks on the disk. Asynchronous code uses ``GeoReader``, which has the same questions.
///
/// All methods are safe to call from any thread. Paths are ``MapPath``s. Each name is looked up in a
/// listing, so `..` and symbolic links are not followed.
public final class GeoLookup: Sendable {
  let world: World
  private let directories: [SharedDirectory]

  /// The labels of the roots, sorted by their bytes.
  public var labels: [[UInt8]] { world.roots.map(\.label) }
  /// The folders of the roots, in the order of ``labels``.
  var folders: [URL] { directories.map(\.url) }
  /// The number of folders read so far.
  public var folderReads: Int { world.folderReads }
  /// Bytes of listings in the cache.
  public var keptBytes: Int { world.cacheCost }

  init(_ world: World, directories: [[UInt8]: SharedDirectory]) {
    self.world = world
    self.directories = world.roots.map { directories[$0.label] ?? .nowhere }
  }

  func node(_ found: World.Found) -> GeoNode? {
    guard let index = found.file else { return node(found.folder) }
    guard case .file(_, _, let facts) = world.node(found, asksFacts: true)?.body else { return nil }
    return file(index, of: found.folder, facts)
  }

  func node(_ folder: WorldFolder) -> GeoNode {
    GeoNode(folder, engine: world.engine, directory: directories[folder.root])
  }

  private func file(_ index: Int, of folder: WorldFolder, _ facts: EntryFacts) -> GeoNode {
    GeoNode(
      file: index, of: folder, facts: facts, engine: world.engine,
      directory: directories[folder.root])
  }
}

extension GeoLookup {
  /// Returns the node at a path, as ``GeoReader/node(at:)``.
  public func node(at path: some MapPath) -> GeoNode? {
    guard let path = path.bytes(in: self), let found = world.find(path) else { return nil }
    return node(found)
  }

  /// Returns the ancestors of the node at a path, as ``GeoReader/ancestors(of:)``.
  public func ancestors(of path: some MapPath) -> [GeoNode]? {
    guard let path = path.bytes(in: self), let found = world.find(path) else { return nil }
    return (found.file == nil ? found.ancestors.dropLast() : found.ancestors[...]).map(node)
  }

  /// Returns the contents of a folder, as ``GeoReader/children(of:)``.
  ///
  /// - Throws: ``GeoLookupError`` if the folder, or one above it, can't be listed.
  public func children(of path: some MapPath) throws(GeoLookupError) -> [GeoNode]? {
    guard let path = path.bytes(in: self) else { return nil }
    guard let found = world.find(path) else {
      try expectListed(above: path)
      return nil
    }
    if found.file != nil { return nil }
    let folder = found.folder
    try expectListed(folder)
    let facts = found.reader.facts(of: folder.files, in: folder)
    var nodes: [GeoNode] = []
    for (index, facts) in facts.enumerated() where facts.status != .vanished {
      nodes.append(file(index, of: folder, facts))
    }
    for index in folder.places.indices {
      nodes.append(node(found.reader.child(index, of: folder)))
    }
    return nodes
  }

  private func expectListed(_ folder: WorldFolder) throws(GeoLookupError) {
    guard let reason = folder.failure else { return }
    throw GeoLookupError(fault: ScanFault(path: folder.path, reason: reason))
  }

  /// Throws if the deepest known folder above a path can't be listed.
  private func expectListed(above path: [UInt8]) throws(GeoLookupError) {
    var names = path.components.dropLast()
    while !names.isEmpty {
      if let found = world.find(Array(names.joined(separator: [.slash]))) {
        return found.file == nil ? try expectListed(found.folder) : ()
      }
      names.removeLast()
    }
  }

  /// Returns the coast line of a folder, as ``GeoReader/coastline(of:)``.
  public func coastline(of path: some MapPath) -> [GeoCoordinate]? {
    guard let path = path.bytes(in: self), let found = world.find(path), found.file == nil else {
      return nil
    }
    let place = found.folder.place
    guard place.isLanded else { return [] }
    var ring: [Coordinate] = []
    world.engine.coastline(of: place, into: &ring)
    if let first = ring.first { ring.append(first) }
    return ring.map { GeoCoordinate($0, digits: place.digits) }
  }

  /// Returns the route from one path to another, as ``GeoReader/route(from:to:)``.
  public func route(from start: some MapPath, to end: some MapPath) -> GeoRoute? {
    guard let start = start.bytes(in: self), let end = end.bytes(in: self),
      let start = world.node(at: start, asksFacts: false),
      let end = world.node(at: end, asksFacts: false)
    else { return nil }
    return GeoRoute(Route(from: start, to: end, engine: world.engine))
  }

  /// Returns the folders and files at a place, as ``GeoReader/contents(at:zoom:limit:radius:)``.
  public func contents(
    at place: GeoCoordinate, zoom: Int? = nil, limit: Int = 8, radius: Double? = nil
  ) -> PlaceContents {
    guard let point = ExactPoint(place) else { return PlaceContents(folders: [], files: []) }
    var query = PointQuery(point)
    query.zoom = zoom
    query.limit = max(0, limit)
    query.radius = radius.map { max(0, $0) }
    let answer = query.answer(in: world)
    return PlaceContents(
      folders: answer.folders.map { $0.map(node) },
      files: answer.files.compactMap { file in
        node(at: file.path).map { PlaceContents.Near(node: $0, distance: file.distance) }
      })
  }

  /// Returns the node that a path would have in layout `pinned`, without reading anything; nil in
  /// layout `settled`, or if no root has the path's label.
  ///
  /// - Parameters:
  ///   - path: The path, which need not exist.
  ///   - isFolder: Whether the node is a folder; a label alone always is.
  /// - Complexity: O(names in the path).
  public func plannedNode(at path: some MapPath, isFolder: Bool) -> PlannedNode? {
    path.bytes(in: self).flatMap { world.pinnedNode(at: $0, isFolder: isFolder) }
      .map { PlannedNode($0, engine: world.engine) }
  }
}

extension GeoLookup {
  /// The deepest zoom that has tiles.
  public static let deepestTileZoom = TileAddress.deepest

  /// Returns a tile, as ``GeoReader/tile(_:format:)``.
  public func tile(_ tile: MapTile, format: TileFormat = .vector) -> Data? {
    guard let address = TileAddress(zoom: tile.zoom, x: tile.x, y: tile.y),
      let made = world.tile(address)
    else { return nil }
    return Data(format.encode(made.content))
  }

  /// Describes the tiles to map clients, as TileJSON 3.0.
  ///
  /// - Parameter address: The URL template of the vector tiles, with `{z}`, `{x}` and `{y}`.
  public func tileJSON(tiles address: String) -> Data {
    Data(TileJSON(name: world.title, tiles: address, bounds: world.bounds).encode())
  }

  /// Returns a style that draws the tiles of any world in MapLibre and QGIS, as JSON.
  ///
  /// - Parameters:
  ///   - address: The URL template of the vector tiles, with `{z}`, `{x}` and `{y}`.
  ///   - hasNames: Whether to draw names; only for clients that need no glyph server.
  public static func style(tiles address: String, hasNames: Bool = false) -> Data {
    var style = TileStyle(tiles: address)
    style.hasNames = hasNames
    return Data(style.encode())
  }
}
