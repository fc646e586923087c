import GeoCore

/// Places the folders and files of a world by their names alone.
///
/// The engine is a value of three parameters: the layout, the chart and the roots' places. Every
/// method is a pure function of them and its arguments, and may be called from any thread. Places
/// passed in must come from the same engine.
public struct GeoProjectionEngine: Sendable {
  /// The version of the projection. Another version gives other coordinates.
  public static let version = 2

  /// How a folder's land is divided among its sub-folders.
  public let layout: Layout
  /// The places of the roots, in the order of the engine's labels.
  public let roots: [FolderPlace]
  package let chart: Chart

  /// - Parameter labels: All distinct; their order decides only the order of ``roots``.
  /// - Throws: `RootError.noLand` for the first root that would have no land, which takes labels
  ///   crafted for it.
  /// - Complexity: O(n log n).
  package init(layout: Layout, labels: NameTable) throws(RootError) {
    var roots: [FolderPlace] = []
    var sea: UInt64 = 0
    let bytes = labels.bytes.span
    for record in labels.records {
      let seed = XXH64.hash(bytes.extracting(record.range), seed: 0)
      sea &+= seed
      roots.append(FolderPlace(rootSeed: seed))
    }
    Self.share(.land, among: labels, seed: 0, lotBits: 0, into: &roots)
    for index in roots.indices where !roots[index].settle(inCell: roots[index].land, parent: 0) {
      throw .noLand(Array(labels.name(at: index)))
    }
    self.layout = layout
    self.roots = roots
    self.chart = Chart(sea: sea)
  }
}

extension GeoProjectionEngine {
  /// Places all sub-folders of one folder, and computes the folder's city.
  ///
  /// In layout `pinned`, or if `parent` has no land, places don't depend on siblings, and
  /// a table of one name is enough to place that folder.
  ///
  /// - Parameters:
  ///   - names: The names of all sub-folders, in any order.
  ///   - parent: The folder that contains them.
  ///   - fileCount: The number of entries in the parent's listing that are not folders. It decides
  ///     the minzoom of files and of sub-folders without land.
  ///   - places: Replaced by the places, in the table's order.
  /// - Returns: The parent's city.
  /// - Complexity: O(n log n); one allocation for two sub-folders or more.
  @discardableResult
  public func placeFolders(
    _ names: NameTable, in parent: FolderPlace, fileCount: Int, into places: inout [FolderPlace]
  ) -> City {
    places.removeAll(keepingCapacity: true)
    if names.isEmpty { return city(of: parent, fileCount: fileCount) }
    places.reserveCapacity(names.count)

    var child = parent
    child.depth = parent.depth == .max ? .max : parent.depth + 1
    child.isLanded = false
    let bytes = names.bytes.span
    for record in names.records {
      child.seed = XXH64.hash(bytes.extracting(record.range), seed: parent.seed)
      places.append(child)
    }
    // Children of a parent without land share its land, digits and minzoom, which were copied.
    guard parent.isLanded else { return City(ofLandless: parent) }

    let ground = Ground(territory: parent.land, seed: parent.seed, depth: parent.depth)
    let city = City(
      of: parent, ground: ground, layout: layout,
      taken: LotSet(takenBy: places, depth: parent.depth), fileCount: fileCount)
    switch layout {
    case .settled:
      Self.share(
        ground.countryside, among: names, seed: parent.seed,
        lotBits: ShareOut.lotBits(depth: parent.depth), into: &places)
    case .pinned:
      for index in places.indices {
        places[index].land = ShareOut.pinnedCell(
          in: ground.countryside, seed: parent.seed, key: places[index].key)
      }
    }
    for index in places.indices {
      let cell = places[index].land
      if !places[index].settle(inCell: cell, parent: parent.minzoom) {
        places[index].land = city.frame
        places[index].digits = city.digits
        places[index].minzoom = city.minzoom
      }
    }
    return city
  }

  /// Stores each place's cell in its `land`.
  static func share(
    _ quad: Quad, among names: NameTable, seed: UInt64, lotBits: Int,
    into places: inout [FolderPlace]
  ) {
    var assignments: [ShareOut.Assignment] = []
    assignments.reserveCapacity(places.count)
    for index in places.indices {
      assignments.append(ShareOut.Assignment(key: places[index].key, index: index))
    }
    assignments.sort { a, b in
      if a.key != b.key { return a.key < b.key }
      let (x, y) = (names.records[a.index].range, names.records[b.index].range)
      return names.bytes.span.orders(x, before: y)
    }
    ShareOut(seed: seed, lotBits: lotBits).share(quad, among: assignments.span, into: &places)
  }
}

extension FolderPlace {
  /// The folder's key, which decides its cell: the first number of its seed.
  var key: UInt64 { SplitMix64.number(seed, 0) }

  /// A root without land.
  init(rootSeed seed: UInt64) {
    self.init(seed: seed, land: .land, depth: 0, digits: 6, minzoom: 0, isLanded: false)
  }

  /// Gives the folder the territory within a cell, if it is large enough.
  ///
  /// `parent` is the parent's minzoom, 0 for a root. Returns whether the folder owns land; if not,
  /// nothing has changed.
  mutating func settle(inCell cell: Quad, parent: UInt8) -> Bool {
    let territory = Ground.territory(in: cell)
    let breadth = territory.breadth
    if breadth < Ground.horizon { return false }
    land = territory
    digits = Degrees.digits(breadth: breadth)
    minzoom = Minzoom.folder(breadth: breadth, depth: depth, parent: parent)
    isLanded = true
    return true
  }
}

