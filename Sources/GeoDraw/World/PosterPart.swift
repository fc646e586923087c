import GeoCore
import GeoProjection
import GeoTree

/// The part of the world that a poster shows.
struct PosterPart {
  let view: View
  /// The numbers of the folders that are drawn as continents; nil for all roots.
  let tops: Set<Int>?
  /// Whether the one continent is a folder in a root.
  let isFolder: Bool
  /// The numbers of the sub-folders of the one continent that are in sight; nil if all of them are.
  let parts: Set<Int>?

  /// The margins around what is shown, in units, and the largest part of a small sheet that they
  /// take. Land of roots extends around their sub-folders.
  private static let margin = (folder: 46.0, roots: 74.0, fraction: 0.13)
  /// The land that the projection gives to all roots together.
  private static let land = Box(left: 0.125, top: 0.125, right: 0.875, bottom: 0.875)

  init(
    _ target: PosterTarget, _ totals: TreeTotals, _ engine: GeoProjectionEngine, _ frame: Box
  ) throws(GeoDrawingError) {
    func margin(_ units: Double) -> Double {
      min(units, min(frame.width, frame.height) * Self.margin.fraction)
    }
    switch target {
    case .world:
      view = View(
        Self.world(totals, engine) ?? Self.land, in: frame, margin: margin(Self.margin.roots))
      (tops, isFolder, parts) = (nil, false, nil)
    case .box(let degrees):
      guard let box = Box(degrees) else { throw .badBox }
      let view = View(box, in: frame, margin: 0)
      self.view = view
      let seen = LandsInView(view, totals, engine)
      tops = seen.filling.map { [$0.number] } ?? seen.roots
      isFolder = seen.filling.map { $0.place.depth > 0 } ?? false
      parts = seen.parts
    case .folder(let names):
      let path = names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
      guard let found = engine.place(of: names.map { $0[...] }, in: totals) else {
        throw .noFolder(path: path)
      }
      guard found.place.isLanded, let box = Self.box(around: [found.place], engine) else {
        throw .noLand(path: path)
      }
      view = View(box, in: frame, margin: margin(Self.margin.folder))
      (tops, isFolder, parts) = ([found.number], found.place.depth > 0, nil)
    }
  }

  /// The box around the land that sub-folders of roots have taken.
  private static func world(_ totals: TreeTotals, _ engine: GeoProjectionEngine) -> Box? {
    let roots = totals.folders(in: nil)
    var shown: [FolderPlace] = []
    for (number, root) in zip(roots.numbers, engine.roots) {
      let isEmpty = totals[number].map { $0.files == 0 } ?? false
      let places =
        isEmpty
        ? [] : engine.places(of: totals.folders(in: number).names, in: root).filter(\.isLanded)
      shown += places.isEmpty ? [root] : places
    }
    return box(around: shown, engine)
  }

  private static func box(around places: [FolderPlace], _ engine: GeoProjectionEngine) -> Box? {
    var (points, ring): ([PlanPoint], [PlanPoint]) = ([], [])
    for place in places {
      engine.planCoastline(of: place, into: &ring)
      points += ring.map { engine.chart($0) }
    }
    return Box(aroundChart: points)
  }
}

private struct LandsInView {
  /// The deepest folder whose land fills more than half of the view.
  private(set) var filling: (number: Int, place: FolderPlace)?
  /// The numbers of the roots whose middle is in the view; if it has none, of all in the view.
  private(set) var roots: Set<Int> = []
  /// The numbers of its sub-folders whose middle is in the view; nil if all of them are, or none.
  private(set) var parts: Set<Int>?

  private static let points = (across: 60, down: 40)

  init(_ view: View, _ totals: TreeTotals, _ engine: GeoProjectionEngine) {
    let frame = view.frame
    let (across, down) = Self.points
    let points = (0..<across * down).map { index in
      Point(
        frame.left + (Double(index % across) + 0.5) / Double(across) * frame.width,
        frame.top + (Double(index / across) + 0.5) / Double(down) * frame.height)
    }
    // Roots of which only a part is in sight count only if there are no others.
    var seen: [(number: Int, place: FolderPlace)] = []
    var ring: [PlanPoint] = []
    var (places, numbers) = (engine.roots, totals.folders(in: nil).numbers)
    while true {
      var next: (number: Int, place: FolderPlace)?
      for (number, place) in zip(numbers, places) where view.meets(place.land, by: engine) {
        engine.planCoastline(of: place, into: &ring)
        let coast = ring.map { view.place(engine.chart($0)) }
        guard let box = Box(around: coast), box.overlaps(frame) else { continue }
        let isRoot = place.depth == 0
        if !isRoot, box.width * box.height < frame.width * frame.height / 2 { continue }
        let count = points.count { box.contains($0) && Line.encloses(coast, $0) }
        if isRoot, count > 0 { seen.append((number, place)) }
        if 2 * count > points.count { next = (number, place) }
      }
      guard let next else { break }
      filling = next
      let below = totals.folders(in: next.number)
      numbers = below.numbers
      places = engine.places(of: below.names, in: next.place)
    }
    let whole = seen.filter { frame.contains(view.place(engine.chart($0.place.land.centre))) }
    roots = Set((whole.isEmpty ? seen : whole).map(\.number))
    // A folder of which only one sub-folder is in sight is not what is looked at.
    while let around = filling {
      let below = totals.folders(in: around.number)
      places = engine.places(of: below.names, in: around.place)
      let landed = zip(below.numbers, places).filter { $0.1.isLanded }
      let seen = landed.filter { frame.contains(view.place(engine.chart($0.1.land.centre))) }
      if seen.count == landed.count || seen.isEmpty { return }
      if seen.count > 1 {
        parts = Set(seen.map(\.0))
        return
      }
      filling = (seen[0].0, seen[0].1)
    }
  }
}
