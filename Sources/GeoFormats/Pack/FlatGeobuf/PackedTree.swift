import GeoCore
import GeoSystem

/// A box in degrees.
struct Box: Equatable {
  var west = Double.infinity
  var south = Double.infinity
  var east = -Double.infinity
  var north = -Double.infinity

  /// Degrees from its western edge to the eastern one.
  var width: Double { east - west }
  /// Degrees from its southern edge to the northern one.
  var height: Double { north - south }

  /// Grows so that it holds a position.
  @inline(__always)
  mutating func add(longitude: Double, latitude: Double) {
    if longitude < west { west = longitude }
    if longitude > east { east = longitude }
    if latitude < south { south = latitude }
    if latitude > north { north = latitude }
  }

  /// Grows so that it holds another box.
  mutating func add(_ other: Box) {
    west = min(west, other.west)
    south = min(south, other.south)
    east = max(east, other.east)
    north = max(north, other.north)
  }
}

/// The packed R-tree of FlatGeobuf, built from its leaves, which come in their order.
///
/// A node is a box of four doubles and a number of eight bytes: of a leaf, where its feature begins; of an
/// inner node, which node of the whole tree is the first of its children. All nodes but the last of a
/// level have ``FlatGeobuf/nodeSize`` children. The levels are written from the root down, so each is
/// spooled until all leaves have come.
struct PackedTree: ~Copyable {
  /// Bytes of a node.
  static let node = 40

  private struct Level: ~Copyable {
    var spool = Spool()
    var count: UInt64 = 0
    /// The box around the last nodes, which don't have a parent yet, and how many they are.
    private var box = Box()
    private var pending = 0

    /// Adds a node.
    ///
    /// - Returns: Whether the last nodes are as many as a parent has.
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

    /// The box around the last nodes, which get a parent; nil if there are none.
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
  /// The other levels, the lowest first; boxed, since arrays hold nothing that can't be copied.
  private var above: [LevelBox] = []
  /// What is being written, and the number of its first child.
  private var current = 0
  private var firstChild: UInt64 = 0

  private final class LevelBox {
    var level = Level()
  }

  /// How many leaves there are.
  var count: UInt64 { leaves.count }

  /// Adds a leaf.
  mutating func add(_ box: Box, offset: UInt64) throws(Errno) {
    if try leaves.add(box, number: offset) { try close(0) }
  }

  /// Gives the last nodes of a level a parent.
  private mutating func close(_ index: Int) throws(Errno) {
    let box = index == 0 ? leaves.takeBox() : above[index - 1].level.takeBox()
    guard let box else { return }
    if index == above.count { above.append(LevelBox()) }
    // The number of the first child follows from where the parent stands.
    if try above[index].level.add(box, number: 0) { try close(index + 1) }
  }

  /// All leaves have come: the tree gets its root.
  mutating func finish() throws(Errno) {
    if count == 0 { return }
    var index = 0
    // A root stands above the leaves even if there is only one.
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
      // Whole nodes: scratch files give all that is asked for but at their end.
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
          // Each level but the last begins where the one above ends; the last node of one may have
          // fewer children, and is followed by the first children of the next.
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

  /// Reads on in the level that is being written.
  private mutating func read(
    upTo count: Int, appendingTo block: inout [UInt8]
  ) throws(Errno) -> Int {
    if current == 0 { return try leaves.spool.read(upTo: count, appendingTo: &block) }
    return try above[current - 1].level.spool.read(upTo: count, appendingTo: &block)
  }

  /// How many nodes a level has.
  private func count(of level: Int) -> UInt64 {
    level == 0 ? leaves.count : above[level - 1].level.count
  }

  /// How many nodes of the level below were not given a parent yet while writing.
  private var childrenLeft: UInt64 {
    (current...above.count).reduce(count(of: current - 1)) { $0 + count(of: $1) } - firstChild
  }
}
