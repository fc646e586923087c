import TestSupport
import Testing

import GeoProjection

/// Promises two and three: coast lines in coast lines, and apart from those of others.
@Suite struct GeometryTests {
  /// How many trees of each kind are tried.
  private static let cases: [Scenario: Int] = [
    .random: 24, .anyBytes: 8, .fewOnMuch: 16, .manySiblings: 1, .deep: 1, .manyRoots: 2,
    .nearKeys: 6, .equalKeys: 6, .slivers: 6, .horizon: 4,
  ]

  @Test(arguments: Scenario.allCases)
  func containmentAndSeparation(_ scenario: Scenario) throws {
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
  func coastsLieBetweenCoreAndTerritory(_ scenario: Scenario) throws {
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

  @Test func containsIsAncestry() throws {
    let property = Property<Tree>(
      "contains is ancestry",
      generate: { .random(Tree.Shape(nodes: 25, folders: 0.5), roots: 2, using: &$0) },
      shrink: \.smaller, fault: { try World(.settled, $0).ancestryFault() })
    try expectNone(property, cases: 6)
  }
}
