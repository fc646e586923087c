import GeoAtlas
import GeoCore
import GeoPipeline
import GeoProjection

extension GeoNode {
  /// A folder that was looked up.
  init(_ folder: WorldFolder, engine: GeoProjectionEngine, directory: SharedDirectory) {
    let place = folder.place
    self.init(
      id: place.seed, rawPath: folder.path,
      coordinate: GeoCoordinate(engine.coordinate(of: place), digits: place.digits),
      nodeType: place.kind, size: folder.entries.map(Int64.init), modified: folder.modified,
      depth: Int(place.depth), minzoom: Int(place.minzoom), entryKind: .directory,
      isLanded: place.isLanded, isUnreadable: folder.failure != nil, directory: directory)
  }

  /// A file of a folder that was looked up.
  init(
    file index: Int, of folder: WorldFolder, facts: EntryFacts, engine: GeoProjectionEngine,
    directory: SharedDirectory
  ) {
    let name = folder.files.name(at: index)
    let place = engine.placeFile(name.span, in: folder.city)
    let isKnown = facts.status == .known
    let isSized = isKnown || facts.status == .sized
    self.init(
      id: place.seed, rawPath: folder.path(of: name),
      coordinate: GeoCoordinate(place.coordinate, digits: folder.city.digits), nodeType: .poi,
      size: isSized ? facts.size : nil, modified: isKnown ? facts.modified : nil,
      depth: Int(folder.place.depth) + 1, minzoom: Int(folder.city.minzoom), entryKind: facts.kind,
      isLanded: false, isUnreadable: facts.status == .unreadable, directory: directory)
  }

  private init(
    id: UInt64, rawPath: [UInt8], coordinate: GeoCoordinate, nodeType: NodeKind, size: Int64?,
    modified: Int64?, depth: Int, minzoom: Int, entryKind: EntryKind, isLanded: Bool,
    isUnreadable: Bool, directory: SharedDirectory
  ) {
    self.id = id
    self.rawPath = rawPath
    self.coordinate = coordinate
    self.nodeType = nodeType
    self.size = size
    self.modified = modified
    self.depth = depth
    minimumZoom = minzoom
    self.entryKind = entryKind
    self.isLanded = isLanded
    self.isUnreadable = isUnreadable
    isLoop = false
    links = nil
    totals = nil
    outline = []
    self.directory = directory
  }
}

/// The route from one node to another: up to the deepest folder that contains both, and down again.
public struct GeoRoute: Hashable, Sendable {
  /// A place on the route.
  public struct Stop: Hashable, Sendable {
    /// The path of a folder or of an end: a root's label, then names, joined by `/`.
    public let rawPath: [UInt8]
    /// The place on the map.
    public let coordinate: GeoCoordinate

    /// The path as text; invalid UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }
  }

  /// The section between two consecutive stops.
  public struct Leg: Hashable, Sendable {
    /// The length in metres, along the great circle.
    public let distance: Double
    /// The initial bearing in degrees clockwise from north; nil if both stops are at one place.
    public let bearing: Double?
  }

  /// The stops from the first node to the last; a single one if the ends are the same node.
  public let stops: [Stop]
  /// The legs between the stops, one fewer than these.
  public let legs: [Leg]
  /// The index of the stop at the common folder; nil if the ends are on different continents.
  public let top: Int?

  /// The length of all legs in metres.
  public var distance: Double { legs.reduce(0) { $0 + $1.distance } }

  init(_ route: Route) {
    stops = route.stops.map {
      Stop(rawPath: $0.path, coordinate: GeoCoordinate($0.coordinate, digits: $0.digits))
    }
    legs = route.legs.map { Leg(distance: $0.distance, bearing: $0.bearing) }
    top = route.top
  }
}

extension GeoLookup {
  /// Returns the route from one path to another; nil if either doesn't exist.
  ///
  /// Reads the listings of the folders above both.
  public func route(from start: [UInt8], to end: [UInt8]) -> GeoRoute? {
    guard let start = world.node(at: start, asksFacts: false),
      let end = world.node(at: end, asksFacts: false)
    else { return nil }
    return GeoRoute(Route(from: start, to: end, engine: world.engine))
  }
}

/// The node that a path would have, whether or not it exists.
public struct PlannedNode: Hashable, Sendable {
  /// The hash of the path, equal to ``GeoNode/id``.
  public let id: UInt64
  /// The place on the map.
  public let coordinate: GeoCoordinate
  /// Its rank on the map.
  public let nodeType: NodeKind
  /// The depth: 0 for a root, 1 for its contents, and so on.
  public let depth: Int
  /// The first zoom at which it is visible. It is nil for files and folders without land, for which it
  /// depends on the number of files.
  public let minimumZoom: Int?
  /// Whether it is a folder that owns land; otherwise it is a point.
  public let isLanded: Bool

  init(_ node: MapNode, engine: GeoProjectionEngine) {
    switch node.body {
    case .folder(let place, _, _, _): (id, isLanded) = (place.seed, place.isLanded)
    case .file(let place, _, _): (id, isLanded) = (place.seed, false)
    }
    coordinate = GeoCoordinate(node.coordinate(by: engine), digits: node.digits)
    nodeType = node.kind
    depth = node.depth
    minimumZoom = node.minzoom.map(Int.init)
  }
}

extension GeoLookup {
  /// Returns the node that a path would have in layout `pinned`, without reading anything; nil in
  /// layout `settled`, or if no root has the path's label.
  ///
  /// - Parameters:
  ///   - path: A root's label, then names, joined by `/`.
  ///   - isFolder: Whether the node is a folder; a label alone always is.
  /// - Complexity: O(names in the path).
  public func plannedNode(at path: [UInt8], isFolder: Bool) -> PlannedNode? {
    world.pinnedNode(at: path, isFolder: isFolder).map { PlannedNode($0, engine: world.engine) }
  }
}

extension MapChunk {
  /// A copy of the bytes, which stays valid outside `withBytes`.
  public var bytes: [UInt8] {
    withBytes { Array(copying: $0) }
  }
}
