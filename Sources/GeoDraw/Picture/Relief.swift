import GeoCore

/// Hills: ground rises with the logarithm of its folder's size, lit from the north-west.
///
/// The highest place of a folder's own ground has exactly the height of the folder. So a folder
/// never stands above a larger one, and no hill spreads over another land.
struct Relief: Sendable {
  let frame: Box
  let picture: PNGPicture
  /// The height of the highest place of each land that has hills, 0 to 1.
  let peaks: [Int32: Double]

  private static let maximum = 1_300_000.0
  /// The height of the highest hill for the lighting, in units.
  private static let lift = 50.0
  /// The number of pixels across at which a land's slopes are those of its height; slopes of smaller
  /// lands would be cliffs.
  private static let broad = 44.0
  /// The distance over which higher ground falls to lower ground next to it, in units.
  private static let slope = 7.0

  init?(of map: LandMap, _ theme: Theme) {
    let grid = map.grid
    let cells = Double(grid.width * grid.height)
    // A pixel covers a whole number of the grid's cells, so that both align.
    let stride = max(2, Int((cells / Self.maximum).squareRoot().rounded(.up)))
    let step = grid.step * Double(stride)
    let (width, height) = (max(1, grid.width / stride), max(1, grid.height / stride))
    let ground = GroundHeights(of: map)
    if ground.heights.isEmpty { return nil }
    // The land of each pixel; lands without a border belong to the land around them.
    var lands = [Int32](repeating: LandGrid.sea, count: width * height)
    for index in lands.indices {
      let (x, y) = (index % width * stride + stride / 2, index / width * stride + stride / 2)
      let land = grid.cells[min(y, grid.height - 1) * grid.width + min(x, grid.width - 1)]
      if land != LandGrid.sea { lands[index] = ground.land[Int(land)] }
    }
    func level(of land: Int32) -> Double { ground.heights[land] ?? 0 }

    // The lowest ground within a distance, smoothed within it, is nowhere above the ground itself.
    var levels = HeightGrid(width: width, height: height)
    for index in lands.indices { levels.values[index] = Float(level(of: lands[index])) }
    let radius = max(1, Int(Self.slope / 2 / 3 / step))
    levels.erode(3 * radius)
    for _ in 0..<3 { levels.box(radius) }

    let fade = Self.fade(width, height, step, map, lands)
    var highest: [Int32: (height: Float, pixels: Int)] = [:]
    for index in levels.values.indices {
      let land = lands[index]
      if level(of: land) <= 0 { levels.values[index] = 0 }
      if levels.values[index] <= 0 { continue }
      let (x, y) = (Double(index % width) * step, Double(index / width) * step)
      let rough = 0.5 + 0.5 * Field.ridges(x * Self.grain, y * Self.grain)
      levels.values[index] *= fade[index] * Float(rough)
      let (before, pixels) = highest[land] ?? (0, 0)
      highest[land] = (max(before, levels.values[index]), pixels + 1)
    }
    if highest.isEmpty { return nil }
    var heights = levels
    var peaks: [Int32: Double] = [:]
    for index in levels.values.indices where levels.values[index] > 0 {
      guard let (top, pixels) = highest[lands[index]], top > 0 else { continue }
      let level = Look.clamp(Double(levels.values[index] / top) * level(of: lands[index]), 0, 1)
      levels.values[index] = Float(level)
      peaks[lands[index]] = max(peaks[lands[index]] ?? 0, level)
      let share = Double(pixels).squareRoot() * step / Self.broad
      heights.values[index] = Float(level * Self.lift / step * min(1, share))
    }
    self.peaks = peaks
    frame = Box(
      left: grid.frame.left, top: grid.frame.top, width: Double(width) * step,
      height: Double(height) * step)
    picture = ReliefColours(theme).picture(of: levels, lit: heights.slopes())
  }

  /// Noise cells per unit: the widest waves of the noise, 15 cells, become 26 units.
  private static let grain = 15.0 / 26

