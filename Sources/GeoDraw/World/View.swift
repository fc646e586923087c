import GeoCore
import GeoProjection
import GeoTree

/// A part of the world, which is Web Mercator's square: from 0 to 1, x to the east, y to the south.
package struct WorldBox: Sendable, Hashable {
  var west: Double
  var north: Double
  var east: Double
  var south: Double

  /// The part around some points of the chart; nil around none.
  init?(around points: some Sequence<PlanPoint>) {
    var box: WorldBox?
    for point in points {
      let (x, y) = (Double(point.x) * 0x1p-62, Double(point.y) * 0x1p-62)
      guard let sofar = box else {
        box = WorldBox(west: x, north: y, east: x, south: y)
        continue
      }
      box = WorldBox(
        west: min(sofar.west, x), north: min(sofar.north, y), east: max(sofar.east, x),
        south: max(sofar.south, y))
    }
    guard let box else { return nil }
    self = box
  }

  private init(west: Double, north: Double, east: Double, south: Double) {
    (self.west, self.north, self.east, self.south) = (west, north, east, south)
  }

  /// The part that a box of degrees is, as far as the square goes; nil for a box that crosses the
  /// antimeridian or has no extent.
  package init?(_ box: BoundingBox) {
    func y(_ latitude: Double) -> Double { Mercator.y(ofLatitude: latitude) }
    self.init(
      west: box.west / 360 + 0.5, north: y(box.north), east: box.east / 360 + 0.5,
      south: y(box.south))
    if !(east > west && south > north) { return nil }
  }

  /// Whether two parts meet.
  func meets(_ other: WorldBox) -> Bool {
    west <= other.east && east >= other.west && north <= other.south && south >= other.north
  }

  mutating func formUnion(_ other: WorldBox) {
    (west, north) = (min(west, other.west), min(north, other.north))
    (east, south) = (max(east, other.east), max(south, other.south))
  }

  /// All of the land that roots can have.
  static let land = WorldBox(west: 0.125, north: 0.125, east: 0.875, south: 0.875)
}

/// Latitudes and where they are.
enum Mercator {
  /// Where a latitude is, from 0 in the north to 1 in the south.
  static func y(ofLatitude latitude: Double) -> Double {
    let sine = Trigonometry.sine(Look.clamp(latitude, -85.0511, 85.0511) * .pi / 180)
    // The natural logarithm, by that to the base of ten.
    let logarithm = Logarithm.ofTen((1 + sine) / (1 - sine)) / 0.4342944819032518
    return 0.5 - logarithm / (4 * .pi)
  }

  /// The latitude in degrees there.
  static func latitude(ofY y: Double) -> Double {
    Degrees.latitude(Int64(Look.clamp(y, 0, 1) * 0x1p62))
  }
}

/// How the world lies on a sheet.
package struct View: Sendable {
  /// Where the map is on the sheet.
  package let frame: Box
  /// How many units of the sheet the world's side is long.
  package let scale: Double
  /// The point of the chart in the frame's upper left corner; may lie outside of the world.
  private let west: Double
  private let north: Double

  /// Fits a part of the world into a frame.
  ///
  /// - Parameter margin: How much room is left around it, in units.
  init(_ box: WorldBox, in frame: Box, margin: Double) {
    self.frame = frame
    let width = max(box.east - box.west, 1e-12)
    let height = max(box.south - box.north, 1e-12)
    let scale = min(
      max(frame.width - 2 * margin, 1) / width, max(frame.height - 2 * margin, 1) / height)
    self.scale = scale
    west = (box.west + box.east) / 2 - frame.width / 2 / scale
    north = (box.north + box.south) / 2 - frame.height / 2 / scale
  }

  /// Where a point of the chart is on the sheet.
  func place(_ point: PlanPoint) -> Point {
    // 2^62 units are more than a double tells apart, so what is near is taken off first.
    let corner = (x: Self.near(west), y: Self.near(north))
    let x = Double(point.x - Int64(corner.x * 0x1p62)) * 0x1p-62 + (corner.x - west)
    let y = Double(point.y - Int64(corner.y * 0x1p62)) * 0x1p-62 + (corner.y - north)
    return Point(frame.left + x * scale, frame.top + y * scale)
  }

  /// What of a corner can be taken off an integer: on a small sheet it is far outside of the world.
  private static func near(_ corner: Double) -> Double { Look.clamp(corner, -0.999, 1) }

  /// Where a point of the square is on the sheet.
  func place(x: Double, y: Double) -> Point {
    Point(frame.left + (x - west) * scale, frame.top + (y - north) * scale)
  }

  /// A point of the sheet, led astray by the world's field, as all lines are.
  func led(_ point: Point) -> Point {
    let x = point.x - frame.left + west * scale
    let y = point.y - frame.top + north * scale
    return point + Field.wander(x, y)
  }

  /// A closed line of the chart on the sheet, in short steps, led astray.
  func drawn(_ ring: [PlanPoint]) -> [Point] {
    guard let last = ring.last else { return [] }
    var points: [Point] = []
    var a = place(last)
    for vertex in ring {
      let b = place(vertex)
      // What is far outside of the frame needs no care.
      let steps = min(400, max(1, Int((a.distance(to: b) / Self.stride).rounded(.up))))
      for step in 1...steps {
        let t = Double(step) / Double(steps)
        points.append(led(Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)))
      }
      a = b
    }
    return points
  }

  /// How far apart the points of a line are at most where it is led astray, in units.
  private static let stride = 6.0

  /// The point of the square at a point of the sheet.
  func world(at point: Point) -> (x: Double, y: Double) {
    (west + (point.x - frame.left) / scale, north + (point.y - frame.top) / scale)
  }

  /// How many units of the sheet a length of the plan is.
  func length(_ plan: Int64) -> Double { Double(plan) * 0x1p-62 * scale }

  /// Whether a land of a place may lie in the frame.
  func meets(_ land: Quad, by engine: GeoProjectionEngine) -> Bool {
    let corners = [land.q0, land.q1, land.q2, land.q3].map { place(engine.chart($0)) }
    guard let box = Box(around: corners) else { return false }
    // The chart bends sides out by less than half of their length.
    let bend = max(box.width, box.height) / 2
    return box.grown(by: bend).overlaps(frame)
  }
}

