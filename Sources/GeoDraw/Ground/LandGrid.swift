/// A fine grid over the map that holds the deepest land of each cell.
///
/// Lands are filled in by their coast lines, parents first. Then each land grows into the cells
/// that are nearer to it than to its siblings, within a limit, to close the gaps between them.
struct LandGrid: Sendable {
  static let sea: Int32 = -1

  let frame: Box
  let step: Double
  let width, height: Int
  /// The index of the deepest drawn land of each cell.
  private(set) var cells: [Int32]
  /// For each land, the land around it: ``sea`` for a continent, ``nowhere`` if it was not filled
  /// in.
  private var parents: [Int32] = []
  private static let nowhere: Int32 = -2

  static let maximum = 4_000_000.0

  init(over frame: Box, finest: Double = 0.5) {
    self.frame = frame
    let step = max(finest, (frame.width * frame.height / Self.maximum).squareRoot())
    self.step = step
    width = max(1, Int((frame.width / step).rounded(.up)))
    height = max(1, Int((frame.height / step).rounded(.up)))
    cells = [Int32](repeating: Self.sea, count: width * height)
  }

  @inline(__always)
  func index(of point: Point) -> Int? {
    let x = Int(((point.x - frame.left) / step).rounded(.down))
    let y = Int(((point.y - frame.top) / step).rounded(.down))
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    return y * width + x
  }

  func land(at point: Point) -> Int32 { index(of: point).map { cells[$0] } ?? Self.sea }

  /// Whether a land, or a land within it, is at a point.
  func holds(_ land: Int32, _ point: Point) -> Bool {
    var at = self.land(at: point)
    while at != Self.sea {
      if at == land { return true }
      at = parents[Int(at)]
    }
    return false
  }

  func middle(of index: Int) -> Point {
    Point(
      frame.left + (Double(index % width) + 0.5) * step,
      frame.top + (Double(index / width) + 0.5) * step)
  }

