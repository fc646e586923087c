import GeoSystem

/// The packed R-tree of FlatGeobuf, built from its leaves in their order.
///
/// A node is a box of four doubles and a number of eight bytes: in a leaf, the offset of its
/// feature; in an inner node, the index of its first child in the whole tree. All nodes but the
/// last of a level have ``FlatGeobuf/nodeSize`` children. The levels are written from the root
/// down, so each is spooled until all leaves have come.
struct PackedTree: ~Copyable {
  static let node = 40

  private final class Level {
    var spool = Spool()
    var count: UInt64 = 0
    /// The box around the last nodes, which have no parent yet, and their number.
    private var box = Box()
    private var pending = 0

    /// Adds a node, and returns whether there are enough for a parent.
    func add(_ box: Box, number: UInt64) throws(Errno) -> Bool {
      try spool.add { buffer in
        for edge in [box.west, box.south, box.east, box.north] {
          buffer.append(little: edge.bitPattern)
        }
        buffer.append(little: number)
      }
      count += 1
      self.box.add(box)
      pending += 1
      return pending == FlatGeobuf.nodeSize
    }

    /// Takes the box around the last nodes, for their parent; nil if all nodes have one.
    func takeBox() -> Box? {
      if pending == 0 { return nil }
      defer { (box, pending) = (Box(), 0) }
      return box
    }
  }

  /// The leaves first.
  private var levels = [Level()]
  /// The level being written, and the index of its next node's first child.
  private var current = 0
  private var firstChild: UInt64 = 0

  var count: UInt64 { levels[0].count }

  mutating func add(_ box: Box, offset: UInt64) throws(Errno) {
    if try levels[0].add(box, number: offset) { try close(0) }
  }

  /// Gives the last nodes of a level a parent.
  private mutating func close(_ index: Int) throws(Errno) {
    guard let box = levels[index].takeBox() else { return }
    if index + 1 == levels.count { levels.append(Level()) }
    // The index of the first child follows from the position of the parent.
    if try levels[index + 1].add(box, number: 0) { try close(index + 1) }
  }

  /// Ends the leaves and adds the levels above, up to the root.
  mutating func finish() throws(Errno) {
    if count == 0 { return }
    var index = 0
    // Even a single leaf has a root above it.
    while levels[index].count > 1 || index == 0 {
      try close(index)
      index += 1
    }
    current = index
    firstChild = 1
  }

  /// Adds the next nodes to a buffer, from the root on.
  ///
  /// - Returns: Whether there were any.
  mutating func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool {
    while current >= 0, count > 0 {
      var block: [UInt8] = []
      // Whole nodes: scratch files return all requested bytes except at their end.
      var rest = 2048 * Self.node
      while rest > 0 {
        let found = try levels[current].spool.read(upTo: rest, appendingTo: &block)
        if found == 0 { break }
        rest -= found
      }
      if block.isEmpty {
        current -= 1
        continue
      }
      if current == 0 {
        buffer.append(block.span)
        return true
      }
      for offset in stride(from: 0, to: block.count, by: Self.node) {
        buffer.append(block.span.extracting(offset..<(offset + 32)))
        buffer.append(little: firstChild)
        // Each level but the last begins where the one above ends; the last node of a level may
        // have fewer children, and the children of the next level follow.
        firstChild += min(UInt64(FlatGeobuf.nodeSize), childrenLeft)
      }
      return true
    }
    return false
  }

  /// The number of nodes of the level below without a parent so far.
  private var childrenLeft: UInt64 {
    levels[(current - 1)...].reduce(0) { $0 + $1.count } - firstChild
  }
}
