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
/// if let node = lookup.node(at: "usr/bin") {
///   print(node.coordinate, lookup.contents(at: node.coordinate).files.map(\.node.path))
/// }
/// ```
///
/// Paths are those of the map: a root's label, then names, joined by `/`. Each name is looked up in
/// a listing, so `..` and symbolic links are not followed. All methods are safe to call from any
/// thread. They block on the disk, so call them on the main actor through ``ask(_:)``.
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

  /// Returns the node at a path, or nil if it doesn't exist.
  ///
  /// Reads the listings of the ancestors, and of the folder itself if the node is one. The node
  /// equals that of ``GeoWorld/nodes()``, except that totals and links are nil.
  ///
  /// - Complexity: O(entries of the folders on the path), if none of them is cached.
  public func node(at path: [UInt8]) -> GeoNode? {
    guard let found = world.find(path) else { return nil }
    return node(found)
  }

  /// Returns the ancestors of the node at a path, the root first; nil if the node doesn't exist.
  public func ancestors(of path: [UInt8]) -> [GeoNode]? {
    guard let found = world.find(path) else { return nil }
    return (found.file == nil ? found.ancestors.dropLast() : found.ancestors[...]).map(node)
  }

  /// Returns the contents of a folder in map order: files, then sub-folders, both sorted by the
  /// bytes of their names. Returns nil if the folder doesn't exist.
  ///
  /// Reads the folder, and the listing of each sub-folder to get its size. Files that vanish
  /// meanwhile are left out.
  ///
  /// - Throws: ``GeoLookupError`` if the folder can't be listed.
  public func children(of path: [UInt8]) throws(GeoLookupError) -> [GeoNode]? {
    guard let found = world.find(path), found.file == nil else { return nil }
    let folder = found.folder
    if let reason = folder.failure {
      throw GeoLookupError(fault: ScanFault(path: path, reason: reason))
    }
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

  /// Returns the coast line of a folder as maps print it: a counter-clockwise ring that repeats its
  /// first place at the end. Returns an empty array for a folder without land, and nil if the folder
  /// doesn't exist.
  public func coastline(of path: [UInt8]) -> [GeoCoordinate]? {
    guard let found = world.find(path), found.file == nil else { return nil }
    let place = found.folder.place
    guard place.isLanded else { return [] }
    var ring: [Coordinate] = []
    world.engine.coastline(of: place, into: &ring)
    if let first = ring.first { ring.append(first) }
    return ring.map { GeoCoordinate($0, digits: place.digits) }
  }

  /// Asks on a thread of its own, without blocking the caller.
  ///
  /// ```swift
  /// let node = try await lookup.ask { $0.node(at: "usr/bin") }
  /// ```
  ///
  /// - Parameter question: Asks the lookup.
  /// - Throws: What `question` throws; `MapError` if no thread could be started.
  public func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (GeoLookup) throws -> Answer
  ) async throws -> Answer {
    do {
      return try await WorkerThread.run { try question(self) }
    } catch let reason as Errno {
      throw MapError.noThread(reason)
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

/// A folder that a lookup can't list.
public struct GeoLookupError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The path on the map, and the reason.
  public let fault: ScanFault

  /// What is wrong, in words.
  public var description: String { "\(TerminalText.escaped(fault.path)): \(fault.reason.text)" }
  /// The same, so that `localizedDescription` says it.
  public var errorDescription: String? { description }
}

extension ScanFault.Reason {
  /// The reason in words.
  var text: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .vanished: "it vanished"
    case .listed(let text): text
    }
  }
}

// The same questions for paths as text and for file URLs.

extension GeoLookup {
  /// Returns the path on the map of a file or folder of this machine; nil if it is in no root.
  ///
  /// Links within the path are followed, as the system does; a link at its end is not, because it
  /// counts as a file on the map. If several roots contain the path, the nearest is used, and of
  /// equally near ones the first. The file need not exist.
  public func path(of url: URL) -> [UInt8]? {
    guard url.isFileURL else { return nil }
    let names = Self.namedPath(url)
    var nearest: (label: [UInt8], rest: ArraySlice<String>)?
    for (label, folder) in zip(labels, folders) {
      // A root may be a link: its contents are found by their real path, too.
      for above in [Self.realPath(folder), Self.namedPath(folder)] {
        guard names.starts(with: above) else { continue }
        let rest = names[above.count...]
        if nearest.map({ rest.count < $0.rest.count }) ?? true { nearest = (label, rest) }
      }
    }
    return nearest.map { $0.label + $0.rest.flatMap { [.slash] + Array($0.utf8) } }
  }

  /// Returns the node at a path, or nil if it doesn't exist.
  public func node(at path: String) -> GeoNode? { node(at: Array(path.utf8)) }

