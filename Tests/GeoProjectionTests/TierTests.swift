import GeoCore
import GeoProjection
import TestSupport
import Testing

/// Zoom tiers, decimals and kinds, and how they change down the tree.
@Suite struct TierTests {
  @Test func minzoomIsTheSmallestZoomWithRoom() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let breadth = Int64(generator.next() >> UInt64(generator.number(in: 2...61))) | 1
      let count = Int(generator.next() >> UInt64(generator.number(in: 1...63)))
      let parent = UInt8(generator.number(in: 0...40))
      let depth = Int32(generator.number(in: 0...9))
      let folder = Minzoom.folder(breadth: breadth, depth: depth, parent: parent)
      #expect(folder == smallest(from: max(min(Int(depth), 3), Int(parent)), breadth, power: 56))

      var e = 0
      while e < 32 && UInt64(1) << UInt64(2 * e) < UInt64(max(count, 1)) { e += 1 }
      let files = Minzoom.files(breadth: breadth, crowd: count, folder: folder)
      #expect(files == smallest(from: max(3, Int(folder)), breadth, power: 56 + e))
    }
    #expect(Minzoom.files(breadth: 1 << 56, crowd: 0, folder: 0) == 3)
    #expect(Minzoom.files(breadth: 1, crowd: .max, folder: 0) == 88)
  }

  /// The number by the definition, in wider integers than the engine's.
  @Test func crowdFollowsItsDefinition() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<1000 {
      let count = Int(generator.next() >> UInt64(generator.number(in: 11...63)))
      let (eighths, bits) = (generator.number(in: 1...2), generator.number(in: 0...4))
      let taken = generator.number(in: 0...1 << bits)
      let parts = Int128(eighths * 1 << bits + (8 - eighths) * taken)
      let expected = Int128(5 * count) * parts / (1 << Int128(bits + 5))
      let crowd = Minzoom.crowd(
        files: count, cityEighths: eighths, lotBits: bits, taken: taken)
      #expect(Int128(crowd) == max(1, expected))
    }
    #expect(Minzoom.crowd(files: -1, cityEighths: 2, lotBits: 4, taken: 16) == 1)
    #expect(Minzoom.crowd(files: .max, cityEighths: 2, lotBits: 4, taken: 16) >= 1 << 53)
  }

  private func smallest(from start: Int, _ breadth: Int64, power: Int) -> UInt8 {
    var z = start
    // breadth · 2^z ≥ 2^power, without computing the powers.
    while z < power && Int128(breadth) < Int128(1) << Int128(power - z) { z += 1 }
    return UInt8(z)
  }

  @Test func digitsAreTheFewestNeeded() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let breadth = Int64(generator.next() >> UInt64(generator.number(in: 2...50)))
      var expected: UInt8 = 6
      var scale: Int128 = 360
      while expected < 13 && Int128(breadth) * scale < 1 << 62 {
        expected += 1
        scale *= 10
      }
      #expect(Degrees.digits(breadth: breadth) == expected)
    }
  }

  @Test(arguments: Scenario.allCases) func parentsAppearFirst(_ scenario: Scenario) throws {
    let property = Property<Tree>(
      "tiers of \(scenario)", generate: { scenario.tree(using: &$0) }, shrink: \.smaller,
      fault: { tree in
        for layout in Layout.allCases {
          if let fault = Self.tierFault(try World(layout, tree)) { return fault }
        }
        return nil
      })
    try expectNone(property, cases: scenario == .random ? 10 : 1)
  }

  private static func tierFault(_ world: World) -> String? {
    for (index, node) in world.nodes.enumerated() where node.parent >= 0 {
      let parent = world.nodes[node.parent]
      if let folder = parent.folder, node.minzoom < world.engine.earliestZoom(in: folder) {
        return "\(world.name(index)) is seen before anything in its folder may be"
      }
      if node.minzoom < parent.minzoom { return "\(world.name(index)) is seen before its parent" }
      if node.digits < parent.digits { return "\(world.name(index)) has fewer digits" }
      if node.folder == nil && (node.digits != parent.digits || node.minzoom < 3) {
        return "the file \(world.name(index)) has other digits than its folder"
      }
      if let folder = node.folder {
        if Int(folder.depth) != node.depth { return "\(world.name(index)) has another depth" }
        if folder.isLanded && !parent.isLanded { return "\(world.name(index)) has land" }
      }
    }
    return nil
  }

  @Test func kindsFollowTheDepth() {
    let kinds = [0, 1, 2, 3, 4, 300].map { NodeKind(folderAtDepth: $0) }
    #expect(kinds == [.continent, .country, .state, .district, .district, .district])
    #expect(NodeKind(folderAtDepth: -1) == .continent)
  }

  @Test func identifiersAreExactInDoubles() {
    let place = FilePlace(seed: .max, coordinate: Coordinate(longitude: 0, latitude: 0))
    #expect(UInt64(Double(place.id)) == place.id && place.id == (1 << 53) - 1)
  }
}
