import GeoCore
import GeoProjection
import GeoTree

/// Boxes of the Web Mercator square: coordinates from 0 to 1, x to the east, y to the south.
extension Box {
  init?(aroundChart points: [PlanPoint]) {
    self.init(
      around: points.lazy.map { Point(Double($0.x) * 0x1p-62, Double($0.y) * 0x1p-62) })
  }

  /// Nil for a box of degrees that crosses the antimeridian or has no extent.
  init?(_ box: BoundingBox) {
    self.init(
      left: box.west / 360 + 0.5, top: Mercator.y(ofLatitude: box.north),
      right: box.east / 360 + 0.5, bottom: Mercator.y(ofLatitude: box.south))
    if !(right > left && bottom > top) { return nil }
  }
}

enum Mercator {
  /// The y of a latitude in degrees, from 0 in the north to 1 in the south.
  static func y(ofLatitude latitude: Double) -> Double {
    let sine = Trigonometry.sine(Look.clamp(latitude, -85.0511, 85.0511) * .pi / 180)
    // log10(e) turns it into the natural logarithm.
    let logarithm = Logarithm.ofTen((1 + sine) / (1 - sine)) / 0.4342944819032518
    return 0.5 - logarithm / (4 * .pi)
  }

  static func latitude(ofY y: Double) -> Double {
    Degrees.latitude(Int64(Look.clamp(y, 0, 1) * 0x1p62))
  }
}

/// The transformation from the world to a sheet.
package struct View: Sendable {
  package let frame: Box
  /// The length of the world's side in units of the sheet.
  package let scale: Double
  /// The point of the square in the frame's upper left corner; may be outside of the world.
  private let west, north: Double

  /// `margin` is the room to leave on each side, in units.
  init(_ box: Box, in frame: Box, margin: Double) {
    self.frame = frame
    scale = min(
      max(frame.width - 2 * margin, 1) / max(box.width, 1e-12),
      max(frame.height - 2 * margin, 1) / max(box.height, 1e-12))
    west = box.middle.x - frame.width / 2 / scale
    north = box.middle.y - frame.height / 2 / scale
  }

  /// The place of a point of the chart on the sheet.
  func place(_ point: PlanPoint) -> Point {
    // A double can't hold 62 bits, so the corner is subtracted as an integer first.
    let corner = (x: Self.near(west), y: Self.near(north))
    let x = Double(point.x - Int64(corner.x * 0x1p62)) * 0x1p-62 + (corner.x - west)
    let y = Double(point.y - Int64(corner.y * 0x1p62)) * 0x1p-62 + (corner.y - north)
    return Point(frame.left + x * scale, frame.top + y * scale)
  }

  /// The part of a corner's coordinate that fits the integer type: on a small sheet the corner can
  /// be far outside of the world.
  private static func near(_ corner: Double) -> Double { Look.clamp(corner, -0.999, 1) }

  /// The place of a point of the square on the sheet.
  func place(x: Double, y: Double) -> Point {
    Point(frame.left + (x - west) * scale, frame.top + (y - north) * scale)
  }

  func place(longitude: Double, latitude: Double) -> Point {
    place(x: longitude / 360 + 0.5, y: Mercator.y(ofLatitude: latitude))
  }

  /// A point of the sheet, displaced by the noise that makes all lines look drawn by hand.
  func led(_ point: Point) -> Point {
    let x = point.x - frame.left + west * scale
    let y = point.y - frame.top + north * scale
    return point + Field.wander(x, y)
  }

  /// Transforms a closed line of the chart to the sheet, in short steps that are displaced by the
  /// noise.
  func drawn(_ ring: [PlanPoint]) -> [Point] {
    guard let last = ring.last else { return [] }
    var points: [Point] = []
    var a = place(last)
    for vertex in ring {
      let b = place(vertex)
      // The limit keeps edges that extend far outside of the frame cheap.
      let steps = min(400, max(1, Int((a.distance(to: b) / Self.stride).rounded(.up))))
      for step in 1...steps {
        let t = Double(step) / Double(steps)
        points.append(led(a + (b - a) * t))
      }
      a = b
    }
    return points
  }

  /// The largest distance between displaced points of a line, in units.
  private static let stride = 6.0

  /// The point of the square at a point of the sheet.
  func world(at point: Point) -> (x: Double, y: Double) {
    (west + (point.x - frame.left) / scale, north + (point.y - frame.top) / scale)
  }

  func length(_ plan: Int64) -> Double { Double(plan) * 0x1p-62 * scale }

  /// Whether land may be visible in the frame. It can return true for land just outside.
  func meets(_ land: Quad, by engine: GeoProjectionEngine) -> Bool {
    let corners = [land.q0, land.q1, land.q2, land.q3].map { place(engine.chart($0)) }
    guard let box = Box(around: corners) else { return false }
    // The chart bends sides out by less than half of their length.
    let bend = max(box.width, box.height) / 2
    return box.grown(by: bend).overlaps(frame)
  }
}

package struct SheetFolder: Sendable {
  /// Its number in the totals.
  package let number: Int
  /// The index of the folder that it is in; nil for a root.
  package let parent: Int?
  package let place: FolderPlace
  package let tint: UInt8
  /// The root's label, then names, joined by `/`.
  package let path: [UInt8]
  /// The totals of its contents; nil if it could not be listed.
  package let totals: FolderTotals?
  package let details: FolderDetails?
  /// The number of its own files, without those that are below a sub-folder as well.
  package var ownFiles: Int64 = 0
  package var ownAmount = 0.0
  package var ownSize = 0.0
  let cells: [LayerCell]
  /// The room on disk of its contents, or their bytes; see ``SheetTree/isRoom``. Nil if unknown.
  let size: Double?
  /// The amount of its contents, which is ``size`` unless something else is measured; nil if unknown.
  package let amount: Double?
  /// The indices of the sub-folders that are worth drawing, in the order of their names.
  package var children: [Int] = []
  /// The places of its own files; nil without land.
  package var city: City?

  package var name: ArraySlice<UInt8> { path.lastComponent }

  /// Its amount; 0 if unknown.
  var measured: Double { amount ?? 0 }
}

extension GeoProjectionEngine {
  /// The number in the totals and the place of a folder, by the root's label and names.
  package func place(
    of names: [ArraySlice<UInt8>], in totals: TreeTotals
  ) -> (number: Int, place: FolderPlace)? {
    var found: (number: Int, place: FolderPlace)?
    var places = roots
    for name in names {
      let below = totals.folders(in: found?.number)
      if let around = found?.place { places = self.places(of: below.names, in: around) }
      guard let index = below.names.index(of: Array(name)), index < places.count else {
        return nil
      }
      found = (below.numbers[index], places[index])
    }
    return found
  }
}
