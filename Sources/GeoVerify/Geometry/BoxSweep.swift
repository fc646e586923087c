/// A bounding box in the units of ``ExactPoint``.
struct ExactBox: BitwiseCopyable {
  let west: Int64
  let east: Int64
  let south: Int64
  let north: Int64

  /// Whether two boxes have a point in common.
  func meets(_ box: ExactBox) -> Bool {
    west <= box.east && box.west <= east && south <= box.north && box.south <= north
  }
}

/// Finds those of many boxes that meet: a line sweeps over them from west to east, and a tournament
/// tree over their southern sides holds, of those that lie under the line, how far north they reach.
///
/// - Complexity: O((n + k) log n) for k pairs that meet; 32 to 48 bytes a box.
struct BoxSweep {
  private let boxes: [ExactBox]
  /// Numbers of boxes in the order of their sides.
  private let byWest: [Int32]
  private let byEast: [Int32]
  private let bySouth: [Int32]
  /// Where each box stands in `bySouth`.
  private var ranks: [Int32]
  /// How far north what is under the line reaches: the root is at 1, the leaves after the half.
  private var reach: [Int64]
  private let leaves: Int

  init(_ boxes: [ExactBox]) {
    self.boxes = boxes
    func order(by side: (ExactBox) -> Int64) -> [Int32] {
      boxes.indices.map { Int32($0) }.sorted { side(boxes[Int($0)]) < side(boxes[Int($1)]) }
    }
    byWest = order { $0.west }
    byEast = order { $0.east }
    bySouth = order { $0.south }
    ranks = [Int32](repeating: 0, count: boxes.count)
    for (rank, index) in bySouth.enumerated() { ranks[Int(index)] = Int32(rank) }
    var leaves = 1
    while leaves < boxes.count { leaves *= 2 }
    self.leaves = leaves
    reach = [Int64](repeating: .min, count: 2 * leaves)
  }

  /// Goes over all boxes.
  ///
  /// - Parameters:
  ///   - meet: Told of each pair that meets, once, while both lie under the line.
  ///   - leave: Told of each box that the line has left.
  consuming func run(
    meet: (Int, Int) throws(MapFault) -> Void, leave: (Int) -> Void
  ) throws(MapFault) {
    var passed = 0
    var found: [Int] = []
    for next in byWest.indices {
      let index = Int(byWest[next])
      let box = boxes[index]
      while passed < byEast.count, boxes[Int(byEast[passed])].east < box.west {
        let left = Int(byEast[passed])
        set(rank: Int(ranks[left]), .min)
        leave(left)
        passed += 1
      }
      found.removeAll(keepingCapacity: true)
      find(box, into: &found)
      for other in found { try meet(other, index) }
      set(rank: Int(ranks[index]), box.north)
    }
  }

  private mutating func set(rank: Int, _ north: Int64) {
    var node = leaves + rank
    reach[node] = north
    while node > 1 {
      node /= 2
      reach[node] = max(reach[2 * node], reach[2 * node + 1])
    }
  }

  /// Finds what lies under the line and meets a box that the line has come to.
  private func find(_ box: ExactBox, into found: inout [Int]) {
    var open = [1]
    while let node = open.popLast() {
      // Nothing below reaches it from the south.
      if reach[node] < box.south { continue }
      if node >= leaves {
        let index = Int(bySouth[node - leaves])
        if boxes[index].south <= box.north { found.append(index) }
        continue
      }
      open.append(2 * node)
      // The right half begins with this one.
      if isSouth(of: box.north, firstLeafBelow: 2 * node + 1) { open.append(2 * node + 1) }
    }
  }

  /// Whether the southernmost box below a node begins no farther north than a line.
  private func isSouth(of north: Int64, firstLeafBelow node: Int) -> Bool {
    let rank = node << (node.leadingZeroBitCount - leaves.leadingZeroBitCount) - leaves
    return rank < bySouth.count && boxes[Int(bySouth[rank])].south <= north
  }
}
