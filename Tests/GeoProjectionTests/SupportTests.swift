import TestSupport
import Testing

/// The tests' own tools: exact predicates, and counterexamples that shrink.
@Suite struct SupportTests {
  @Test func orientationOfDoublesIsExact() {
    // A point off a line by one unit in the last place, which the estimate alone misses.
    let (a, b) = (DoublePoint(x: 12, y: 12), DoublePoint(x: 24, y: 24))
    for step in -3...3 {
      let y = 0.5 + Double(step) * 0.5.ulp
      let c = DoublePoint(x: 0.5, y: y)
      let expected = step > 0 ? 1 : step < 0 ? -1 : 0
      #expect(DoublePoint.orientation(a, b, c) == expected)
      #expect(DoublePoint.exactOrientation(a, b, c) == expected)
      #expect(DoublePoint.orientation(b, a, c) == -expected)
    }
  }

  @Test func orientationsEqualExactOnes() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let p = (0..<3).map { _ in
        DoublePoint(
          x: Double(generator.number(in: -8...8)) * 0x1p-20 + 0.1,
          y: Double(generator.number(in: -8...8)) * 0x1p-20 + 100)
      }
      #expect(
        DoublePoint.orientation(p[0], p[1], p[2]) == DoublePoint.exactOrientation(p[0], p[1], p[2]))
    }
  }

  private func ring(_ points: [(Double, Double)]) -> Ring<DoublePoint> {
    Ring(points.map { DoublePoint(x: $0.0, y: $0.1) })
  }

  @Test func detectsOrientationAndSidesOfRings() {
    let square = ring([(0, 0), (4, 0), (4, 4), (0, 4)])
    #expect(square.isSimple && square.isCounterClockwise)
    #expect(!ring([(0, 0), (0, 4), (4, 4), (4, 0)]).isCounterClockwise)
    #expect(!ring([(0, 0), (4, 4), (4, 0), (0, 4)]).isSimple)
    #expect(!ring([(0, 0), (4, 0), (2, 0), (0, 4)]).isSimple)
    #expect(square.side(of: DoublePoint(x: 1, y: 1)) == 1)
    #expect(square.side(of: DoublePoint(x: 4, y: 1)) == 0)
    #expect(square.side(of: DoublePoint(x: 1, y: 0)) == 0)
    #expect(square.side(of: DoublePoint(x: 0, y: 4)) == 0)
    #expect(square.side(of: DoublePoint(x: 5, y: 4)) == -1)
    #expect(ring([(1, 1), (3, 1), (2, 3)]).isInside(square))
    #expect(!ring([(0, 1), (3, 1), (2, 3)]).isInside(square))
    #expect(!square.isInside(ring([(1, 1), (3, 1), (2, 3)])))
    #expect(square.isApart(from: ring([(5, 0), (6, 0), (6, 1)])))
    #expect(!square.isApart(from: ring([(4, 4), (6, 4), (6, 5)])))
    #expect(!square.isApart(from: ring([(1, 1), (3, 1), (2, 3)])))
    #expect(!square.isApart(from: ring([(-1, 1), (5, 1), (5, 2), (-1, 2)])))
  }

  @Test func counterexamplesGetSmall() throws {
    // Fails for trees with a file in a folder in a root.
    let property = Property<Tree>(
      "no file at depth two",
      generate: { .random(Tree.Shape(nodes: 60), roots: 3, using: &$0) }, shrink: \.smaller,
      fault: { tree in
        let deep = tree.folders.flatMap { $0.contents.folders.flatMap(\.contents.files) }
        return deep.isEmpty ? nil : "\(deep.count) files"
      })
    let found = try #require(try property.counterexample(cases: 10))
    #expect(found.smallest.nodeCount == 3)
    #expect(found.fault == "1 files")
    #expect(found.smallest.folders[0].name.count == 1)
    #expect(found.description.contains("seed \(found.seed)"))
  }
}
