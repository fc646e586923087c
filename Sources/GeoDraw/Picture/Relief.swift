import GeoCore
import GeoSystem

/// Hills: they rise with the bytes of a land, spread over the land that holds them, lit from the
/// north-west.
struct Relief: Sendable {
  /// The place of the picture on the sheet.
  let frame: Box
  let picture: PNGPicture
  /// The height of each pixel, 0 to 1.
  private let levels: HeightGrid
  private let step: Double

  /// The largest number of pixels.
  private static let most = 1_300_000.0
  /// The height of the highest hill for the lighting, in units.
  private static let lift = 60.0

  /// Computes the relief of a map's lands; nil if all of them are flat.
  init?(of map: LandMap, _ theme: Theme) {
    let grid = map.grid
    let cells = Double(grid.width * grid.height)
    // A pixel covers a whole number of the grid's cells, so that both align.
    let stride = max(2, Int((cells / Self.most).squareRoot().rounded(.up)))
    let step = grid.step * Double(stride)
    let (width, height) = (max(1, grid.width / stride), max(1, grid.height / stride))
    func cell(_ index: Int) -> Int32 {
      let (x, y) = (index % width * stride + stride / 2, index / width * stride + stride / 2)
      return grid.cells[min(y, grid.height - 1) * grid.width + min(x, grid.width - 1)]
    }

    let ground = GroundHeights(of: map)
    var layers = [HeightGrid](repeating: HeightGrid(width: width, height: height), count: 3)
    var isHigh = false
    for index in 0..<width * height {
      let land = cell(index)
      guard land != LandGrid.sea, let levels = ground.levels[land] else { continue }
      for layer in 0..<3 where levels[layer] > 0 {
        layers[layer].values[index] = levels[layer]
        isHigh = true
      }
    }
    if !isHigh { return nil }
    for (layer, deviation) in [5, 3.2, 1.8].enumerated() { layers[layer].blur(deviation / step) }

    let fade = Self.fade(width, height, step, ground, cell)
    var levels = HeightGrid(width: width, height: height)
    var heights = levels
    for index in levels.values.indices {
      let sum =
        0.30 * layers[0].values[index] + 0.42 * layers[1].values[index]
        + 0.28 * layers[2].values[index]
      let level = Logarithm.power(Double(sum * fade[index]), Self.contrast)
      // Blurring must not raise lands that hold nothing.
      if level < 0.008 || ground.isBare.contains(cell(index)) { continue }
      let (x, y) = (Double(index % width) * step, Double(index / width) * step)
      let rough = 0.55 + 0.75 * Field.ridges(x * Self.grain, y * Self.grain)
      levels.values[index] = Float(level * rough)
      heights.values[index] = Float(level * rough * Self.lift / step)
    }
    self.levels = levels
    self.step = step
    frame = Box(
      left: grid.frame.left, top: grid.frame.top, right: grid.frame.left + Double(width) * step,
      bottom: grid.frame.top + Double(height) * step)
    picture = ReliefColours(theme).picture(of: levels, lit: heights.slopes())
  }

  /// The exponent that makes the highest land stand out.
  private static let contrast = 1.9
  /// Noise cells per unit: the widest waves of the noise, 15 cells, become 26 units.
  private static let grain = 15.0 / 26

  /// The height at a point, 0 to 1.
  func level(at point: Point) -> Double {
    let x = Int(((point.x - frame.left) / step).rounded(.down))
    let y = Int(((point.y - frame.top) / step).rounded(.down))
    guard x >= 0, y >= 0, x < levels.width, y < levels.height else { return 0 }
    return Double(levels.values[y * levels.width + x])
  }

  /// The factor that lowers heights near coasts (within 9 units) and borders of countries (within
  /// 7).
  private static func fade(
    _ width: Int, _ height: Int, _ step: Double, _ ground: GroundHeights, _ cell: (Int) -> Int32
  ) -> [Float] {
    let coast = HeightGrid.distances(
      width: width, height: height, limit: Float(9 / step)
    ) { cell($0) == LandGrid.sea }
    let border = HeightGrid.distances(
      width: width, height: height, limit: Float(7 / step)
    ) { index in
      let here = ground.country[cell(index)]
      if index % width + 1 < width, ground.country[cell(index + 1)] != here { return true }
      return index + width < width * height && ground.country[cell(index + width)] != here
    }
    return coast.values.indices.map { index in
      min(1, coast.values[index] * Float(step / 9))
        * min(1, 0.25 + 0.75 * border.values[index] * Float(step / 7))
    }
  }
}

