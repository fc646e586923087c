import Foundation
import GeoAtlas
import GeoCore
import GeoProjection
import GeoTree

/// A world that is asked about single paths and places.
///
/// An answer reads only the folders on the way to it, however large the world is. Listings are kept,
/// and believed for half a second before their folder is looked at again.
///
/// ```swift
/// let lookup = try GeoWorld(folder: URL(filePath: "/usr")).lookup()
/// if let node = lookup.node(at: "usr/bin") {
///   print(node.coordinate, lookup.contents(at: node.coordinate).files.map(\.node.path))
/// }
/// ```
///
/// Paths are those of the map: a root's label, then names, joined by `/`. They are looked up in
/// listings, a name at a time, so neither `..` nor a symbolic link leads anywhere. All calls may be
/// made from any thread; they wait for the disk, so they don't belong on the main actor.
public final class GeoLookup: Sendable {
  let world: World
  private let directories: [SharedDirectory]

  /// The labels of the roots, in the order of their bytes.
  public var labels: [[UInt8]] { world.roots.map(\.label) }
  /// The folders of the roots, in the same order.
  var folders: [URL] { directories.map(\.url) }
  /// How many folders have been read so far.
  public var folderReads: Int { world.folderReads }
  /// Bytes of listings that are kept now.
  public var keptBytes: Int { world.cacheCost }

  init(_ world: World, directories: [[UInt8]: SharedDirectory]) {
    self.world = world
    self.directories = world.roots.map { directories[$0.label] ?? .nowhere }
  }

  /// The node at a path; nil if there is none.
  ///
  /// Reads the listings of the folders above it, and of a folder its own too. The node is the one
  /// that ``GeoWorld/nodes()`` yields, without its totals and links.
  ///
  /// - Complexity: O(entries of the folders on the way), if none of them is kept.
  public func node(at path: [UInt8]) -> GeoNode? {
    guard let found = world.find(path) else { return nil }
    return node(found)
  }

  /// The folders that the node at a path is in, the root first; nil if there is no such node.
  public func ancestors(of path: [UInt8]) -> [GeoNode]? {
    guard let found = world.find(path) else { return nil }
    return (found.file == nil ? found.ancestors.dropLast() : found.ancestors[...]).map(node)
  }

