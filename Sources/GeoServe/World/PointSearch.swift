import GeoPath
import GeoProjection

/// Finds which folder a point of the map lies in, and what is near it.
struct PointSearch {
  /// Something near the point.
  struct Near {
    var path: [UInt8]
    var distance: Double
    var coordinate: Coordinate
    var digits: UInt8
  }

  /// The deepest folder whose coast line encloses the point; nil at sea.
  private(set) var found: World.Found?
  /// What is nearest in that folder, the nearest first.
  private(set) var nearest: [Near] = []

  private let longitude: Double
  private let latitude: Double
  private let zoom: Int
  private var ring: [Coordinate] = []

  /// How many of them are kept.
  private static let most = 8
  /// Metres of a degree on a sphere of 6,371,008.8 m, the earth's mean radius.
  private static let metres = 111_195.080_233_532_9

  init(longitude: Double, latitude: Double, zoom: Int) {
    self.longitude = longitude
    self.latitude = latitude
    self.zoom = zoom
  }

  mutating func run(in world: World) {
    for (index, root) in world.engine.roots.enumerated() {
      guard root.minzoom <= zoom, encloses(root, world.engine) else { continue }
      let handle = world.chain(ofRoot: index)
      let folder = world.folder(
        at: world.roots[index].label, root: index, place: root, handle)
      descend(from: World.Found(ancestors: [folder], file: nil, handle: handle), in: world)
      return
    }
  }

  private mutating func descend(from start: World.Found, in world: World) {
    var found = start
    search: while true {
      let folder = found.folder
      for index in folder.places.indices {
        let place = folder.places[index]
        guard place.isLanded, place.minzoom <= zoom, encloses(place, world.engine) else {
          continue
        }
        let name = folder.folders.name(at: index)
        found.handle = found.handle.child(name)
        found.ancestors.append(
          world.folder(
            at: folder.path(of: name), root: folder.root, place: place, found.handle))
        continue search
      }
      break
    }
    self.found = found
    collect(from: found.folder, world.engine)
  }

  private mutating func collect(from folder: WorldFolder, _ engine: GeoProjectionEngine) {
    if folder.city.minzoom <= zoom {
      var places: [FilePlace] = []
      engine.placeFiles(folder.files, 0..<folder.files.count, in: folder.city, into: &places)
      for (index, place) in places.enumerated() {
        offer(place.coordinate, folder.city.digits) {
          folder.path(of: folder.files.name(at: index))
        }
      }
    }
    for (index, place) in folder.places.enumerated() where place.minzoom <= zoom {
      offer(engine.coordinate(of: place), place.digits) {
        folder.path(of: folder.folders.name(at: index))
      }
    }
  }

  /// Keeps a node if it is among the nearest.
  private mutating func offer(_ coordinate: Coordinate, _ digits: UInt8, path: () -> [UInt8]) {
    let point = coordinate.degrees(digits: digits)
    let north = (point.latitude - latitude) * Self.metres
    let middle = (point.latitude + latitude) / 2
    let east = (point.longitude - longitude) * Self.metres * Self.cosine(ofDegrees: middle)
    let distance = (north * north + east * east).squareRoot()
    if nearest.count == Self.most, let last = nearest.last, last.distance <= distance { return }
    let place = nearest.firstIndex { $0.distance > distance } ?? nearest.count
    nearest.insert(
      Near(path: path(), distance: distance, coordinate: coordinate, digits: digits), at: place)
    if nearest.count > Self.most { nearest.removeLast() }
  }

  /// By its series, exact to 10^-9 within ±90 degrees.
  private static func cosine(ofDegrees degrees: Double) -> Double {
    let x = degrees * Double.pi / 180
    let square = x * x
    var (sum, term) = (1.0, 1.0)
    for step in 1...9 {
      term *= -square / Double((2 * step - 1) * (2 * step))
      sum += term
    }
    return sum
  }

  /// Whether the point lies within the coast line, as it is printed.
  private mutating func encloses(_ place: FolderPlace, _ engine: GeoProjectionEngine) -> Bool {
    engine.coastline(of: place, into: &ring)
    var isInside = false
    guard var before = ring.last?.degrees(digits: place.digits) else { return false }
    for vertex in ring {
      let point = vertex.degrees(digits: place.digits)
      if (point.latitude > latitude) != (before.latitude > latitude) {
        let part = (latitude - before.latitude) / (point.latitude - before.latitude)
        if longitude < before.longitude + part * (point.longitude - before.longitude) {
          isInside.toggle()
        }
      }
      before = point
    }
    return isInside
  }
}