/// The height of each land in three layers: by the bytes of its country, its state and its
/// district.
struct GroundHeights: Sendable {
  /// The levels of the three layers by land.
  private(set) var levels: [Int32: [Float]] = [:]
  /// Lands whose levels are all 0.
  private(set) var isBare: Set<Int32> = []
  /// The country that each land is in, or the continent itself.
  private(set) var country: [Int32: Int] = [:]

  private static let powers = [1.35, 1.2, 1.1]

  init(of map: LandMap) {
    for folder in map.order {
      guard let land = map.lands[folder] else { continue }
      let here = map.tree.folders[folder]
      let own = Look.height(Double(here.ownBytes))
      let all = Look.height(here.bytes)
      var levels: [Double]
      switch land.rank {
      case ...0: levels = [0, own * 0.4, own * 0.4]
      case 1: levels = [all, own, own]
      case 2: levels = [0, all, own]
      default: levels = [0, 0, all]
      }
      if land.rank > 1, let parent = here.parent, let around = self.levels[Int32(parent)] {
        // Layers of outer ranks are inherited from the land around.
        levels = (0..<3).map { layer in
          layer < min(land.rank - 1, 2) ? Double(around[layer]) : self.raised(levels[layer], layer)
        }
      } else {
        levels = (0..<3).map { raised(levels[$0], $0) }
      }
      self.levels[Int32(folder)] = levels.map { Float($0) }
      if !levels.contains(where: { $0 > 0 }) { isBare.insert(Int32(folder)) }
      country[Int32(folder)] =
        land.rank <= 1 ? folder : here.parent.flatMap { country[Int32($0)] } ?? folder
    }
  }

  private func raised(_ level: Double, _ layer: Int) -> Double {
    Logarithm.power(level, Self.powers[layer])
  }
}

/// The palette of the relief.
struct ReliefColours: Sendable {
  private let palette: [PNGPicture.Colour]

  /// The number of levels of height, and of light from shade to sun.
  private static let steps = 6
  private static let lights = 21

  init(_ theme: Theme) {
    var palette = [PNGPicture.Colour(red: 0, green: 0, blue: 0, alpha: 0)]
    for step in 0..<Self.steps {
      let level = Double(step) / Double(Self.steps - 1)
      let base = theme.hill.blended(with: theme.top, max(0, level * 2.4 - 1.5))
      let cover = 0.36 * min(1, level * 1.5)
      for light in 0..<Self.lights {
        let side = Double(light) / Double(Self.lights - 1) * 2 - 1
        palette.append(
          Self.colour(base, cover, side < 0 ? theme.shade : theme.sun, abs(side) * 0.72))
      }
    }
    self.palette = palette
  }

  /// Composes a colour of opacity `part` over one of opacity `cover`.
  private static func colour(
    _ below: Paint, _ cover: Double, _ above: Paint, _ part: Double
  ) -> PNGPicture.Colour {
    let alpha = part + cover * (1 - part)
    let mixed = alpha > 0 ? below.blended(with: above, part / alpha) : below
    func byte(_ value: Double) -> UInt8 { UInt8(Look.clamp(value.rounded(), 0, 255)) }
    return PNGPicture.Colour(
      red: byte(mixed.red), green: byte(mixed.green), blue: byte(mixed.blue),
      alpha: byte(alpha * 255))
  }

  /// Renders heights with the brightness of their slopes.
  func picture(of levels: HeightGrid, lit light: [Float]) -> PNGPicture {
    var pixels = [UInt8](repeating: 0, count: levels.values.count)
    for index in pixels.indices where levels.values[index] > 0 || abs(light[index]) > 0.04 {
      let step = Int((Look.clamp(Double(levels.values[index]), 0, 1) * 5).rounded())
      let side = Look.clamp(Double(light[index]) * 0.8, -1, 1)
      let place = Int(((side + 1) / 2 * Double(Self.lights - 1)).rounded())
      pixels[index] = UInt8(1 + step * Self.lights + place)
    }
    return PNGPicture(
      width: levels.width, height: levels.height, palette: palette, pixels: pixels)
  }
}

/// A grid of heights with the filters that prepare them for lighting.
struct HeightGrid: Sendable {
  let width: Int
  let height: Int
  var values: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    values = [Float](repeating: 0, count: width * height)
  }

  /// Smooths the heights with three box blurs, which approximate a Gaussian.
  ///
  /// - Parameter deviation: The Gaussian's standard deviation, in cells.
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

  /// Applies a box blur to all rows or all columns; values at an edge continue beyond it.
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

  /// The distance of each cell from the nearest start cell, in cells, up to a limit.
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