  /// What is in a folder, in the order of the map: its files, then its sub-folders, both by the bytes
  /// of their names. It is nil if there is no such folder, and empty if it can't be listed.
  ///
  /// Reads the folder, and the listing of each sub-folder, for its size. What has vanished meanwhile
  /// is left out.
  public func children(of path: [UInt8]) -> [GeoNode]? {
    guard let found = world.find(path), found.file == nil else { return nil }
    let folder = found.folder
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

  /// The coast line of a folder as it is printed: a ring against the clock whose first place is
  /// repeated at its end. It is empty for a folder without land, and nil if there is no such folder.
  public func coastline(of path: [UInt8]) -> [GeoCoordinate]? {
    guard let found = world.find(path), found.file == nil else { return nil }
    let place = found.folder.place
    guard place.isLanded else { return [] }
    var ring: [Coordinate] = []
    world.engine.coastline(of: place, into: &ring)
    if let first = ring.first { ring.append(first) }
    return ring.map { GeoCoordinate($0, digits: place.digits) }
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

// The questions about a path, for paths that are text and for files of this machine.

extension GeoLookup {
  /// The path on the map of a file or folder on this machine; nil if it is in no root.
  ///
  /// Links on the way are followed, as the system does; one at the end is not, for on a map a link is
  /// a file. Of several roots that hold it the nearest counts, and of those the first. Nothing need be
  /// there.
  public func path(of url: URL) -> [UInt8]? {
    guard url.isFileURL else { return nil }
    let names = Self.namedPath(url)
    var nearest: (label: [UInt8], rest: ArraySlice<String>)?
    for (label, folder) in zip(labels, folders) {
      // A root may be a link; what is in it is then found by where that leads, too.
      for above in [Self.realPath(folder), Self.namedPath(folder)] {
        guard names.starts(with: above) else { continue }
        let rest = names[above.count...]
        if nearest.map({ rest.count < $0.rest.count }) ?? true { nearest = (label, rest) }
      }
    }
    return nearest.map { $0.label + $0.rest.flatMap { [.slash] + Array($0.utf8) } }
  }

  /// The node at a path that is text; nil if there is none.
  public func node(at path: String) -> GeoNode? { node(at: Array(path.utf8)) }

  /// The node of a file or folder on this machine; nil if it is in no root or isn't there.
  public func node(at url: URL) -> GeoNode? { path(of: url).flatMap(node) }

  /// The folders that the node at a path is in, the root first; nil if there is no such node.
  public func ancestors(of path: String) -> [GeoNode]? { ancestors(of: Array(path.utf8)) }

  /// The folders that a file or folder on this machine is in, from its root on; nil if it is in no
  /// root or isn't there.
  public func ancestors(of url: URL) -> [GeoNode]? { path(of: url).flatMap(ancestors) }

  /// What is in a folder, its files first; nil if there is no such folder.
  public func children(of path: String) -> [GeoNode]? { children(of: Array(path.utf8)) }

  /// What is in a folder on this machine, files first; nil if it is in no root or is no folder.
  public func children(of url: URL) -> [GeoNode]? { path(of: url).flatMap(children) }

  /// The coast line of a folder, closed and against the clock; nil if there is no such folder.
  public func coastline(of path: String) -> [GeoCoordinate]? {
    coastline(of: Array(path.utf8))
  }

  /// The coast line of a folder on this machine; nil if it is in no root or is no folder.
  public func coastline(of url: URL) -> [GeoCoordinate]? { path(of: url).flatMap(coastline) }

  /// The way from one path to another; nil if one of them isn't there.
  public func route(from start: String, to end: String) -> GeoRoute? {
    route(from: Array(start.utf8), to: Array(end.utf8))
  }

  /// The way between two files or folders on this machine; nil if one of them is in no root or isn't
  /// there.
  public func route(from start: URL, to end: URL) -> GeoRoute? {
    guard let start = path(of: start), let end = path(of: end) else { return nil }
    return route(from: start, to: end)
  }

  /// The node that a path would have in layout `pinned`; nil in layout `settled`, or if there is no
  /// root of such a label.
  public func plannedNode(at path: String, isFolder: Bool) -> PlannedNode? {
    plannedNode(at: Array(path.utf8), isFolder: isFolder)
  }

  private static func realPath(_ url: URL) -> [String] {
    url.resolvingSymlinksInPath().standardizedFileURL.pathComponents
  }

  /// The path that leads there without a link, but for the last name.
  private static func namedPath(_ url: URL) -> [String] {
    let url = url.absoluteURL
    let name = url.lastPathComponent
    if name.isEmpty || name == "/" || name == "." || name == ".." { return realPath(url) }
    return realPath(url.deletingLastPathComponent()) + [name]
  }
}

/// What is at a place of the map.
public struct PlaceContents: Hashable, Sendable {
  /// A file near the place.
  public struct Near: Hashable, Sendable {
    /// The file.
    public let node: GeoNode
    /// Metres along the great circle, on a sphere of radius ``GeoCoordinate/earthRadius``.
    public let distance: Double
  }

  /// The deepest folders whose coast lines hold the place, each the last of its own line of ancestors
  /// from the root on.
  ///
  /// There is none at sea, one on land in layout `settled`, and in `pinned` as many as share the
  /// place.
  public let folders: [[GeoNode]]
  /// Files, the nearest first.
  public let files: [Near]

  /// Whether nothing is there.
  public var isEmpty: Bool { folders.isEmpty && files.isEmpty }
}

extension GeoLookup {
  /// What is at a place: the test of a coast line is exact, on the decimals as they are printed.
  ///
  /// Reads only the folders that hold the place; with a radius, those that are as near as that. For
  /// every file under layout `settled`, the contents of its place list it at distance 0, unless more
  /// files than `limit` are at the very same place.
  ///
  /// - Parameters:
  ///   - place: The place; one that is not finite has no contents.
  ///   - zoom: Only what is visible at this zoom counts; nil for all.
  ///   - limit: How many files are wanted.
  ///   - radius: How far they may be, in metres, whatever folder they are in; nil for those of the
  ///     deepest folders alone, however far, and of folders without land in these.
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
  /// Metres: the mean radius of the earth's ellipsoid, by which distances are computed.
  public static let earthRadius = Sphere.radius

  /// Metres to another place along a great circle, by the haversine formula; not a number if one of
  /// them is not finite.
  public func distance(to other: GeoCoordinate) -> Double {
    guard let a = ExactPoint(self), let b = ExactPoint(other) else { return .nan }
    return Sphere.distance(a, b)
  }

  /// The direction in which a great circle leaves for another place, in degrees from north by east, 0
  /// to less than 360; nil where both are one, or one of them is not finite.
  public func bearing(to other: GeoCoordinate) -> Double? {
    guard let a = ExactPoint(self), let b = ExactPoint(other) else { return nil }
    return Sphere.bearing(from: a, to: b)
  }
}

extension ExactPoint {
  /// The place of a coordinate; nil if it is not finite.
  init?(_ place: GeoCoordinate) {
    guard place.longitude.isFinite, place.latitude.isFinite else { return nil }
    self.init(longitude: place.longitude, latitude: place.latitude)
  }
}

extension GeoLookup {
  /// The deepest zoom at which there are tiles.
  public static let deepestTileZoom = TileAddress.deepest

  /// A tile of a web map of the world: all nodes that are visible at its zoom and lie in it, as
  /// `geomapper serve` has them; see <doc:Server>.
  ///
  /// Reads only the folders whose contents it may show.
  ///
  /// - Parameters:
  ///   - tile: Which tile.
  ///   - format: How it is written.
  /// - Returns: The tile, not compressed; of a vector tile in which there is nothing no bytes at all.
  ///   It is nil beyond ``deepestTileZoom``.
  public func tile(_ tile: MapTile, format: TileFormat = .vector) -> Data? {
    guard let address = TileAddress(zoom: tile.zoom, x: tile.x, y: tile.y),
      let made = world.tile(address)
    else { return nil }
    return Data(format.encode(made.content))
  }

  /// What tiles there are, as a client of a tile server is told it: TileJSON 3.0.
  ///
  /// - Parameter address: The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  public func tileJSON(tiles address: String) -> Data {
    Data(TileJSON(name: world.title, tiles: address, bounds: world.bounds).encode())
  }

  /// How the tiles of any world are drawn: a style for MapLibre and QGIS, as JSON.
  ///
  /// - Parameters:
  ///   - address: The address of a vector tile, with `{z}`, `{x}` and `{y}` in it.
  ///   - hasNames: Whether names are drawn, for clients that need no glyphs of a server for it.
  public static func style(tiles address: String, hasNames: Bool = false) -> Data {
    var style = TileStyle(tiles: address)
    style.hasNames = hasNames
    return Data(style.encode())
  }
}
