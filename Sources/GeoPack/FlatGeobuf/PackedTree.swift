import GeoEmit
import GeoPath
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
    var box = Box()
    var pending = 0
  }

  /// The lowest first; boxed, since arrays hold nothing that can't be copied.
  private var levels: [LevelBox] = [LevelBox()]
  /// What is being written, and the number of its first child.
  private var current = 0
  private var firstChild: UInt64 = 0

  private final class LevelBox {
    var level = Level()
  }

  /// How many leaves there are.
  var count: UInt64 { levels[0].level.count }

  /// Adds a leaf.
  mutating func add(_ box: Box, offset: UInt64) throws(Errno) {
    try add(box, number: offset, at: 0)
  }

  private mutating func add(_ box: Box, number: UInt64, at index: Int) throws(Errno) {
    if index == levels.count { levels.append(LevelBox()) }
    let level = levels[index]
    try level.level.spool.add { buffer in
      for part in [
        box.west.bitPattern, box.south.bitPattern, box.east.bitPattern, box.north.bitPattern,
        number,
      ] {
        buffer.append(little: part)
      }
    }
    level.level.count += 1
    level.level.box.add(box)
    level.level.pending += 1
    if level.level.pending == FlatGeobuf.nodeSize { try close(index) }
  }

  /// Gives the last nodes of a level a parent.
  private mutating func close(_ index: Int) throws(Errno) {
    let level = levels[index]
    if level.level.pending == 0 { return }
    let box = level.level.box
    level.level.box = Box()
    level.level.pending = 0
    // The number of the first child follows from where the parent stands.
    try add(box, number: 0, at: index + 1)
  }

  /// All leaves have come: the tree gets its root.
  mutating func finish() throws(Errno) {
    if count == 0 { return }
    var index = 0
    // A root stands above the leaves even if there is only one.
    while index == 0 || levels[index].level.count > 1 {
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
        let found = try levels[current].level.spool.read(upTo: rest, appendingTo: &block)
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

  /// How many nodes of the level below were not given a parent yet while writing.
  private var childrenLeft: UInt64 {
    var above: UInt64 = 0
    for index in levels.indices where index >= current { above += levels[index].level.count }
    return above + levels[current - 1].level.count - firstChild
  }
}
