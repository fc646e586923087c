struct HeightGrid: Sendable {
  let width, height: Int
  var values: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = [Float](repeating: 0, count: width * height)
  }

  /// Replaces each height by the mean of the square around it; an edge continues outwards.
  mutating func box(_ radius: Int) {
    let weight = 1 / Float(2 * radius + 1)
    along { line in
      let count = line.count
      guard let first = line.first, let last = line.last else { return }
      let before = line
      var sum = Float(radius + 1) * first
      for index in 0..<radius { sum += index < count ? before[index] : last }
      for index in 0..<count {
        sum += index + radius < count ? before[index + radius] : last
        line[index] = sum * weight
        sum -= index >= radius ? before[index - radius] : first
      }
    }
  }

  /// Replaces each height by the least one of the square around it.
  mutating func erode(_ radius: Int) {
    along { line in
      let before = line
      for index in before.indices {
        for near in max(0, index - radius)...min(before.count - 1, index + radius)
        where before[near] < line[index] { line[index] = before[near] }
      }
    }
  }

  private mutating func along(_ change: (inout [Float]) -> Void) {
    for (count, length, step, stride) in [(height, width, 1, width), (width, height, width, 1)] {
      var line = [Float](repeating: 0, count: length)
      for number in 0..<count {
        for index in 0..<length { line[index] = values[number * stride + index * step] }
        change(&line)
        for index in 0..<length { values[number * stride + index * step] = line[index] }
      }
    }
  }

  /// The distance of each cell from the nearest start cell, in cells, up to a limit.
  ///
  /// Source: the chamfer distance of Borgefors (1986) with steps of 3 and 4.
  static func distances(width: Int, height: Int, limit: Float, from isStart: (Int) -> Bool)
    -> HeightGrid
  {
    var grid = HeightGrid(width: width, height: height)
    for index in grid.values.indices { grid.values[index] = isStart(index) ? 0 : limit }
    let (near, far): (Float, Float) = (1, 4 / 3)
    func lower(_ x: Int, _ y: Int, _ side: Int) {
      let index = y * width + x
      var minimum = grid.values[index]
      if x - side >= 0, x - side < width {
        minimum = min(minimum, grid.values[index - side] + near)
      }
      let row = y - side
      if row >= 0, row < height {
        let above = row * width + x
        minimum = min(minimum, grid.values[above] + near)
        if x > 0 { minimum = min(minimum, grid.values[above - 1] + far) }
        if x < width - 1 { minimum = min(minimum, grid.values[above + 1] + far) }
      }
      grid.values[index] = minimum
    }
    for y in 0..<height { for x in 0..<width { lower(x, y, 1) } }
    for y in (0..<height).reversed() { for x in (0..<width).reversed() { lower(x, y, -1) } }
    return grid
  }

  /// The brightness of the slopes for light from the north-west, from −1 (shade) to 1 (sun); 0 is
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
