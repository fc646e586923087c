import TestSupport
import Testing

@testable import GeoProjection

/// Promises two and three: coast lines are nested, and apart from those of others.
@Suite struct GeometryTests {
  /// The number of trees of each kind.
  private static let cases: [Scenario: Int] = [
    .random: 24, .anyBytes: 8, .fewOnMuch: 16, .manySiblings: 1, .deep: 1, .manyRoots: 2,
    .nearKeys: 6, .equalKeys: 6, .slivers: 6, .horizon: 4,
  ]

  @Test(arguments: Scenario.allCases)
  func containsAndSeparates(_ scenario: Scenario) throws {
    let property = Property<Tree>(
      "geometry of \(scenario)", generate: { scenario.tree(using: &$0) }, shrink: \.smaller,
      fault: { tree in
        for layout in Layout.allCases {
          if let fault = try World(layout, tree).geometryFault() { return fault }
        }
        return nil
      })
    try expectNone(property, cases: Self.cases[scenario] ?? 1)
  }

  @Test(arguments: [Scenario.random, .fewOnMuch, .manyRoots, .slivers, .horizon])
  func coastsAreBetweenCoreAndTerritory(_ scenario: Scenario) throws {
    let property = Property<Tree>(
      "coasts of \(scenario)", generate: { scenario.tree(using: &$0) }, shrink: \.smaller,
      fault: { tree in
        for layout in Layout.allCases {
          if let fault = try World(layout, tree).coastFault() { return fault }
        }
        return nil
      })
    try expectNone(property, cases: 3)
  }

  /// A land's cell is computed from its territory, within a few units of the plan.
  @Test func cellsFollowFromTheirTerritories() {
    var generator = SeededGenerator(seed: 15)
    for bits in 23...60 {
      let low: Int64 = 1 << Int64(bits)
      func point(_ x: Int64, _ y: Int64) -> PlanPoint {
        let most = low / 8
        return PlanPoint(
          x: low + x * low / 2 + Int64(generator.number(in: 0...Int(most))),
          y: low + y * low / 2 + Int64(generator.number(in: 0...Int(most))))
      }
      let cell = Quad(point(0, 0), point(1, 0), point(1, 1), point(0, 1))
      let found = Ground.cell(around: Ground.territory(in: cell))
      for (a, b) in [
        (cell.q0, found.q0), (cell.q1, found.q1), (cell.q2, found.q2), (cell.q3, found.q3),
      ] {
        #expect(abs(a.x - b.x) <= 128 && abs(a.y - b.y) <= 128, "\(cell) \(found)")
      }
    }
  }

  @Test func onlyAncestorsContain() throws {
    let property = Property<Tree>(
      "contains is ancestry",
      generate: { .random(Tree.Shape(nodes: 25, folders: 0.5), roots: 2, using: &$0) },
      shrink: \.smaller, fault: { try World(.settled, $0).ancestryFault() })
    try expectNone(property, cases: 6)
  }
}