extension GeoProjectionEngine {
  /// The coordinate of a folder: the charted centre of its territory, or the charted place of a
  /// folder without land.
  public func coordinate(of folder: FolderPlace) -> Coordinate {
    Degrees(digits: folder.digits).coordinate(chart(planCentre(of: folder)))
  }

  package func planCentre(of folder: FolderPlace) -> PlanPoint {
    if folder.isLanded { return folder.land.centre }
    return Frame(folder.land).point(of: folder.seed)
  }

  package static func coastCount(atDepth depth: Int32) -> Int { Coastline.count(atDepth: depth) }

  /// The coast line of a folder: a simple ring, counter-clockwise, not closed.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - ring: Replaced by 256, 128, 64 or 32 vertices at depth 0, 1, 2 or 3, and 16 below; empty
  ///     for a folder without land.
  /// - Complexity: O(vertices), about 30 ns each.
  public func coastline(of folder: FolderPlace, into ring: inout [Coordinate]) {
    guard folder.isLanded else { return ring.removeAll(keepingCapacity: true) }
    Coastline(territory: folder.land, seed: folder.seed, depth: folder.depth).draw(into: &ring)
    let degrees = Degrees(digits: folder.digits)
    var span = ring.mutableSpan
    for first in stride(from: 0, to: span.count, by: 4) {
      var four = FourPoints(span[first], span[first + 1], span[first + 2], span[first + 3])
      chart.chart(&four)
      (span[first], span[first + 1], span[first + 2], span[first + 3]) =
        degrees.coordinates(four)
    }
  }

  /// The coast line on the plan, before it is charted.
  package func planCoastline(of folder: FolderPlace, into ring: inout [PlanPoint]) {
    ring.removeAll(keepingCapacity: true)
    guard folder.isLanded else { return }
    var vertices: [Coordinate] = []
    Coastline(territory: folder.land, seed: folder.seed, depth: folder.depth)
      .draw(into: &vertices)
    for vertex in vertices {
      ring.append(PlanPoint(x: vertex.longitude, y: vertex.latitude))
    }
  }

  /// The cell of a folder, on the plan, of which its territory leaves a strip free on all sides.
  ///
  /// Cells of neighbouring siblings share their sides, so a drawing that fills cells has no gaps.
  /// The corners are computed back from the territory, exact up to a few units of the plan.
  package func planCell(of folder: FolderPlace) -> Quad? {
    folder.isLanded ? Ground.cell(around: folder.land) : nil
  }

  /// The outline of a folder's cell on the map, for drawings without gaps; see ``planCell(of:)``.
  ///
  /// The sides are curves on the map. The outline has a quarter as many points as the coast line.
  ///
  /// - Parameter ring: Replaced by the outline, counter-clockwise, not closed; empty for a folder
  ///   without land.
  /// - Complexity: O(vertices).
  package func cellOutline(of folder: FolderPlace, into ring: inout [Coordinate]) {
    ring.removeAll(keepingCapacity: true)
    guard let cell = planCell(of: folder) else { return }
    let steps = Int64(max(1, Self.coastCount(atDepth: folder.depth) / 16))
    ring = outline(of: cell, steps: steps, Degrees(digits: folder.digits))
  }

  /// The outline of a part of the plan, counter-clockwise, not closed.
  ///
  /// - Parameter steps: The number of straight pieces of each side.
  func outline(of quad: Quad, steps: Int64, _ degrees: Degrees) -> [Coordinate] {
    var ring: [Coordinate] = []
    ring.reserveCapacity(4 * Int(steps))
    // The corners run clockwise on the map.
    let corners = [quad.q3, quad.q2, quad.q1, quad.q0]
    for index in 0..<4 {
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      for step in 0..<steps {
        let point = PlanPoint(
          x: Self.part(step, of: steps, from: a.x, to: b.x),
          y: Self.part(step, of: steps, from: a.y, to: b.y))
        ring.append(degrees.coordinate(chart(point)))
      }
    }
    return ring
  }

  /// Interpolates between two numbers without overflow: lengths on the plan have 62 bits, but steps
  /// are few.
  private static func part(_ step: Int64, of steps: Int64, from a: Int64, to b: Int64) -> Int64 {
    let (whole, rest) = (b - a).quotientAndRemainder(dividingBy: steps)
    return a + whole * step + rest * step / steps
  }
}

extension GeoProjectionEngine {
  /// The lowest zoom at which any content of a folder can be visible, whatever its listing
  /// contains.
  ///
  /// - Complexity: O(lots), about a microsecond.
  package func earliestZoom(in folder: FolderPlace) -> UInt8 {
    guard folder.isLanded else { return folder.minzoom }
    let ground = Ground(territory: folder.land, seed: folder.seed, depth: folder.depth)
    let files = Minzoom.files(
      breadth: ground.city.breadth, crowd: 1, folder: folder.minzoom)
    // Sub-folders have no more than a lot each, in layout `pinned` too.
    var area: UInt128 = 0
    for lot in ground.lots(seed: folder.seed, bits: ShareOut.lotBits(depth: folder.depth)) {
      area = max(area, Ground.territory(in: lot).axes.area)
    }
    let folders = Minzoom.folder(
      breadth: Quad.greatestPartBreadth(area: area),
      depth: folder.depth == .max ? .max : folder.depth + 1, parent: folder.minzoom)
    return min(files, folders)
  }
}

extension Array {
  /// Truncates the array or fills it up to a number of elements; the others stay.
  ///
  /// Faster than emptying and appending if all elements are written anyway.
  mutating func resize(to count: Int, _ filler: Element) {
    if self.count > count { removeLast(self.count - count) }
    reserveCapacity(count)
    while self.count < count { append(filler) }
  }
}
