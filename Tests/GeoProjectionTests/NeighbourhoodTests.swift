import GeoProjection
import Synchronization
import TestSupport
import Testing

/// Promises two and three in the hardest cases: files at the corners of lots, next to sub-folders
/// at the corners of theirs.
@Suite struct NeighbourhoodTests {
  private final class Tally: Sendable {
    let checks = Atomic(0)
    let filesInLots = Atomic(0)
    let landless = Atomic(0)
    /// The smallest number of bits of a folder's breadth.
    let leastBits = Atomic(64)
  }

  private func expectNoFault(
    _ name: String, _ tally: Tally, cases: Int, spaces: [Space] = Space.allCases,
    generate: @escaping (inout SeededGenerator) throws -> Neighbourhood
  ) throws {
    try expectNone(
      Property<Neighbourhood>(
        name, generate: generate, shrink: \.smaller,
        fault: { neighbourhood in
          for space in spaces {
            let finding = try neighbourhood.finding(space)
            tally.checks.add(finding.checks, ordering: .relaxed)
            tally.filesInLots.add(finding.filesInLots, ordering: .relaxed)
            tally.landless.add(finding.landless, ordering: .relaxed)
            tally.leastBits.min(finding.breadthBits, ordering: .relaxed)
            if let fault = finding.fault { return "\(space): \(fault)" }
          }
          return nil
        }), cases: cases)
    if TestScale.factor > 1 {
      let checks = tally.checks.load(ordering: .relaxed)
      print("\(name): \(checks) checks of containment and separation")
    }
  }

  /// At each depth, with 3, 4, 4, 3, 2, 1 and no bits for lots.
  @Test(arguments: 0...8) func placesAtTheCornersOfLots(depth: Int) throws {
    for taken in Neighbourhood.Taken.allCases {
      let tally = Tally()
      try expectNoFault("\(taken) taken at depth \(depth)", tally, cases: 2) { generator in
        try Neighbourhood(depth: depth, taken: taken, using: &generator)
      }
      let filesInLots = tally.filesInLots.load(ordering: .relaxed)
      if taken != .some { #expect((filesInLots == 0) == (taken == .all)) }
    }
  }

  /// Where the decimals are coarsest compared with the distances.
  @Test(arguments: 2...5) func lotsAtTheHorizon(depth: Int) throws {
    let tally = Tally()
    for taken in Neighbourhood.Taken.allCases {
      try expectNoFault("\(taken) taken at the horizon at depth \(depth)", tally, cases: 2) {
        try Neighbourhood(atHorizonAtDepth: depth, taken: taken, using: &$0)
      }
    }
    #expect(tally.filesInLots.load(ordering: .relaxed) > 0)
    #expect(tally.leastBits.load(ordering: .relaxed) == 23)
  }

  /// Landless sub-folders take lots, too.
  @Test func lotsOfFoldersWithoutLand() throws {
    let tally = Tally()
    try expectNoFault("folders without land", tally, cases: 6) { generator in
      try Neighbourhood(
        depth: 12, taken: .all, isRemote: true, using: &generator)
    }
    #expect(tally.landless.load(ordering: .relaxed) > 0)
    #expect(tally.filesInLots.load(ordering: .relaxed) == 0)
  }
}
