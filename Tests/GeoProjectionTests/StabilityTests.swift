import GeoCore
import GeoProjection
import TestSupport
import Testing

/// Promises one and four: the same tree gives the same places, and a change moves little.
@Suite struct StabilityTests {
  @Test(arguments: Layout.allCases) func orderOfListingsDoesNotMatter(_ layout: Layout) throws {
    try expectNone(
      Property<Variation>(
        "order of listings", generate: { Variation(of: Self.tree(&$0, roots: 1...5), &$0) },
        shrink: \.smaller,
        fault: { variation in
          let old = try World(layout, variation.tree)
          let new = try World(layout, variation.shuffled)
          return old.nodes.count == new.nodes.count
            ? Self.firstMoved(from: old, to: new, facts: true) : "another number of nodes"
        }), cases: 15)
  }

  @Test(arguments: Layout.allCases) func filesMoveNothing(_ layout: Layout) throws {
    try expectNone(
      Property<Variation>(
        "files move nothing", generate: { Variation(of: Self.tree(&$0, roots: 1...3), &$0) },
        shrink: \.smaller,
        fault: { variation in
          Self.firstMoved(
            from: try World(layout, variation.tree),
            to: try World(layout, variation.withOtherFiles))
        }), cases: 15)
  }

  @Test func foldersMoveNothingWhenPinned() throws {
    try expectNone(
      Property<Addition>(
        "folders move nothing when pinned",
        generate: { Addition(to: Self.tree(&$0, roots: 1...2), &$0) }, shrink: \.smaller,
        fault: { addition in
          Self.firstMoved(
            from: try World(.pinned, addition.tree), to: try World(.pinned, addition.result))
        }), cases: 15)
  }

  @Test func foldersMoveOnlySiblingsAndFilesOfTheirLot() throws {
    try expectNone(
      Property<Addition>(
        "folders move only siblings and files of their lot",
        generate: { Addition(to: Self.tree(&$0, roots: 1...2), &$0) }, shrink: \.smaller,
        fault: Self.lotFault), cases: 60)
  }

  @Test func anotherRootMovesTheWorld() throws {
    let one = try World(.settled, Tree(folders: [Tree.Folder([0x61])]))
    let two = try World(
      .settled, Tree(folders: [Tree.Folder([0x61]), Tree.Folder([0x62])]))
    #expect(one.nodes[0].coordinate != two.nodes[0].coordinate)
    #expect(one.nodes[0].seed == two.nodes[0].seed)
  }

  private static func tree(
    _ generator: inout SeededGenerator, roots: ClosedRange<Int>
  ) -> Tree {
    let shape = Tree.Shape(
      nodes: generator.number(in: 1...40), folders: 0.6,
      depth: generator.chance(0.3) ? 0.7 : 0.2)
    return .random(shape, roots: generator.number(in: roots), using: &generator)
  }

  // MARK: Faults

  /// The first node of both worlds whose place changed.
  private static func firstMoved(
    from old: World, to new: World, facts: Bool = false
  ) -> String? {
    var places: [[[UInt8]]: World.Node] = [:]
    for node in new.nodes { places[node.path] = node }
    for (index, node) in old.nodes.enumerated() {
      guard let other = places[node.path], (other.folder == nil) == (node.folder == nil)
      else { continue }
      if facts && (node.minzoom != other.minzoom || node.size != other.size) {
        return "\(old.name(index)) has other facts"
      }
      if !isSamePlace(node, other, old, new) { return "\(old.name(index)) has moved" }
    }
    return nil
  }

  private static func isSamePlace(
    _ node: World.Node, _ other: World.Node, _ old: World, _ new: World
  ) -> Bool {
    node.seed == other.seed && node.coordinate == other.coordinate && node.digits == other.digits
      && node.folder?.land == other.folder?.land && node.isLanded == other.isLanded
      && old.ring(node) == new.ring(other)
  }

  /// Whether an added folder moves a sibling of another lot, moves a sibling out of its lot, or
  /// moves files of other lots.
  private static func lotFault(_ change: Addition) throws -> String? {
    let old = try World(.settled, change.tree)
    let new = try World(.settled, change.result)
    var places: [[[UInt8]]: World.Node] = [:]
    for node in new.nodes { places[node.path] = node }
    guard let parent = places[change.parent]?.folder,
      let added = places[change.parent + [change.name]], parent.isLanded
    else { return nil }

    let bits = [3, 4, 4, 3, 2, 1][min(Int(parent.depth), 5)]
    let lots = Int(parent.depth) < 6 ? bits : 0
    func lot(_ seed: UInt64) -> UInt64 {
      lots == 0 ? 0 : SplitMix64.number(seed, 0) >> UInt64(64 - lots)
    }
    let isNew = !old.nodes.contains {
      $0.folder != nil && $0.path.dropLast() == change.parent[...]
        && lot($0.seed) == lot(added.seed)
    }
    func leaves(_ file: UInt64) -> Bool {
      let number = SplitMix64.number(file, 1)
      let share: UInt64 = parent.depth == 0 ? 1 << 29 : 1 << 30
      return isNew && number >> 32 >= share
        && ((number & 0xFFFF_FFFF) << UInt64(lots)) >> 32 == lot(added.seed)
    }
    for (index, node) in old.nodes.enumerated() {
      guard let other = places[node.path] else { return "\(old.name(index)) is gone" }
      if node.folder == nil, node.path.dropLast() == change.parent[...], leaves(node.seed) {
        if isSamePlace(node, other, old, new) {
          return "\(old.name(index)) has stayed in a lot that is taken"
        }
        continue
      }
      let isBeside = node.path.starts(with: change.parent) && node.path.count > change.parent.count
      let sibling = isBeside ? places[Array(node.path.prefix(change.parent.count + 1))] : nil
      let isInLot = sibling?.folder.map { lot($0.seed) == lot(added.seed) } ?? false
      if !isInLot {
        if !isSamePlace(node, other, old, new) {
          return "\(old.name(index)) has moved, though it is in no sibling of that lot"
        }
      } else if node.path.count == change.parent.count + 1 {
        let ground = lotQuad(of: node.seed, in: parent, bits: lots)
        for folder in [node.folder, other.folder] {
          if let folder, folder.isLanded, !isQuad(folder.land, inside: ground) {
            return "\(old.name(index)) has left its lot"
          }
        }
      }
    }
    return nil
  }

  private static func lotQuad(of seed: UInt64, in parent: FolderPlace, bits: Int) -> Quad {
    let key = SplitMix64.number(seed, 0)
    var quad = Ground(territory: parent.land, seed: parent.seed, depth: parent.depth).countryside
    for bit in 0..<bits {
      let (first, second) = quad.cut(atBit: bit, of: key, seed: parent.seed)
      quad = key >> UInt64(63 - bit) & 1 == 0 ? first : second
    }
    return quad
  }

  private static func isQuad(_ inner: Quad, inside outer: Quad) -> Bool {
    World.ring(of: inner).isInside(World.ring(of: outer))
  }
}

/// Fails the test if a property has a counterexample.
func expectNone<Case>(
  _ property: Property<Case>, cases: Int, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let found = try property.counterexample(cases: cases)
  #expect(
    found == nil, "\(found.map(\.description) ?? "")", sourceLocation: sourceLocation)
}
