import GeoFormats
import TestSupport
import Testing

@testable import GeoFormats

/// The tree has the format's structure: complete, nested, and of the length that readers compute.
@Suite struct PackedTreeTests {
  struct Node {
    let box: Box
    let number: UInt64
  }

  private func nodes(of boxes: [Box]) throws -> [Node] {
    var tree = PackedTree()
    for (index, box) in boxes.enumerated() { try tree.add(box, offset: UInt64(index) * 100) }
    try tree.finish()
    var bytes: [UInt8] = []
    while true {
      var buffer = OutputBuffer(capacity: 0)
      guard try tree.write(to: &buffer) else { break }
      buffer.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
    }
    #expect(bytes.count % PackedTree.node == 0)
    return stride(from: 0, to: bytes.count, by: PackedTree.node).map { start in
      let words = (0..<5).map { word in
        (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + 8 * word + $1]) << UInt64(8 * $1) }
      }
      let box = Box(
        west: Double(bitPattern: words[0]), south: Double(bitPattern: words[1]),
        east: Double(bitPattern: words[2]), north: Double(bitPattern: words[3]))
      return Node(box: box, number: words[4])
    }
  }

  /// The number of nodes on each level from the root on, as readers compute it.
  private func levels(_ count: Int) -> [Int] {
    var levels = [count]
    repeat {
      levels.insert((levels[0] + FlatGeobuf.nodeSize - 1) / FlatGeobuf.nodeSize, at: 0)
    } while levels[0] != 1
    return levels
  }

  @Test(arguments: [1, 2, 15, 16, 17, 255, 256, 257, 272, 273, 4096, 4097, 9000])
  func eachLeafIsFound(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let boxes = (0..<count).map { _ in
      let (west, south) = (
        Double.random(in: -180...179, using: &generator),
        Double.random(in: -90...89, using: &generator)
      )
      return Box(west: west, south: south, east: west + 1, north: south + 1)
    }
    let nodes = try nodes(of: boxes)
    let levels = levels(count)
    #expect(nodes.count == levels.reduce(0, +))
    var start = 0
    for (level, size) in levels.dropLast().enumerated() {
      let end = start + size + levels[level + 1]
      var expected = start + size
      for index in start..<(start + size) {
        // The children of neighbours are contiguous.
        #expect(nodes[index].number == UInt64(expected))
        let children = expected..<min(end, expected + FlatGeobuf.nodeSize)
        expected = children.upperBound
        var box = Box()
        for child in children { box.add(nodes[child].box) }
        #expect(nodes[index].box == box)
      }
      #expect(expected == end)
      start += size
    }
    let leaves = nodes.suffix(count)
    #expect(leaves.map(\.box) == boxes)
    let numbers: [UInt64] = (0..<count).map { UInt64($0) * 100 }
    #expect(leaves.map(\.number) == numbers)
  }

  @Test func treeWithoutLeavesIsEmpty() throws { #expect(try nodes(of: []).isEmpty) }
}
