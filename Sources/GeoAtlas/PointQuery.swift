import GeoCore
import GeoProjection
import GeoTree

/// Asks which folders and files are at a point of the map.
package struct PointQuery: Sendable {
  package var point: ExactPoint
  /// Only nodes visible at this zoom are found; nil for all.
  package var zoom: Int?
  package var limit = 8
  /// The maximum distance of files in metres; nil for the files of the deepest folder only.
  package var radius: Double?

  package init(_ point: ExactPoint) { self.point = point }

  package struct Near: Sendable {
    package var path: [UInt8]
    package var place: FilePlace
    package var digits: UInt8
    package var distance: Double
  }

  package struct Answer: Sendable {
    /// The deepest folders whose coast lines contain the point, each after its ancestors: none at
    /// sea, one in layout `settled`, in `pinned` all that share the point.
    package var folders: [[WorldFolder]] = []
    package var files: [Near] = []
  }

  /// Runs the query, reading only folders that contain the point, and with ``radius`` those nearby.
  ///
  /// - Parameter report: Called for each folder whose files may be near.
  package func answer(
    in world: World,
    reporting report: @escaping (ScanReach, [UInt8]) -> Void = { _, _ in }
  ) -> Answer {
    var search = PointSearch(self, world, report)
    search.run()
    return search.answer
  }
}

private struct PointSearch {
  private let query: PointQuery
  private let world: World
  private let reader: WorldReader
  private let engine: GeoProjectionEngine
  private let planned: PlanPoint
  private let origin: Sphere.Origin
  private(set) var answer = PointQuery.Answer()
  private var ancestors: [WorldFolder] = []
  private var ring: [Coordinate] = []
  /// Files that may be among the nearest, at most ``maximum``.
  private var candidates: [Candidate] = []
  private var bound = Double.infinity
  private let maximum: Int
  private let report: (ScanReach, [UInt8]) -> Void
  private var reach = ScanReach()

  private struct Candidate {
    var distance: Double
    var place: FilePlace
    var index: Int
    var folder: WorldFolder
  }

  private struct Unread {
    var distance: Double
    var parent: WorldFolder?
    /// The index in its parent, or of the root.
    var index: Int
  }

  init(
    _ query: PointQuery, _ world: World, _ report: @escaping (ScanReach, [UInt8]) -> Void
  ) {
    (self.report, self.query, self.world) = (report, query, world)
    reader = world.reader()
    engine = world.engine
    maximum = query.limit > 1 << 40 ? .max : max(16, 2 * query.limit)
    planned = query.point.planPoint(by: engine)
    origin = Sphere.Origin(query.point)
  }

  mutating func run() {
    for (index, root) in engine.roots.enumerated() where isVisible(root.minzoom) && holds(root) {
      descend(into: reader.root(index))
    }
    if let radius = query.radius { collect(within: radius) }
    keepNearest()
    answer.files = candidates.map { candidate in
      let folder = candidate.folder
      return PointQuery.Near(
        path: folder.path(of: folder.files.name(at: candidate.index)), place: candidate.place,
        digits: folder.city.digits, distance: candidate.distance)
    }
  }

  private func isVisible(_ minzoom: UInt8) -> Bool {
    MapFilter(zoom: query.zoom).admits(minzoom: minzoom)
  }

  private mutating func descend(into folder: WorldFolder) {
    ancestors.append(folder)
    defer { ancestors.removeLast() }
    var isDeepest = true
    for index in folder.places.indices {
      guard folder.places[index].isLanded, isVisible(folder.places[index].minzoom),
        holds(folder.places[index])
      else { continue }
      isDeepest = false
      descend(into: reader.child(index, of: folder))
      if engine.layout == .settled { return }
    }
    guard isDeepest else { return }
    if world.selection.showsFolders { answer.folders.append(ancestors) }
    if query.radius == nil { collect(from: folder) }
  }

  /// Whether a folder's printed coast line contains the point or touches it.
  private mutating func holds(_ place: FolderPlace) -> Bool {
    // Edges leave the territory by less than the rest of the cell, and never reach into the core;
    // only between these bounds the coast line itself is needed.
    guard place.land.isNear(planned), place.land.shrunk(by: -8).contains(planned) else {
      return false
    }
    let core = Ground.core(of: place.land, depth: place.depth)
    if core.shrunk(by: 4).contains(planned) { return true }
    engine.coastline(of: place, into: &ring)
    return query.point.isInside(ring, digits: place.digits)
  }

  private mutating func collect(from folder: WorldFolder) {
    var waiting = [folder]
    while let folder = waiting.popLast() {
      if isVisible(folder.city.minzoom) { offerFiles(of: folder, within: nil) }
      for index in folder.places.indices where !folder.places[index].isLanded {
        let place = folder.places[index]
        guard isVisible(place.minzoom) else { continue }
        waiting.append(reader.child(index, of: folder))
      }
    }
  }

