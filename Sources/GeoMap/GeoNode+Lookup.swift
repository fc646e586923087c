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
    self.minzoom = minzoom
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

/// The way from one node to another: up to the deepest folder that holds both, and down again.
public struct GeoRoute: Hashable, Sendable {
  /// A place on the way.
  public struct Stop: Hashable, Sendable {
    /// The path of a folder, or of one of the ends: a root's label, then names, joined by `/`.
    public let rawPath: [UInt8]
    /// Where it is.
    public let coordinate: GeoCoordinate

    /// The path as text; what is no UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }
  }

  /// The way between two stops that follow each other.
  public struct Leg: Hashable, Sendable {
    /// Metres along the great circle.
    public let distance: Double
    /// The direction in which it sets out, in degrees from north by east; nil if both are one place.
    public let bearing: Double?
  }

  /// From the first node to the last; one if they are the same.
  public let stops: [Stop]
  /// One fewer than the stops.
  public let legs: [Leg]
  /// Which stop is the common folder; nil if the ends are on different continents.
  public let top: Int?

  /// Metres of all legs together.
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
  /// The way from one path to another; nil if one of them isn't there.
  ///
  /// Reads the listings of the folders above both.
  public func route(from start: [UInt8], to end: [UInt8]) -> GeoRoute? {
    guard let start = world.node(at: start, asksFacts: false),
      let end = world.node(at: end, asksFacts: false)
    else { return nil }
    return GeoRoute(Route(from: start, to: end, engine: world.engine))
  }
}

/// A node that a path would have, whether or not anything is there.
public struct PlannedNode: Hashable, Sendable {
  /// The hash of the path, as in ``GeoNode/id``.
  public let id: UInt64
  /// Where it is.
  public let coordinate: GeoCoordinate
  /// Its rank on the map.
  public let nodeType: NodeKind
  /// 0 for a root, 1 for what is in it, and so on.
  public let depth: Int
  /// The first zoom at which it is visible; nil of a file, and of a folder without land, for it
  /// depends on how many files there are.
  public let minzoom: Int?
  /// Whether it owns land; if not it is a point.
  public let isLanded: Bool

  init(_ node: MapNode, engine: GeoProjectionEngine) {
    switch node.body {
    case .folder(let place, _, _, _): (id, isLanded) = (place.seed, place.isLanded)
    case .file(let place, _, _): (id, isLanded) = (place.seed, false)
    }
    coordinate = GeoCoordinate(node.coordinate(by: engine), digits: node.digits)
    nodeType = node.kind
    depth = node.depth
    minzoom = node.minzoom.map(Int.init)
  }
}

extension GeoLookup {
  /// The node that a path would have in layout `pinned`, without anything being read; nil in layout
  /// `settled`, or if there is no root of such a label.
  ///
  /// - Parameters:
  ///   - path: A root's label, then names, joined by `/`.
  ///   - isFolder: What is to be there; the label alone is a folder in any case.
  /// - Complexity: O(names).
  public func plannedNode(at path: [UInt8], isFolder: Bool) -> PlannedNode? {
    world.pinnedNode(at: path, isFolder: isFolder).map { PlannedNode($0, engine: world.engine) }
  }
}

extension MapChunk {
  /// A copy of the bytes, for where the lent ones won't do.
  public var bytes: [UInt8] {
    withBytes { Array(copying: $0) }
  }
}
