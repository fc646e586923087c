import Foundation
import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// Answers questions about single paths and places of a world.
///
/// An answer reads only the folders on the path to it, however large the world is. Listings are
/// cached, and used for half a second before their folder is checked for changes.
///
/// ```swift
/// let lookup = try GeoWorld(folder: URL(filePath: "/usr")).lookup()
/// if let node = try await lookup.node(at: "usr/bin") {
///   let near = try await lookup.contents(at: node.coordinate)
///   print(node.coordinate, near.files.map(\.node.path))
/// }
/// ```
///
/// A path is a root's label, then names, joined by `/`, as text or bytes; or the `URL` of a file
/// (``MapPath``). Each name is looked up in a listing, so `..` and symbolic links are not followed.
///
/// Each question is asynchronous: it waits for the disk on a thread of its own. Code that is not
/// asynchronous calls the method of the same name that blocks. Any thread may ask.
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

  /// Asks several questions on one thread, without blocking the caller.
  ///
  /// ```swift
  /// let lookup = try GeoWorld(folder: URL(filePath: "/usr")).lookup()
  /// let paths = ["usr/bin", "usr/lib"]
  /// let nodes = try await lookup.ask { lookup in paths.map { lookup.node(at: $0) } }
  /// ```
  ///
  /// - Parameter question: Asks the lookup.
  /// - Throws: What `question` throws; ``GeoLookupError`` if no thread can be started.
  public func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (GeoLookup) throws -> Answer
  ) async throws -> Answer {
    do {
      return try await WorkerThread.run { try question(self) }
    } catch let reason as Errno {
      throw GeoLookupError(fault: ScanFault(path: [], reason: .unreadable(reason)))
    }
  }

  /// Asks on a thread of its own.
  func answer<Answer: Sendable>(
    _ question: @escaping @Sendable (GeoLookup) -> Answer
  ) async throws(GeoLookupError) -> Answer {
    try await result { .success(question($0)) }.get()
  }

  /// Asks on a thread of its own a question that can fail.
  private func result<Answer: Sendable>(
    _ question: @escaping @Sendable (GeoLookup) -> Result<Answer, GeoLookupError>
  ) async -> Result<Answer, GeoLookupError> {
    await withCheckedContinuation { continuation in
      do throws(Errno) {
        try WorkerThread.start(stackSize: 8 << 20) {
          continuation.resume(returning: question(self))
        }
      } catch {
        continuation.resume(
          returning: .failure(
            GeoLookupError(fault: ScanFault(path: [], reason: .unreadable(error)))))
      }
    }
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
  /// Returns the node at a path; nil if it doesn't exist, or a folder above it can't be listed.
  ///
  /// Reads the listings of the ancestors, and of the folder itself if the node is one. The node
  /// equals that of ``GeoWorld/nodes()``, except that totals and links are nil.
  ///
  /// - Throws: ``GeoLookupError`` if no thread can be started.
  /// - Complexity: O(entries of the folders on the path), if none of them is cached.
  public func node(at path: some MapPath) async throws(GeoLookupError) -> GeoNode? {
    try await answer { $0.node(at: path) }
  }

  /// Returns the node at a path, as the asynchronous method of this name; blocks on the disk.
  public func node(at path: some MapPath) -> GeoNode? {
    guard let path = path.bytes(in: self), let found = world.find(path) else { return nil }
    return node(found)
  }

  /// Returns the ancestors of the node at a path, the root first; nil if the node doesn't exist.
  ///
  /// - Throws: ``GeoLookupError`` if no thread can be started.
  public func ancestors(of path: some MapPath) async throws(GeoLookupError) -> [GeoNode]? {
    try await answer { $0.ancestors(of: path) }
  }

  /// Returns the ancestors of a node, as the asynchronous method of this name; blocks on the disk.
  public func ancestors(of path: some MapPath) -> [GeoNode]? {
    guard let path = path.bytes(in: self), let found = world.find(path) else { return nil }
    return (found.file == nil ? found.ancestors.dropLast() : found.ancestors[...]).map(node)
  }

  /// Returns the contents of a folder in map order: files, then sub-folders, both sorted by the
  /// bytes of their names. Returns nil if the folder doesn't exist.
  ///
  /// Reads the folder, and the listing of each sub-folder to get its size. Files that vanish
  /// meanwhile are left out.
  ///
  /// - Throws: ``GeoLookupError`` if the folder, or one above it, can't be listed.
  public func children(of path: some MapPath) async throws(GeoLookupError) -> [GeoNode]? {
    try await result { lookup in
      Result { () throws(GeoLookupError) in try lookup.children(of: path) }
    }.get()
  }

  /// Returns the contents of a folder, as the asynchronous method of this name; blocks on the disk.
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

  /// Returns the coast line of a folder as maps print it: a counter-clockwise ring that repeats its
  /// first place at the end. Returns an empty array for a folder without land, and nil if it
  /// doesn't exist.
  ///
  /// - Throws: ``GeoLookupError`` if no thread can be started.
  public func coastline(of path: some MapPath) async throws(GeoLookupError) -> [GeoCoordinate]? {
    try await answer { $0.coastline(of: path) }
  }

  /// Returns the coast line of a folder, as the asynchronous method of this name; blocks on the
  /// disk.
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

  /// Returns the route from one path to another; nil if either doesn't exist.
  ///
  /// Reads the listings of the folders above both.
  ///
  /// - Throws: ``GeoLookupError`` if no thread can be started.
  public func route(
    from start: some MapPath, to end: some MapPath
  ) async throws(GeoLookupError) -> GeoRoute? {
    try await answer { $0.route(from: start, to: end) }
  }

  /// Returns the route between two paths, as the asynchronous method of this name; blocks on the
  /// disk.
  public func route(from start: some MapPath, to end: some MapPath) -> GeoRoute? {
    guard let start = start.bytes(in: self), let end = end.bytes(in: self),
      let start = world.node(at: start, asksFacts: false),
      let end = world.node(at: end, asksFacts: false)
    else { return nil }
    return GeoRoute(Route(from: start, to: end, engine: world.engine))
  }

  /// Returns the folders and files at a place. Coast lines are tested exactly, on the printed
  /// decimals.
  ///
  /// Reads only the folders that contain the place or are within the radius. In layout `settled`,
  /// asking for the place of a file finds that file at distance 0, unless more than `limit` files
  /// share the place.
  ///
  /// - Parameters:
  ///   - place: The place. A coordinate that is not finite has no contents.
  ///   - zoom: Count only what is visible at this zoom; nil counts everything.
  ///   - limit: The maximum number of files.
  ///   - radius: The maximum distance of files in metres, in any folder. With nil, the search
  ///     covers the files of the deepest folders and of their sub-folders without land, at any
  ///     distance.
  /// - Throws: ``GeoLookupError`` if no thread can be started.
  public func contents(
    at place: GeoCoordinate, zoom: Int? = nil, limit: Int = 8, radius: Double? = nil
  ) async throws(GeoLookupError) -> PlaceContents {
    try await answer { $0.contents(at: place, zoom: zoom, limit: limit, radius: radius) }
  }

  /// Returns the folders and files at a place, as the asynchronous method of this name; blocks on
  /// the disk.
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

  /// Returns a tile with all nodes that are inside it and visible at its zoom, as `geomapper serve`
  /// sends it; see <doc:Server>.
  ///
  /// Reads only the folders whose contents the tile may show.
  ///
  /// - Parameters:
  ///   - tile: The tile's address.
  ///   - format: The encoding.
  /// - Returns: The tile, uncompressed; zero bytes for an empty vector tile; nil beyond
  ///   ``deepestTileZoom``.
  /// - Throws: ``GeoLookupError`` if no thread can be started.
  public func tile(
    _ tile: MapTile, format: TileFormat = .vector
  ) async throws(GeoLookupError) -> Data? { try await answer { $0.tile(tile, format: format) } }

  /// Returns a tile, as the asynchronous method of this name; blocks on the disk.
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