  /// The land gets the cells whose middles are in the ring and which belong to `parent`.
  mutating func fill(_ ring: [Point], with land: Int32, in parent: Int32) {
    if Int(land) >= parents.count {
      let missing = Int(land) + 1 - parents.count
      parents += [Int32](repeating: Self.nowhere, count: missing)
    }
    parents[Int(land)] = parent
    guard let box = Box(around: ring), ring.count > 2 else { return }
    let first = max(0, Int(((box.top - frame.top) / step).rounded(.down)))
    let last = min(height - 1, Int(((box.bottom - frame.top) / step).rounded(.down)))
    if first > last { return }
    var crossings: [Double] = []
    for row in first...last {
      let y = frame.top + (Double(row) + 0.5) * step
      crossings.removeAll(keepingCapacity: true)
      var a = ring[ring.count - 1]
      for b in ring {
        if (a.y > y) != (b.y > y) {
          crossings.append(a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y))
        }
        a = b
      }
      crossings.sort()
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        let from = ((crossings[pair] - frame.left) / step - 0.5).rounded(.up)
        let to = ((crossings[pair + 1] - frame.left) / step - 0.5).rounded(.down)
        if to < 0 || from > Double(width - 1) || from > to { continue }
        for x in Int(max(0, from))...Int(min(Double(width - 1), to)) {
          let index = row * width + x
          if cells[index] == parent { cells[index] = land }
        }
      }
    }
  }

  /// Grows lands into the rest of the land around them, each within its reach in units. Each cell
  /// goes to the nearest of them.
  ///
  /// - Parameter margin: The distance that they keep from the border of the land around them, in
  ///   units.
  mutating func grow(_ reaches: [Int32: Double], margin: Double) {
    guard let maximum = reaches.values.max(), maximum > step else { return }
    let limit = Int((maximum / step * Self.parts).rounded(.up))
    var queue = BucketQueue(buckets: limit + 1)
    var reach = [Double](repeating: 0, count: parents.count)
    for (land, distance) in reaches where Int(land) < reach.count {
      reach[Int(land)] = distance
    }
    for cell in cells.indices {
      let land = cells[cell]
      if land == Self.sea || reach[Int(land)] == 0 { continue }
      spread(from: cell, seed: cell, reach, &queue) { $0 != land }
    }
    let keep = max(1, Int((margin / step).rounded()))
    while let (cell, seed) = queue.pop() {
      let land = cells[seed]
      let ground = parents[Int(land)]
      guard cells[cell] == ground, isInside(cell, keep) else { continue }
      cells[cell] = land
      spread(from: cell, seed: seed, reach, &queue) { $0 == ground }
    }
  }

  /// The number of queue buckets for a distance of one cell.
  private static let parts = 4.0

  @inline(__always)
  private func spread(
    from cell: Int, seed: Int, _ reach: [Double], _ queue: inout BucketQueue,
    where isMeant: (Int32) -> Bool
  ) {
    let x = cell % width
    if x > 0, isMeant(cells[cell - 1]) { push(cell - 1, from: seed, reach, &queue) }
    if x < width - 1, isMeant(cells[cell + 1]) { push(cell + 1, from: seed, reach, &queue) }
    if cell >= width, isMeant(cells[cell - width]) {
      push(cell - width, from: seed, reach, &queue)
    }
    if cell + width < cells.count, isMeant(cells[cell + width]) {
      push(cell + width, from: seed, reach, &queue)
    }
  }

  private func push(_ cell: Int, from seed: Int, _ reach: [Double], _ queue: inout BucketQueue) {
    let dx = Double(cell % width - seed % width)
    let dy = Double(cell / width - seed / width)
    let distance = (dx * dx + dy * dy).squareRoot()
    if distance * step > reach[Int(cells[seed])] { return }
    queue.push(cell, seed, at: Int((distance * Self.parts).rounded(.down)))
  }

  /// Whether the cells at a distance on all four sides belong to the same land, or to land within
  /// it.
  private func isInside(_ cell: Int, _ keep: Int) -> Bool {
    let land = cells[cell]
    let (x, y) = (cell % width, cell / width)
    // The grid's edge is not a border.
    return (x < keep || belongs(cell - keep, to: land))
      && (x + keep >= width || belongs(cell + keep, to: land))
      && (y < keep || belongs(cell - keep * width, to: land))
      && (y + keep >= height || belongs(cell + keep * width, to: land))
  }

  private func belongs(_ cell: Int, to land: Int32) -> Bool {
    let other = cells[cell]
    return other == land || other != Self.sea && parents[Int(other)] == land
  }

  /// Turns ground of the lands in `isFlooded` into sea, unless it is within `reach` of other land,
  /// or within `radius` of islets. Returns whether any became sea.
  mutating func flood(
    _ isFlooded: [Bool], keeping reach: Double, islets: [Point], radius: Double
  ) -> Bool {
    // Cells whose ground is affected and not dry yet.
    var isWet = cells.map { $0 >= 0 && isFlooded[Int($0)] }
    var queue = BucketQueue(buckets: Int((reach / step * Self.parts).rounded(.up)) + 1)
    for cell in cells.indices where !isWet[cell] && cells[cell] >= 0 {
      visitNeighbours(of: cell) { next in
        if let next, isWet[next] { queue.push(next, cell, at: 0) }
      }
    }
    while let (cell, seed) = queue.pop() {
      if !isWet[cell] { continue }
      isWet[cell] = false
      visitNeighbours(of: cell) { next in
        guard let next, isWet[next] else { return }
        let distance = middle(of: next).distance(to: middle(of: seed))
        if distance > reach { return }
        queue.push(next, seed, at: Int((distance / step * Self.parts).rounded(.down)))
      }
    }
    let round = Int((radius / step).rounded(.up))
    for islet in islets {
      guard let cell = index(of: islet) else { continue }
      let (x, y) = (cell % width, cell / width)
      for row in max(0, y - round)...min(height - 1, y + round) {
        for column in max(0, x - round)...min(width - 1, x + round) {
          let (dx, dy) = (Double(column - x) * step, Double(row - y) * step)
          if dx * dx + dy * dy <= radius * radius { isWet[row * width + column] = false }
        }
      }
    }
    var hasSea = false
    for cell in isWet.indices where isWet[cell] {
      let pool = pool(at: cell, &isWet)
      if pool.isOpen || Double(pool.cells.count) * step * step > radius * radius {
        for cell in pool.cells { cells[cell] = Self.sea }
        hasSea = true
      }
    }
    return hasSea
  }

  /// Takes all wet cells that are connected with a cell; they are open if they adjoin the sea or
  /// the edge of the grid.
  private func pool(at first: Int, _ isWet: inout [Bool]) -> (cells: [Int], isOpen: Bool) {
    var (found, isOpen, position) = ([first], false, 0)
    isWet[first] = false
    while position < found.count {
      visitNeighbours(of: found[position]) { next in
        guard let next, cells[next] != Self.sea else {
          isOpen = true
          return
        }
        if isWet[next] { found.append(next) }
        isWet[next] = false
      }
      position += 1
    }
    return (found, isOpen)
  }

  /// Calls `body` with the cells to the right, left, below and above; nil outside of the grid.
  @inline(__always)
  private func visitNeighbours(of cell: Int, _ body: (Int?) -> Void) {
    let x = cell % width
    body(x < width - 1 ? cell + 1 : nil)
    body(x > 0 ? cell - 1 : nil)
    body(cell + width < cells.count ? cell + width : nil)
    body(cell >= width ? cell - width : nil)
  }

  /// A priority queue of cells and the cells they are reached from, by distance, first in first
  /// out.
  private struct BucketQueue {
    private var buckets: [[Int64]]
    private var current = 0
    private var position = 0

    init(buckets count: Int) { buckets = [[Int64]](repeating: [], count: count + 1) }

    mutating func push(_ cell: Int, _ seed: Int, at distance: Int) {
      let bucket = max(current, min(distance, buckets.count - 1))
      buckets[bucket].append(Int64(cell) << 32 | Int64(seed))
    }

    mutating func pop() -> (cell: Int, seed: Int)? {
      while current < buckets.count {
        if position < buckets[current].count {
          let pair = buckets[current][position]
          position += 1
          return (Int(pair >> 32), Int(pair & 0xFFFF_FFFF))
        }
        buckets[current] = []
        current += 1
        position = 0
      }
      return nil
    }
  }
}
