import GeoCore

/// Which meridians and parallels are drawn, and which of them are numbered.
struct Graticule: Sendable {
  /// Degrees of longitude between two labels, and between two lines.
  let labels, lines: Double
  let latitudeLabels, latitudeLines: Double
  let decimals: Int
  private let west, east, north, south: Double

  private static let minimumGap = 64.0

  init(_ view: View) {
    let frame = view.frame
    let start = view.world(at: Point(frame.left, frame.top))
    let end = view.world(at: Point(frame.right, frame.bottom))
    west = Look.clamp((start.x - 0.5) * 360, -180, 180)
    east = Look.clamp((end.x - 0.5) * 360, -180, 180)
    north = Mercator.latitude(ofY: start.y)
    south = Mercator.latitude(ofY: end.y)
    let minimum = Self.minimumGap / view.scale * 360
    if minimum > 10 {
      (labels, lines, latitudeLabels, latitudeLines) = (30, 10, 20, 10)
      decimals = 0
      return
    }
    let ten = Logarithm.power(10, Logarithm.ofTen(minimum).rounded(.down))
    let lead = minimum / ten
    let step = ten * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10)
    (labels, latitudeLabels) = (step, step)
    let divisions = lead > 1 && lead <= 2 ? 4.0 : 5
    (lines, latitudeLines) = (step / divisions, step / divisions)
    decimals = max(0, Int(-Logarithm.ofTen(step * 1.001).rounded(.down)))
  }

  /// The multiples of a step between two bounds; none if there would be more than 2,000.
  private static func multiples(of step: Double, _ low: Double, _ high: Double) -> [Double] {
    let first = (low / step - 1e-9).rounded(.up)
    let last = (high / step + 1e-9).rounded(.down)
    guard last >= first, last - first < 2000 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  func meridians(_ view: View, every step: Double) -> [(at: Double, degrees: Double)] {
    Self.multiples(of: step, west, east).map { degrees in
      (view.place(x: degrees / 360 + 0.5, y: 0).x, degrees)
    }
  }

  func parallels(_ view: View, every step: Double) -> [(at: Double, degrees: Double)] {
    Self.multiples(of: step, max(south, -85), min(north, 85)).reversed().map { degrees in
      (view.place(x: 0, y: Mercator.y(ofLatitude: degrees)).y, degrees)
    }
  }

  /// All lines within the frame: those without a label (`fine`) and those with one (`strong`).
  func lines(_ view: View) -> (fine: [[Point]], strong: [[Point]]) {
    let frame = view.frame
    let left = max(frame.left, view.place(x: 0, y: 0).x)
    let right = min(frame.right, view.place(x: 1, y: 0).x)
    func isStrong(_ degrees: Double, _ step: Double) -> Bool {
      abs((degrees / step).rounded() - degrees / step) < 1e-6
    }
    let all =
      meridians(view, every: lines).map { x, degrees in
        (isStrong(degrees, labels), [Point(x, frame.top), Point(x, frame.bottom)])
      }
      + parallels(view, every: latitudeLines).map { y, degrees in
        (isStrong(degrees, latitudeLabels), [Point(left, y), Point(right, y)])
      }
    return (all.filter { !$0.0 }.map(\.1), all.filter(\.0).map(\.1))
  }
}
