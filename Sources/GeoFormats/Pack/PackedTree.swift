import GeoSystem

/// The packed R-tree of FlatGeobuf, built from its leaves in their order.
///
/// A node is a box of four doubles and a number of eight bytes: in a leaf, the offset of its
/// feature; in an inner node, the index of its first child in the whole tree. All nodes but the
/// last of a level have ``FlatGeobuf/nodeSize`` children. The levels are written from the root
/// down, so each is spooled until all leaves have come.
struct PackedTree: ~Copyable {
  static let node = 40

  private struct Level: ~Copyable {
    var spool = Spool()
    var count: UInt64 = 0
    /// The box around the last nodes, which have no parent yet, and their number.
    private var box = Box()
    private var pending = 0

    /// Adds a node, and returns whether there are enough for a parent.
    mutating func add(_ box: Box, number: UInt64) throws(Errno) -> Bool {
      try spool.add { buffer in
        buffer.append(little: box.west.bitPattern)
        buffer.append(little: box.south.bitPattern)
        buffer.append(little: box.east.bitPattern)
        buffer.append(little: box.north.bitPattern)
        buffer.append(little: number)
      }
      count += 1
      self.box.add(box)
      pending += 1
      return pending == FlatGeobuf.nodeSize
    }

    /// Takes the box around the last nodes, for their parent; nil if all nodes have one.
    mutating func takeBox() -> Box? {
      if pending == 0 { return nil }
      defer {
        box = Box()
        pending = 0
      }
      return box
    }
  }

  /// Most nodes are leaves.
  private var leaves = Level()
  /// The other levels, the lowest first; boxed, as arrays can't hold noncopyable values.
  private var above: [LevelBox] = []
  /// The level being written, and the index of its next node's first child.
  private var current = 0
  private var firstChild: UInt64 = 0

  private final class LevelBox {
    var level = Level()
  }

  var count: UInt64 { leaves.count }

  mutating func add(_ box: Box, offset: UInt64) throws(Errno) {
    if try leaves.add(box, number: offset) { try close(0) }
  }

  /// Gives the last nodes of a level a parent.
  private mutating func close(_ index: Int) throws(Errno) {
    let box = index == 0 ? leaves.takeBox() : above[index - 1].level.takeBox()
    guard let box else { return }
    if index == above.count { above.append(LevelBox()) }
    // The index of the first child follows from the position of the parent.
    if try above[index].level.add(box, number: 0) { try close(index + 1) }
  }

  /// Ends the leaves and adds the levels above, up to the root.
  mutating func finish() throws(Errno) {
    if count == 0 { return }
    var index = 0
    // Even a single leaf has a root above it.
    while count(of: index) > 1 || index == 0 {
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
        let found = try read(upTo: rest, appendingTo: &block)
        if found == 0 { break }
        rest -= found
      }
      if block.isEmpty {
        current -= 1
        continue
      }
      let nodes = block.span
      var offset = 0
      while offset + Self.node <= nodes.count {
        if current > 0 {
          buffer.append(nodes.extracting(offset..<(offset + 32)))
          buffer.append(little: firstChild)
          // Each level but the last begins where the one above ends; the last node of a level may
          // have fewer children, and the children of the next level follow.
          let children = min(UInt64(FlatGeobuf.nodeSize), childrenLeft)
          firstChild += children
        } else {
          buffer.append(nodes.extracting(offset..<(offset + Self.node)))
        }
        offset += Self.node
      }
      return true
    }
    return false
  }

  /// Reads on in the level being written.
  private mutating func read(
    upTo count: Int, appendingTo block: inout [UInt8]
  ) throws(Errno) -> Int {
    if current == 0 { return try leaves.spool.read(upTo: count, appendingTo: &block) }
    return try above[current - 1].level.spool.read(upTo: count, appendingTo: &block)
  }

  private func count(of level: Int) -> UInt64 {
    level == 0 ? leaves.count : above[level - 1].level.count
  }

  /// The number of nodes of the level below without a parent so far.
  private var childrenLeft: UInt64 {
    (current...above.count).reduce(count(of: current - 1)) { $0 + count(of: $1) } - firstChild
  }
}