  /// The factor that lowers heights near coasts (within 9 units) and borders of countries (within
  /// 7).
  private static func fade(
    _ width: Int, _ height: Int, _ step: Double, _ map: LandMap, _ lands: [Int32]
  ) -> [Float] {
    let coast = HeightGrid.distances(width: width, height: height, limit: Float(9 / step)) {
      lands[$0] == LandGrid.sea
    }
    var country: [Int32: Int] = [:]
    for folder in map.order {
      let around = map.tree.folders[folder].parent.flatMap { country[Int32($0)] }
      let isOuter = map.lands[folder].map { $0.rank <= 1 } ?? false
      country[Int32(folder)] = isOuter ? folder : around ?? folder
    }
    let countries = lands.map { country[$0] ?? -1 }
    let border = HeightGrid.distances(width: width, height: height, limit: Float(7 / step)) {
      index in
      let here = countries[index]
      if index % width + 1 < width, countries[index + 1] != here { return true }
      return index + width < width * height && countries[index + width] != here
    }
    return coast.values.indices.map { index in
      min(1, coast.values[index] * Float(step / 9))
        * min(1, 0.25 + 0.75 * border.values[index] * Float(step / 7))
    }
  }
}

struct GroundHeights: Sendable {
  private(set) var heights: [Int32: Double] = [:]
  /// The land whose height the ground of a folder has, by the folder's index: its own, or the one
  /// around it if it has no border.
  private(set) var land: [Int32]

  private static let contrast = 3.2

  init(of map: LandMap) {
    land = map.tree.folders.indices.map { Int32($0) }
    for folder in map.order {
      guard let drawn = map.lands[folder] else { continue }
      let here = map.tree.folders[folder]
      if drawn.rank > 1, !drawn.isBordered, let parent = here.parent {
        land[folder] = land[parent]
        continue
      }
      // The ground around countries is no measure of what is in them.
      let size =
        drawn.rank > 0
        ? here.size ?? 0
        : drawn.rank == 0 && !map.isRoot(folder) ? here.ownSize : 0
      let height = Logarithm.power(Look.height(size), Self.contrast)
      if height > 0.004 { heights[Int32(folder)] = height }
    }
  }
}

struct ReliefColours: Sendable {
  private let palette: [PNGPicture.Colour]

  private static let steps = 9
  private static let lights = 21

  init(_ theme: Theme) {
    var palette = [PNGPicture.Colour(red: 0, green: 0, blue: 0, alpha: 0)]
    for step in 0..<Self.steps {
      let level = Double(step) / Double(Self.steps - 1)
      let base = theme.hill.blended(with: theme.top, max(0, level * 2.6 - 1.7))
      let cover = 0.56 * min(1, level * 1.1)
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
    _ below: Paint, _ cover: Double, _ above: Paint, _ fraction: Double
  ) -> PNGPicture.Colour {
    let alpha = fraction + cover * (1 - fraction)
    let mixed = alpha > 0 ? below.blended(with: above, fraction / alpha) : below
    func byte(_ value: Double) -> UInt8 { UInt8(Look.clamp(value.rounded(), 0, 255)) }
    return PNGPicture.Colour(
      red: byte(mixed.red), green: byte(mixed.green), blue: byte(mixed.blue),
      alpha: byte(alpha * 255))
  }

  func picture(of levels: HeightGrid, lit light: [Float]) -> PNGPicture {
    var pixels = [UInt8](repeating: 0, count: levels.values.count)
    for index in pixels.indices where levels.values[index] > 0 || abs(light[index]) > 0.04 {
      let level = Look.clamp(Double(levels.values[index]), 0, 1)
      let step = Int((level * Double(Self.steps - 1)).rounded())
      let side = Look.clamp(Double(light[index]) * 0.8, -1, 1)
      let place = Int(((side + 1) / 2 * Double(Self.lights - 1)).rounded())
      pixels[index] = UInt8(1 + step * Self.lights + place)
    }
    return PNGPicture(
      width: levels.width, height: levels.height, palette: palette, pixels: pixels)
  }
}