  /// Offers the files within the radius, of any folder. The nearest folder comes first, so that
  /// few are read that are farther than the nearest files.
  private mutating func collect(within radius: Double) {
    var waiting = unread(engine.roots, of: nil, distance: 0)
    while let next = waiting.popLast() {
      if next.distance > min(bound, radius) { continue }
      let folder = next.parent.map { reader.child(next.index, of: $0) } ?? reader.root(next.index)
      if isVisible(folder.city.minzoom) { offerFiles(of: folder, within: radius) }
      waiting += unread(folder.places, of: folder, distance: next.distance)
    }
  }

  /// The visible folders of a parent, or the roots; the farthest first.
  ///
  /// - Parameter distance: That of the parent, whose land has the files of folders without land.
  private mutating func unread(
    _ places: [FolderPlace], of parent: WorldFolder?, distance: Double
  ) -> [Unread] {
    var found: [Unread] = []
    for (index, place) in places.enumerated() where isVisible(place.minzoom) {
      var nearest = distance
      if place.isLanded {
        engine.coastline(of: place, into: &ring)
        nearest =
          Coordinate.corners(of: ring).map {
            origin.leastDistance(
              southWest: ExactPoint($0.southWest, digits: place.digits),
              northEast: ExactPoint($0.northEast, digits: place.digits))
          } ?? distance
      }
      found.append(Unread(distance: nearest, parent: parent, index: index))
    }
    return found.sorted { $0.distance > $1.distance }
  }

  private mutating func offerFiles(of folder: WorldFolder, within radius: Double?) {
    reach.folders += 1
    reach.files += folder.files.count
    report(reach, folder.path)
    if query.limit <= 0 { return }
    for (index, place) in folder.filePlaces(by: engine).enumerated() {
      let point = ExactPoint(place.coordinate, digits: folder.city.digits)
      if origin.isBeyond(bound, point) { continue }
      let distance = origin.distance(to: point)
      if distance > min(bound, radius ?? .infinity) { continue }
      candidates.append(Candidate(distance: distance, place: place, index: index, folder: folder))
      if candidates.count >= maximum { keepNearest() }
    }
    if bound == .infinity, candidates.count >= query.limit { keepNearest() }
  }

  /// Drops all but the nearest files. It runs once for as many files as are kept, so that a file
  /// costs O(log limit).
  private mutating func keepNearest() {
    candidates.sort { ($0.distance, $0.place.seed) < ($1.distance, $1.place.seed) }
    guard candidates.count >= query.limit else { return }
    candidates.removeLast(candidates.count - query.limit)
    bound = candidates.last?.distance ?? bound
  }
}

extension ExactPoint {
  /// Its position on the plan, to some thousand units: inverts the projection and the chart.
  package func planPoint(by engine: GeoProjectionEngine) -> PlanPoint {
    let world = Double(sign: .plus, exponent: 62, significand: 1)
    let (longitude, latitude) = degrees
    let x = Int64(min(max((longitude / 360 + 0.5) * world, 0), world - 1024))
    // Newton's method for the y of the latitude. Away from the equator the curve is concave, so
    // that each step stops short of the solution.
    var y = (0.5 - latitude / 360) * world
    for _ in 0..<32 {
      let reached = Degrees.latitude(Int64(y))
      let slope = Trigonometry.cosine(reached * .pi / 180) * 360 / world
      let next = min(max(y + (reached - latitude) / slope, 0), world)
      let isThere = abs(next - y) < 256
      y = next
      if isThere { break }
    }
    return engine.chart.inverse(PlanPoint(x: x, y: min(Int64(y), (1 << 62) - 1024)))
  }
}

extension Quad {
  /// Whether a point is in the box around the quad, extended by an eighth in each direction. A
  /// point outside is neither in the quad, nor in one whose corners are moved outwards by a
  /// sixteenth.
  package func isNear(_ point: PlanPoint) -> Bool {
    let (west, east) = (min(q0.x, q1.x, q2.x, q3.x), max(q0.x, q1.x, q2.x, q3.x))
    let (north, south) = (min(q0.y, q1.y, q2.y, q3.y), max(q0.y, q1.y, q2.y, q3.y))
    let (width, height) = ((east - west) >> 3, (south - north) >> 3)
    return point.x >= west - width && point.x <= east + width
      && point.y >= north - height && point.y <= south + height
  }

  package func contains(_ point: PlanPoint) -> Bool {
    // From corner to corner, counter-clockwise on a plan whose y runs south.
    func isLeft(_ a: PlanPoint, _ b: PlanPoint) -> Bool {
      let side =
        Int128(b.x - a.x) * Int128(point.y - a.y) - Int128(b.y - a.y) * Int128(point.x - a.x)
      return side >= 0
    }
    return isLeft(q0, q1) && isLeft(q1, q2) && isLeft(q2, q3) && isLeft(q3, q0)
  }
}
