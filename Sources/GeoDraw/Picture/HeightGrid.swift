/// Heights on a grid, and what is done to them before they are lit.
struct HeightGrid: Sendable {
  let width: Int
  let height: Int
  var values: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = [Float](repeating: 0, count: width * height)
  }

  /// Smooths the heights by three boxes, which come close to a bell of so many cells.
  ///
  /// - Complexity: O(cells).
  mutating func blur(_ deviation: Double) {
    // Three boxes of 2r + 1 cells have a variance of r² + r.
    let radius = Int(((deviation * deviation + 0.25).squareRoot() - 0.5).rounded())
    if radius < 1 { return }
    for _ in 0..<3 {
      blur(count: height, length: width, step: 1, stride: width, radius)
      blur(count: width, length: height, step: width, stride: 1, radius)
    }
  }

  /// Smooths all rows, or all columns, by one box; what is beyond an edge is as what is on it.
  private mutating func blur(count: Int, length: Int, step: Int, stride: Int, _ radius: Int) {
    let part = 1 / Float(2 * radius + 1)
    var line = [Float](repeating: 0, count: length)
    for number in 0..<count {
      let start = number * stride
      for index in 0..<length { line[index] = values[start + index * step] }
      guard let first = line.first, let last = line.last else { return }
      var sum = Float(radius + 1) * first
      for index in 0..<radius { sum += index < length ? line[index] : last }
      for index in 0..<length {
        sum += index + radius < length ? line[index + radius] : last
        values[start + index * step] = sum * part
        sum -= index >= radius ? line[index - radius] : first
      }
    }
  }

  /// How far each cell is from the nearest of some, in cells, up to a limit.
  ///
  /// Source: the chamfer distance of Borgefors (1986) with steps of 3 and 4.
  ///
  /// - Complexity: O(cells).
  static func distances(width: Int, height: Int, limit: Float, from isStart: (Int) -> Bool)
    -> HeightGrid
  {
    var grid = HeightGrid(width: width, height: height)
    for index in grid.values.indices { grid.values[index] = isStart(index) ? 0 : limit }
    let (near, far): (Float, Float) = (1, 4 / 3)
    func lower(_ x: Int, _ y: Int, _ side: Int) {
      let index = y * width + x
      var least = grid.values[index]
      if x - side >= 0, x - side < width {
        least = min(least, grid.values[index - side] + near)
      }
      let row = y - side
      if row >= 0, row < height {
        let above = row * width + x
        least = min(least, grid.values[above] + near)
        if x > 0 { least = min(least, grid.values[above - 1] + far) }
        if x < width - 1 { least = min(least, grid.values[above + 1] + far) }
      }
      grid.values[index] = least
    }
    for y in 0..<height { for x in 0..<width { lower(x, y, 1) } }
    for y in (0..<height).reversed() { for x in (0..<width).reversed() { lower(x, y, -1) } }
    return grid
  }

  /// How bright the slopes are, −1 in the shade to 1 in the sun, for light from the north-west; 0 is
  /// level.
  func slopes() -> [Float] {
    var light = [Float](repeating: 0, count: values.count)
    guard width > 2, height > 2 else { return light }
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let index = y * width + x
        let dx = values[index + 1] - values[index - 1]
        let dy = values[index + width] - values[index - width]
        let rise = (dx + dy) / 2
        light[index] = rise / (1 + dx * dx + dy * dy).squareRoot()
      }
    }
    return light
  }
}
