import Foundation
import GeoAtlas
import GeoCore
import GeoProjection
import GeoSystem
import GeoTree

/// Answers the questions of ``GeoReader``, each on the thread of the caller.
package final class GeoLookup: Sendable {
  package let world: World
  private let directories: [SharedDirectory]

  package var labels: [[UInt8]] { world.roots.map(\.label) }
  /// In the order of ``labels``.
  var folders: [URL] { directories.map(\.url) }

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
  package func node(at path: some MapPath) -> GeoNode? {
    guard let path = path.bytes(in: self), let found = world.find(path) else { return nil }
    return node(found)
  }

  package func ancestors(of path: some MapPath) -> [GeoNode]? {
    guard let path = path.bytes(in: self), let found = world.find(path) else { return nil }
    return (found.file == nil ? found.ancestors.dropLast() : found.ancestors[...]).map(node)
  }

  package func children(of path: some MapPath) throws -> [GeoNode]? {
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

  private func expectListed(_ folder: WorldFolder) throws(Failure) {
    guard let reason = folder.failure else { return }
    throw .unlistable(ScanFault(rawPath: folder.path, reason: reason))
  }

  private func expectListed(above path: [UInt8]) throws(Failure) {
    var names = path.components.dropLast()
    while !names.isEmpty {
      if let found = world.find(Array(names.joined(separator: [.slash]))) {
        return found.file == nil ? try expectListed(found.folder) : ()
      }
      names.removeLast()
    }
  }

  package func coastline(of path: some MapPath) -> [GeoCoordinate]? {
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

  package func route(from start: some MapPath, to end: some MapPath) -> GeoRoute? {
    guard let start = start.bytes(in: self), let end = end.bytes(in: self),
      let start = world.node(at: start, asksFacts: false),
      let end = world.node(at: end, asksFacts: false)
    else { return nil }
    return GeoRoute(Route(from: start, to: end, engine: world.engine))
  }

  package func contents(
    at place: GeoCoordinate, zoom: Int? = nil, limit: Int = 8, radius: Double? = nil
  ) throws(Failure) -> PlaceContents {
    var query = PointQuery(try place.point())
    query.zoom = zoom
    query.limit = max(0, limit)
    query.radius = query.limit > 0 ? max(0, radius ?? .infinity) : nil
    let answer = query.answer(in: world)
    return PlaceContents(
      folders: answer.folders.map { $0.map(node) },
      files: answer.files.compactMap { file in
        node(at: file.path).map { PlaceContents.Near(node: $0, distance: file.distance) }
      })
  }

  package func files(
    nearest place: GeoCoordinate, count: Int
  ) throws(Failure) -> [PlaceContents.Near] {
    try contents(at: place, limit: count).files
  }
}

extension GeoLookup {
  package func tile(_ tile: MapTile, format: TileFormat = .vector) -> Data? {
    guard let address = TileAddress(zoom: tile.zoom, x: tile.x, y: tile.y),
      let made = world.tile(address)
    else { return nil }
    return Data(format.encode(made.content))
  }
}

/// The folders and files at a place of the map.
public struct PlaceContents: Hashable, Sendable {
  /// A file near the place.
  public struct Near: Hashable, Sendable {
    /// The file.
    public let node: GeoNode
    /// Metres along the great circle, as ``GeoCoordinate/distance(to:)``.
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

  package var isEmpty: Bool { folders.isEmpty && files.isEmpty }
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

  /// The stops from the first node to the last; a single one if the ends are the same node.
  public let stops: [Stop]
  /// The index of the stop at the common folder; nil if the ends are on different continents.
  public let top: Int?

  /// The length in metres, along the great circles between the stops.
  public let distance: Double

  init(_ route: Route) {
    stops = route.stops.map {
      Stop(rawPath: $0.path, coordinate: GeoCoordinate($0.coordinate, digits: $0.digits))
    }
    distance = route.legs.reduce(0) { $0 + $1.distance }
    top = route.top
  }
}

extension GeoCoordinate {
  /// Throws if a coordinate is out of range or not a number.
  fileprivate func point() throws(Failure) -> ExactPoint {
    for (name, degrees, maximum) in [("longitude", longitude, 180.0), ("latitude", latitude, 90)] {
      if !(-maximum...maximum).contains(degrees) {
        throw .usage("\(name) must be from \(-Int(maximum)) to \(Int(maximum)), not \(degrees)")
      }
    }
    return ExactPoint(longitude: longitude, latitude: latitude)
  }

  /// Returns the great-circle distance to another place in metres, on a sphere of the earth's mean
  /// radius; NaN if either is not finite.
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
  init?(_ place: GeoCoordinate) {
    guard place.longitude.isFinite, place.latitude.isFinite else { return nil }
    self.init(longitude: place.longitude, latitude: place.latitude)
  }
}

extension GeoNode {
  init(_ folder: WorldFolder, engine: GeoProjectionEngine, directory: SharedDirectory) {
    let place = folder.place
    self.init(
      id: place.seed, rawPath: folder.path,
      coordinate: GeoCoordinate(engine.coordinate(of: place), digits: place.digits),
      nodeType: place.kind, size: folder.entries.map(Int64.init), modified: folder.modified,
      depth: Int(place.depth), minimumZoom: Int(place.minzoom), entryKind: .directory,
      isLanded: place.isLanded, isUnreadable: folder.failure != nil, isLoop: false, links: nil,
      totals: nil, outline: [], values: [:], directory: directory)
  }

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
      depth: Int(folder.place.depth) + 1, minimumZoom: Int(folder.city.minzoom),
      entryKind: facts.kind, isLanded: false, isUnreadable: facts.status == .unreadable,
      isLoop: false, links: nil, totals: nil, outline: [], values: [:], directory: directory)
  }
}
