import Foundation
import GeoAtlas
import GeoPipeline
import GeoSystem
import GeoTree

/// Answers questions about single paths and places of a world, without blocking the caller.
///
/// An answer reads only the folders on the path to it, however large the world is. Listings are
/// cached, and used for half a second before their folder is checked for changes.
///
/// ```swift
/// let reader = try GeoWorld(folder: URL(filePath: "/usr")).reader()
/// if let node = try await reader.node(at: "usr/bin") {
///   let near = try await reader.contents(at: node.coordinate)
///   print(node.coordinate, near.files.map(\.node.path))
/// }
/// ```
///
/// A path is a root's label, then names, joined by `/`, as text or bytes; or the absolute path or
/// `URL` of a file (``MapPath``). Each name is looked up in a listing, so `..` and symbolic links are
/// not followed.
///
/// Each question waits for the disk on a thread of its own. Any task may ask at any time.
public final class GeoReader: Sendable {
  package let lookup: GeoLookup

  package init(_ lookup: GeoLookup) { self.lookup = lookup }

  /// Returns the node at a path; nil if it doesn't exist, or a folder above it can't be listed.
  ///
  /// Reads the listings of the ancestors, and of the folder itself if the node is one. The node
  /// equals that of ``GeoWorld/nodes()``, except that totals and links are nil, and values empty.
  ///
  /// - Throws: `GeoError` if no thread can be started.
  /// - Complexity: O(entries of the folders on the path), if none of them is cached.
  public func node(at path: some MapPath) async throws -> GeoNode? {
    try await answer { $0.node(at: path) }
  }

  /// Returns the ancestors of the node at a path, the root first; nil if the node doesn't exist.
  ///
  /// - Throws: `GeoError` if no thread can be started.
  public func ancestors(of path: some MapPath) async throws -> [GeoNode]? {
    try await answer { $0.ancestors(of: path) }
  }

  /// Returns the contents of a folder in map order: files, then sub-folders, both sorted by the
  /// bytes of their names. Returns nil if the folder doesn't exist.
  ///
  /// Reads the folder, and the listing of each sub-folder to get its size. Files that vanish
  /// meanwhile are left out.
  ///
  /// - Throws: `GeoError` if the folder, or one above it, can't be listed.
  public func children(of path: some MapPath) async throws -> [GeoNode]? {
    try await answer { try $0.children(of: path) }
  }

  /// Returns the coast line of a folder as maps print it: a counter-clockwise ring that repeats its
  /// first place at the end. Returns an empty array for a folder without land, and nil if it
  /// doesn't exist.
  ///
  /// - Throws: `GeoError` if no thread can be started.
  public func coastline(of path: some MapPath) async throws -> [GeoCoordinate]? {
    try await answer { $0.coastline(of: path) }
  }

  /// Returns the route from one path to another; nil if either doesn't exist.
  ///
  /// Reads the listings of the folders above both.
  ///
  /// - Throws: `GeoError` if no thread can be started.
  public func route(
    from start: some MapPath, to end: some MapPath
  ) async throws -> GeoRoute? {
    try await answer { $0.route(from: start, to: end) }
  }

  /// Returns the folders and files at a place. Coast lines are tested exactly, on the printed
  /// decimals.
  ///
  /// Reads only the folders that contain the place, and those whose land is nearer than the last of
  /// the files found. Asking for the place of a file finds that file at distance 0, unless more than
  /// `limit` files share the place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - zoom: Count only what is visible at this zoom; nil counts everything.
  ///   - limit: The maximum number of files. The nearest are found, in any folder.
  ///   - radius: The maximum distance of files in metres; nil for any distance.
  /// - Throws: `GeoError` if the place is not on the globe, or no thread can be started.
  public func contents(
    at place: GeoCoordinate, zoom: Int? = nil, limit: Int = 8, radius: Double? = nil
  ) async throws -> PlaceContents {
    try await answer { try $0.contents(at: place, zoom: zoom, limit: limit, radius: radius) }
  }

  /// Returns the files nearest to a place, the nearest first. They may be in any folder. A file whose
  /// place it is comes first.
  ///
  /// Reads as ``contents(at:zoom:limit:radius:)``.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - count: The maximum number of files.
  /// - Throws: `GeoError` if the place is not on the globe, or no thread can be started.
  public func files(
    nearest place: GeoCoordinate, count: Int
  ) async throws -> [PlaceContents.Near] {
    try await answer { try $0.files(nearest: place, count: count) }
  }

  /// Returns a tile with all nodes that are inside it and visible at its zoom, as `geomapper serve`
  /// sends it; see <doc:Server>.
  ///
  /// Reads only the folders whose contents the tile may show.
  ///
  /// - Parameters:
  ///   - tile: The tile's address.
  ///   - format: The encoding.
  /// - Returns: The tile, uncompressed; zero bytes for an empty vector tile; nil beyond zoom 30.
  /// - Throws: `GeoError` if no thread can be started.
  public func tile(
    _ tile: MapTile, format: TileFormat = .vector
  ) async throws -> Data? { try await answer { $0.tile(tile, format: format) } }

  /// Describes the tiles to map clients, as TileJSON 3.0.
  ///
  /// - Parameter address: The URL template of the vector tiles, with `{z}`, `{x}` and `{y}`.
  public func tileJSON(tiles address: String) -> Data {
    Data(TileJSON(of: lookup.world, tiles: address).encode())
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

  private func answer<Answer: Sendable>(
    _ question: @escaping @Sendable (GeoLookup) throws -> Answer
  ) async throws -> Answer {
    let result: Result<Answer, any Error>
    do {
      result = try await WorkerThread.run { [lookup] in Result { try question(lookup) } }
    } catch let reason as Errno {
      throw MapError.noThread(reason)
    }
    return try result.get()
  }
}