  /// Returns the node of a file or folder of this machine; nil if it is in no root or doesn't
  /// exist.
  public func node(at url: URL) -> GeoNode? { path(of: url).flatMap(node) }

  /// Returns the ancestors of the node at a path, the root first; nil if the node doesn't exist.
  public func ancestors(of path: String) -> [GeoNode]? { ancestors(of: Array(path.utf8)) }

  /// Returns the ancestors of a file or folder of this machine, the root first; nil if it is in no
  /// root or doesn't exist.
  public func ancestors(of url: URL) -> [GeoNode]? { path(of: url).flatMap(ancestors) }

  /// Returns the contents of a folder, files first; nil if the folder doesn't exist.
  ///
  /// - Throws: ``GeoLookupError`` if the folder can't be listed.
  public func children(of path: String) throws(GeoLookupError) -> [GeoNode]? {
    try children(of: Array(path.utf8))
  }

  /// Returns the contents of a folder of this machine, files first; nil if it is in no root or not
  /// a folder.
  ///
  /// - Throws: ``GeoLookupError`` if the folder can't be listed.
  public func children(of url: URL) throws(GeoLookupError) -> [GeoNode]? {
    guard let path = path(of: url) else { return nil }
    return try children(of: path)
  }

  /// Returns the coast line of a folder, closed and counter-clockwise; nil if the folder doesn't
  /// exist.
  public func coastline(of path: String) -> [GeoCoordinate]? {
    coastline(of: Array(path.utf8))
  }

  /// Returns the coast line of a folder of this machine; nil if it is in no root or not a folder.
  public func coastline(of url: URL) -> [GeoCoordinate]? { path(of: url).flatMap(coastline) }

  /// Returns the route from one path to another; nil if either doesn't exist.
  public func route(from start: String, to end: String) -> GeoRoute? {
    route(from: Array(start.utf8), to: Array(end.utf8))
  }

  /// Returns the route between two files or folders of this machine; nil if either is in no root or
  /// doesn't exist.
  public func route(from start: URL, to end: URL) -> GeoRoute? {
    guard let start = path(of: start), let end = path(of: end) else { return nil }
    return route(from: start, to: end)
  }

  /// Returns the node that a path would have in layout `pinned`; nil in layout `settled`, or if no
  /// root has the path's label.
  public func plannedNode(at path: String, isFolder: Bool) -> PlannedNode? {
    plannedNode(at: Array(path.utf8), isFolder: isFolder)
  }

  private static func realPath(_ url: URL) -> [String] {
    url.resolvingSymlinksInPath().standardizedFileURL.pathComponents
  }

  /// The path with all links resolved except one in its last name.
  private static func namedPath(_ url: URL) -> [String] {
    let url = url.absoluteURL
    let name = url.lastPathComponent
    if name.isEmpty || name == "/" || name == "." || name == ".." { return realPath(url) }
    return realPath(url.deletingLastPathComponent()) + [name]
  }
}

/// The folders and files at a place of the map.
public struct PlaceContents: Hashable, Sendable {
  /// A file near the place.
  public struct Near: Hashable, Sendable {
    /// The file.
    public let node: GeoNode
    /// Metres along the great circle, on a sphere of radius ``GeoCoordinate/earthRadius``.
    public let distance: Double
  }

  /// The deepest folders whose coast lines contain the place. Each array has the folders from the
  /// root to one of them.
  ///
  /// Empty at sea. Layout `settled` has one such folder on land; `pinned` has as many as share the
  /// place.
  public let folders: [[GeoNode]]
  /// Files near the place, the nearest first.
  public let files: [Near]

  /// Whether no folder and no file was found.
  public var isEmpty: Bool { folders.isEmpty && files.isEmpty }
}

extension GeoLookup {
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
}

extension GeoCoordinate {
  /// The mean radius of the earth's ellipsoid in metres, on which distances are based.
  public static let earthRadius = Sphere.radius

  /// Returns the great-circle distance to another place in metres, by the haversine formula; NaN if
  /// either is not finite.
  public func distance(to other: GeoCoordinate) -> Double {
    guard let a = ExactPoint(self), let b = ExactPoint(other) else { return .nan }
    return Sphere.distance(a, b)
  }

  /// Returns the initial bearing of the great circle to another place, in degrees clockwise from
  /// north, 0 to less than 360; nil if the places are equal or either is not finite.
  public func bearing(to other: GeoCoordinate) -> Double? {
    guard let a = ExactPoint(self), let b = ExactPoint(other) else { return nil }
    return Sphere.bearing(from: a, to: b)
  }
}

extension ExactPoint {
  /// Converts a coordinate; nil if it is not finite.
  init?(_ place: GeoCoordinate) {
    guard place.longitude.isFinite, place.latitude.isFinite else { return nil }
    self.init(longitude: place.longitude, latitude: place.latitude)
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