/// A folder of an atlas: where it is and what is below it.
package struct AtlasFolder: Sendable {
  /// Its number in the totals.
  package let number: Int
  /// The index of the folder that it is in; nil for a root.
  package let parent: Int?
  /// Where it is.
  package let place: FolderPlace
  /// The root's label, then names, joined by `/`.
  package let path: [UInt8]
  /// What is below it; nil where it could not be listed.
  package let totals: FolderTotals?
  /// What else is known of that.
  package let details: FolderDetails?
  /// How many files it has itself, as far as they are not below others as well.
  package var ownFiles: Int64 = 0
  /// The bytes of those.
  package var ownBytes: Int64 = 0
  /// Its sub-folders that are worth drawing, in the order of their names.
  package var children: [Int] = []
  /// Where its own files are.
  package var city: City?

  /// The last component of its path.
  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }

  /// Bytes below it, 0 where nobody knows.
  var bytes: Double { Double(totals?.bytes ?? 0) }
}

/// What a sheet is about: folders with their places and totals, a folder before what is in it.
package struct AtlasTree: Sendable {
  package private(set) var folders: [AtlasFolder] = []
  /// The folders that are drawn as continents: the roots, or one folder.
  package private(set) var tops: [Int] = []
  package let engine: GeoProjectionEngine
  private let totals: TreeTotals

  /// The folders of a world that are large enough, and meet what is to be seen.
  ///
  /// - Parameters:
  ///   - totals: Of all folders of the world.
  ///   - engine: Of the same roots, in the same order.
  ///   - top: The number of the folder that is drawn as a continent; nil for all roots.
  ///   - showsUnlisted: Whether folders are drawn of which nobody knows what is below them.
  ///   - isSeen: Whether a folder's land is worth drawing; what is in it is not asked otherwise.
  package init(
    _ totals: TreeTotals, by engine: GeoProjectionEngine, top: Int?, showsUnlisted: Bool = true,
    isSeen: (FolderPlace) -> Bool
  ) {
    self.engine = engine
    self.totals = totals
    let roots = totals.folders(in: nil)
    for (index, number) in roots.numbers.enumerated() where index < engine.roots.count {
      add(number, roots.names.name(at: index), at: engine.roots[index], in: nil)
    }
    var next = 0
    var places: [FolderPlace] = []
    while next < folders.count {
      let folder = folders[next]
      let below = totals.folders(in: folder.number)
      var own = (folder.totals?.files ?? 0, folder.totals?.bytes ?? 0)
      for number in below.numbers {
        guard let totals = totals[number] else { continue }
        own = (own.0 - totals.files, own.1 - (totals.bytes ?? 0))
      }
      // A file with names in two of them counts once in this one.
      let files = max(0, own.0)
      let city = engine.placeFolders(
        below.names, in: folder.place, fileCount: Int(clamping: files), into: &places)
      folders[next].ownFiles = files
      folders[next].ownBytes = max(0, own.1)
      folders[next].city = folder.place.isLanded ? city : nil
      for (index, place) in places.enumerated() where place.isLanded && isSeen(place) {
        if !showsUnlisted, totals[below.numbers[index]] == nil { continue }
        let path = folder.path.appending(component: below.names.name(at: index))
        folders[next].children.append(folders.count)
        add(below.numbers[index], path, at: place, in: next)
      }
      next += 1
    }
    tops = folders.indices.filter { index in
      if let top { folders[index].number == top } else { folders[index].parent == nil }
    }
  }

  private mutating func add(
    _ number: Int, _ path: [UInt8], at place: FolderPlace, in parent: Int?
  ) {
    folders.append(
      AtlasFolder(
        number: number, parent: parent, place: place, path: path, totals: totals[number],
        details: totals.details(of: number)))
  }

  /// How many folders are below a folder, drawn or not.
  package func count(below folder: Int) -> Int { totals.count(below: folders[folder].number) }

  /// How many levels a folder lies below a top: 0 for a top; nil if it isn't in one.
  func rank(of folder: Int) -> Int? {
    var rank = 0
    var at = folder
    while !tops.contains(at) {
      guard let parent = folders[at].parent else { return nil }
      at = parent
      rank += 1
    }
    return rank
  }
}

extension GeoProjectionEngine {
  /// The place of a folder, by the names of all folders around it; nil where there is none, or none
  /// with land.
  ///
  /// - Parameters:
  ///   - number: The folder's number in the totals.
  ///   - names: The root's label, then names.
  package func place(
    of names: [ArraySlice<UInt8>], in totals: TreeTotals
  ) -> (number: Int, place: FolderPlace)? {
    var found: (number: Int, place: FolderPlace)?
    var places = roots
    for name in names {
      let below = totals.folders(in: found?.number)
      if let around = found?.place {
        placeFolders(below.names, in: around, fileCount: 0, into: &places)
      }
      guard let index = below.names.index(of: Array(name)), index < places.count else {
        return nil
      }
      found = (below.numbers[index], places[index])
    }
    return found
  }
}
