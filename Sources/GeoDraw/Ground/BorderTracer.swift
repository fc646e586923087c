/// A line between two lands, or between a land and the sea.
///
/// It runs from one corner where three or more areas meet to the next, or is closed.
struct BorderArc: Sendable {
  let left, right: Int32
  /// Its points; the last one equals the first if the line is closed.
  var points: [Point]
  let start, end: Int
}

/// Finds each line between the lands of a grid once, by crack following: it goes along the edges of
/// cells from corner to corner.
/// A class, as its parts are read for every cell: without optimisation each read copies a whole
/// struct.
final class BorderTracer {
  private let grid: LandGrid
  /// Copies of the grid's properties, for speed.
  private let cells: [Int32]
  private let width, height: Int
  private var corners: Int { width + 1 }
  /// For each corner, whether the edges to the right of it and below it were followed (bits 1 and
  /// 2).
  private var isDone: [UInt8]

  /// The directions: right, down, left, up.
  private let steps: [(x: Int, y: Int)] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
  /// The cells around a corner: each direction has that of its index on the left, the next on the
  /// right.
  private let around: [(x: Int, y: Int)] = [(0, -1), (0, 0), (-1, 0), (-1, -1)]

  init(_ grid: LandGrid) {
    self.grid = grid
    (cells, width, height) = (grid.cells, grid.width, grid.height)
    isDone = [UInt8](repeating: 0, count: (width + 1) * (height + 1))
  }

  func trace() -> [BorderArc] {
    var arcs: [BorderArc] = []
    var cracked: [(x: Int, y: Int)] = []
    for y in 0...height {
      for x in 0...width where hasCrack(x, y) { cracked.append((x, y)) }
    }
    // First the lines between meeting points, then the closed lines that are left.
    for closed in [false, true] {
      for (x, y) in cracked {
        if !closed, degree(x, y) == 2 { continue }
        for direction in steps.indices
        where isCrack(x, y, direction) && !isDone(x, y, direction) {
          arcs.append(follow(x, y, direction))
        }
      }
    }
    return arcs
  }

  private func cell(_ x: Int, _ y: Int) -> Int32? {
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    return cells[y * width + x]
  }

  /// Whether the four cells around a corner differ.
  @inline(__always)
  private func hasCrack(_ x: Int, _ y: Int) -> Bool {
    guard x > 0, y > 0, x < width, y < height else { return degree(x, y) > 0 }
    let below = y * width + x
    let above = below - width
    let land = cells[below]
    return cells[below - 1] != land || cells[above] != land || cells[above - 1] != land
  }

  /// Nil outside of the grid.
  private func sides(_ x: Int, _ y: Int, _ direction: Int) -> (left: Int32?, right: Int32?) {
    let (left, right) = (around[direction], around[(direction + 1) % 4])
    return (cell(x + left.x, y + left.y), cell(x + right.x, y + right.y))
  }

  /// The grid's edge counts as sea, so that lands cut off there are closed.
  private func isCrack(_ x: Int, _ y: Int, _ direction: Int) -> Bool {
    let (left, right) = sides(x, y, direction)
    if left == nil && right == nil { return false }
    return (left ?? LandGrid.sea) != (right ?? LandGrid.sea)
  }

  private func degree(_ x: Int, _ y: Int) -> Int {
    steps.indices.count { isCrack(x, y, $0) }
  }

  private func bit(_ x: Int, _ y: Int, _ direction: Int) -> (index: Int, bit: UInt8) {
    // Edges belong to their left or upper end.
    let isBack = direction > 1
    let (x, y) = isBack ? (x + steps[direction].x, y + steps[direction].y) : (x, y)
    return (y * corners + x, direction % 2 == 0 ? 1 : 2)
  }

  private func isDone(_ x: Int, _ y: Int, _ direction: Int) -> Bool {
    let (index, bit) = self.bit(x, y, direction)
    return isDone[index] & bit != 0
  }

  private func follow(_ x: Int, _ y: Int, _ direction: Int) -> BorderArc {
    let (left, right) = sides(x, y, direction)
    let start = y * corners + x
    var (x, y, direction) = (x, y, direction)
    var points = [place(x, y)]
    while true {
      let (index, bit) = self.bit(x, y, direction)
      isDone[index] |= bit
      let (dx, dy) = steps[direction]
      // The middles of edges make a smoother line than the corners.
      let (mx, my) = (Double(x) + Double(dx) / 2, Double(y) + Double(dy) / 2)
      points.append(Point(grid.frame.left + mx * grid.step, grid.frame.top + my * grid.step))
      (x, y) = (x + dx, y + dy)
      if y * corners + x == start || degree(x, y) != 2 { break }
      let back = (direction + 2) % 4
      guard let next = steps.indices.first(where: { $0 != back && isCrack(x, y, $0) }) else {
        break
      }
      direction = next
    }
    points.append(place(x, y))
    return BorderArc(
      left: left ?? LandGrid.sea, right: right ?? LandGrid.sea, points: points, start: start,
      end: y * corners + x)
  }

  private func place(_ x: Int, _ y: Int) -> Point {
    Point(
      grid.frame.left + Double(x) * grid.step, grid.frame.top + Double(y) * grid.step)
  }
}
