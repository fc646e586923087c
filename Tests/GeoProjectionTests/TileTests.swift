import GeoCore
import GeoProjection
import TestSupport
import Testing

/// Promise five: the maximum number of nodes on a tile of 512 pixels.
@Suite struct TileTests {
  @Test(arguments: Crowd.allCases) func tilesAreNotCrowded(_ crowd: Crowd) throws {
    let property = Property<Tree>(
      "tiles of \(crowd)", generate: { crowd.tree(using: &$0) },
      fault: { tree in
        let crowded = Tile.mostCrowded(try World(.settled, tree))
        if crowded.count > 4096 { return "\(crowded.count) nodes at zoom \(crowded.zoom)" }
        // The test is useful only if there are enough nodes to count.
        return crowded.count < 40 ? "only \(crowded.count) nodes were seen" : nil
      })
    try expectNone(property, cases: 1)
  }

  @Test func nodesOfATileAreCounted() throws {
    let tree = Tree(folders: [Tree.Folder([0x61], Tree(files: [[0x62], [0x63]]))])
    let crowded = Tile.mostCrowded(try World(.settled, tree))
    // All three fit on one tile at zoom 3, where files begin, or are on both sides of its border.
    #expect(crowded.count == 2 || crowded.count == 3)
  }
}
