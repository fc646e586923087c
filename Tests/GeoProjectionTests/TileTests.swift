import GeoCore
import GeoProjection
import TestSupport
import Testing

/// Promise five: how many nodes a tile of 512 pixels shows at most.
@Suite struct TileTests {
  @Test(arguments: Crowd.allCases) func tilesAreNotCrowded(_ crowd: Crowd) throws {
    let property = Property<Tree>(
      "tiles of \(crowd)", generate: { crowd.tree(using: &$0) },
      fault: { tree in
        let crowded = Tile.mostCrowded(try World(.settled, tree))
        if crowded.count > 4096 { return "\(crowded.count) nodes at zoom \(crowded.zoom)" }
        // The count is of use only if it sees the nodes.
        return crowded.count < 40 ? "only \(crowded.count) nodes were seen" : nil
      })
    try expectNone(property, cases: 1)
  }

  @Test func countsAreWhatTheySay() throws {
    let tree = Tree(folders: [Tree.Folder([0x61], Tree(files: [[0x62], [0x63]]))])
    let crowded = Tile.mostCrowded(try World(.settled, tree))
    // All three fit one tile at zoom 3, where files begin, or lie on both sides of its border.
    #expect(crowded.count == 2 || crowded.count == 3)
  }
}
