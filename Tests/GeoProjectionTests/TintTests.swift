import GeoCore
import TestSupport
import Testing

@testable import GeoProjection

/// Neighbours have different tints, which depend on nothing but their parent's sub-folders.
@Suite struct TintTests {
  /// Whether two cells share more than a point of a side, found from their corners alone.
  private static func adjoin(_ a: Quad, _ b: Quad) -> Bool {
    let sides = { (quad: Quad) in
      [(quad.q0, quad.q1), (quad.q1, quad.q2), (quad.q2, quad.q3), (quad.q3, quad.q0)]
    }
    return sides(a).contains { one in sides(b).contains { shares(one, $0) } }
  }

  private static func shares(
    _ one: (PlanPoint, PlanPoint), _ other: (PlanPoint, PlanPoint)
  ) -> Bool {
    func length(_ side: (PlanPoint, PlanPoint)) -> Double {
      let (x, y) = (Double(side.1.x - side.0.x), Double(side.1.y - side.0.y))
      return (x * x + y * y).squareRoot()
    }
    let (short, long) = length(one) < length(other) ? (one, other) : (other, one)
    let (x, y) = (Double(long.1.x - long.0.x), Double(long.1.y - long.0.y))
    let (whole, part) = (length(long), length(short))
    // Along the longer side, and away from it.
    let places = [short.0, short.1].map { point in
      let (dx, dy) = (Double(point.x - long.0.x), Double(point.y - long.0.y))
      return (along: (dx * x + dy * y) / whole, away: abs(dx * y - dy * x) / whole)
    }
    if places.contains(where: { $0.away > part * 0x1p-12 }) { return false }
    let (from, to) = (places.map(\.along).min() ?? 0, places.map(\.along).max() ?? 0)
    return min(to, whole) - max(from, 0) > part * 0x1p-12
  }

  private static func folders(_ count: Int, _ tag: Int) -> NameTable {
    NameTable((0..<count).map { Array("folder \($0) of \(tag)".utf8) })
  }

  @Test(arguments: [Layout.settled, .pinned], TestScale.seeds(6))
  func neighboursDiffer(layout: Layout, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let labels = (0..<generator.number(in: 1...9)).map { Array("root \($0) \(seed)".utf8) }
    let engine = try GeoProjectionEngine(layout: layout, labels: NameTable(labels))
    check(engine.roots, engine.tintsOfRoots(), "seed \(seed), roots")
    var place = engine.roots[0]
    var places: [FolderPlace] = []
    for depth in 1...5 {
      let names = Self.folders(generator.number(in: 1...[12, 40, 100][depth % 3]), depth)
      engine.placeFolders(names, in: place, fileCount: 3, into: &places)
      check(places, engine.tints(of: places, in: place), "seed \(seed), depth \(depth)")
      guard let next = places.max(by: { $0.land.breadth < $1.land.breadth }), next.isLanded
      else { break }
      place = next
    }
  }

  /// Checks that lands whose cells adjoin have different tints. In layout pinned, several lands may
  /// have the same cell; these are left out.
  private func check(_ places: [FolderPlace], _ tints: [UInt8], _ comment: Comment) {
    #expect(tints.count == places.count, comment)
    #expect(tints.allSatisfy { $0 < 6 }, comment)
    var inhabitants: [Quad: Int] = [:]
    for place in places { inhabitants[place.land, default: 0] += 1 }
    let alone = places.indices.filter {
      places[$0].isLanded && inhabitants[places[$0].land] == 1
    }
    let cells = places.map { Ground.cell(around: $0.land) }
    for a in alone {
      let neighbours = alone.filter { $0 != a && Self.adjoin(cells[a], cells[$0]) }
      #expect(!neighbours.contains { tints[$0] == tints[a] }, comment)
      if neighbours.isEmpty, alone.count == places.count {
        #expect(UInt64(tints[a]) == places[a].id % 6, comment)
      }
    }
  }

  @Test(arguments: TestScale.seeds(6))
  func filesAndOrderDontChangeTints(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let engine = try GeoProjectionEngine(
      layout: .settled, labels: NameTable([Array("root".utf8), Array("other".utf8)]))
    var names = (0..<generator.number(in: 2...80)).map { Array("n\($0) \(seed)".utf8) }
    var places: [FolderPlace] = []
    engine.placeFolders(NameTable(names), in: engine.roots[1], fileCount: 0, into: &places)
    let tints = Dictionary(
      uniqueKeysWithValues: zip(names, engine.tints(of: places, in: engine.roots[1])))
    for _ in 0..<3 {
      names.shuffle(using: &generator)
      engine.placeFolders(
        NameTable(names), in: engine.roots[1], fileCount: generator.number(in: 0...9000),
        into: &places)
      let again = engine.tints(of: places, in: engine.roots[1])
      for (name, tint) in zip(names, again) { #expect(tint == tints[name], "seed \(seed)") }
    }
  }

  @Test func landlessFoldersHaveATintToo() throws {
    let engine = try GeoProjectionEngine(layout: .settled, labels: NameTable([Array("r".utf8)]))
    var parent = engine.roots[0]
    parent.isLanded = false
    var places: [FolderPlace] = []
    engine.placeFolders(Self.folders(20, 0), in: parent, fileCount: 0, into: &places)
    #expect(engine.tints(of: places, in: parent) == places.map { UInt8($0.id % 6) })
    #expect(engine.tints(of: [], in: parent).isEmpty)
  }

  @Test func sixTintsAreEnoughForCells() {
    // A hub with a ring of seven around it: the hub is coloured before them.
    var borders: [(Int32, Int32)] = []
    for land: Int32 in 1...7 {
      borders.append((0, land))
      borders.append((land, land % 7 + 1))
    }
    let tints = Tints.give((0..<8).map { UInt64($0 * 6) }, borders: borders)
    for (a, b) in borders { #expect(tints[Int(a)] != tints[Int(b)]) }
    // Six are too few for seven that all adjoin: the last one keeps its first choice.
    var all: [(Int32, Int32)] = []
    for a: Int32 in 0..<7 { for b in 0..<a { all.append((a, b)) } }
    #expect(Tints.give([UInt64](repeating: 9, count: 7), borders: all) == [3, 4, 5, 0, 1, 2, 3])
  }

  @Test(.timeLimit(.minutes(1))) func manySiblingsTakeLittleTime() throws {
    let engine = try GeoProjectionEngine(layout: .settled, labels: NameTable([Array("r".utf8)]))
    var places: [FolderPlace] = []
    engine.placeFolders(Self.folders(50_000, 1), in: engine.roots[0], fileCount: 0, into: &places)
    let tints = engine.tints(of: places, in: engine.roots[0])
    #expect((0..<6).allSatisfy { tint in tints.count { $0 == tint } > 1000 })
  }
}
