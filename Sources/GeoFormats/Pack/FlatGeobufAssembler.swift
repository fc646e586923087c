import GeoCore
import GeoSystem

/// Assembles a FlatGeobuf file with its index: the header with number, type and extent of the
/// features, the tree over them, then the features in the order of the Hilbert curve.
///
/// The features are sorted externally and merged twice: for the tree, then into the file. Another
/// thread merges them while the tree is built, and while the file is written.
final class FlatGeobufAssembler: FileAssembler {
  private enum Stage { case header, tree, features, end }

  private var sorter = RecordSorter()
  private var records = SortedRecords()
  private var features: ReadAhead<FeatureBlocks.Block>?
  private var tree = PackedTree()
  private var envelope = Box()
  private var geometry: FlatGeobuf.Geometry?
  private var stage = Stage.header

  override func take(_ records: Span<UInt8>) throws(Errno) { try sorter.add(records) }

  override func finish() throws(Errno) {
    records = try sorter.finish()
    sorter = RecordSorter()
    let blocks = FeatureBlocks(records)
    let leaves = ReadAhead(threads: threads) { () throws(Errno) in try blocks.nextLeaves() }
    var offset: UInt64 = 0
    while let some = try leaves.next() {
      for leaf in some {
        try tree.add(leaf.box, offset: offset)
        offset += leaf.length
        envelope.add(leaf.box)
        geometry = geometry == nil || geometry == leaf.geometry ? leaf.geometry : .mixed
      }
    }
    try tree.finish()
  }

  override func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool {
    switch stage {
    case .header:
      let bytes = FlatGeobuf.header(
        header, options, geometry: geometry ?? .mixed,
        envelope: tree.count == 0
          ? [] : [envelope.west, envelope.south, envelope.east, envelope.north],
        count: tree.count, isIndexed: tree.count > 0)
      buffer.append(bytes.span)
      stage = .tree
      return true
    case .tree:
      if try tree.write(to: &buffer) { return true }
      let blocks = FeatureBlocks(records)
      features = ReadAhead(threads: threads) { () throws(Errno) in try blocks.nextBlock() }
      stage = .features
      return try write(to: &buffer)
    case .features:
      if let block = try features?.next() {
        swap(&buffer, &block.buffer)
        return true
      }
      features = nil
      records = SortedRecords()
      stage = .end
      return false
    case .end: return false
    }
  }
}

/// Reads the sorted features of a FlatGeobuf file in blocks.
final class FeatureBlocks: @unchecked Sendable {
  // Sendable: one thread at a time reads a block, the next one starts after it has ended.

  /// The index entry of a feature.
  struct Leaf {
    let box: Box
    /// The length of the feature in bytes, with its length field.
    let length: UInt64
    let geometry: FlatGeobuf.Geometry
  }

  /// Bytes of features. The caller may swap its buffer, until it asks for the block after the next.
  final class Block: @unchecked Sendable {
    // Sendable: as above.
    var buffer = OutputBuffer(capacity: 0)
  }

  /// Large enough that a thread per block costs next to nothing, and small enough that the writer
  /// of the file reuses its buffer.
  private static let size = 768 << 10
  private static let leafCount = 16 << 10

  private var cursor: RecordCursor
  private let blocks = [Block(), Block()]
  private var turn = 0

  init(_ records: SortedRecords) { cursor = records.cursor() }

  /// The next index entries; nil at the end.
  func nextLeaves() throws(Errno) -> [Leaf]? {
    var leaves: [Leaf] = []
    leaves.reserveCapacity(Self.leafCount)
    while leaves.count < Self.leafCount, try cursor.advance() {
      leaves.append(cursor.withContent { Leaf($0) })
    }
    return leaves.isEmpty ? nil : leaves
  }

  /// The next features; nil at the end.
  func nextBlock() throws(Errno) -> Block? {
    let block = blocks[turn]
    turn = 1 - turn
    block.buffer.removeAll()
    var isEmpty = true
    while block.buffer.count < Self.size, try cursor.advance() {
      isEmpty = false
      cursor.withContent { content in
        block.buffer.append(little: UInt32(truncatingIfNeeded: content.count))
        block.buffer.append(content)
      }
    }
    return isEmpty ? nil : block
  }
}

extension FeatureBlocks.Leaf {
  /// The index entry of a feature, whose positions are where ``FlatGeobufWriter`` puts them.
  ///
  /// - Parameter feature: The feature without its length.
  init(_ feature: Span<UInt8>) {
    let start = FlatGeobuf.positions - 4
    var box = Box()
    for pair in 0..<Int(feature.loadHalfWord(at: FlatGeobuf.count - 4)) / 2 {
      box.add(
        longitude: Double(bitPattern: feature.loadWord(at: start + 16 * pair)),
        latitude: Double(bitPattern: feature.loadWord(at: start + 16 * pair + 8)))
    }
    self.box = box
    length = UInt64(feature.count + 4)
    geometry = FlatGeobuf.Geometry(rawValue: feature[FlatGeobuf.type - 4]) ?? .mixed
  }
}

/// A box in degrees.
struct Box: Equatable {
  var west = Double.infinity
  var south = Double.infinity
  var east = -Double.infinity
  var north = -Double.infinity

  var width: Double { east - west }
  var height: Double { north - south }

  /// Extends the box to a position.
  @inline(__always)
  mutating func add(longitude: Double, latitude: Double) {
    if longitude < west { west = longitude }
    if longitude > east { east = longitude }
    if latitude < south { south = latitude }
    if latitude > north { north = latitude }
  }

  /// Extends the box to another box.
  mutating func add(_ other: Box) {
    west = min(west, other.west)
    south = min(south, other.south)
    east = max(east, other.east)
    north = max(north, other.north)
  }
}

/// The packed R-tree of FlatGeobuf, built from its leaves in their order.
///
/// A node is a box of four doubles and a number of eight bytes: in a leaf, the offset of its
/// feature; in an inner node, the index of its first child in the whole tree. All nodes but the
/// last of a level have ``FlatGeobuf/nodeSize`` children. The levels are written from the root
/// down, so each is spooled until all leaves have come.
struct PackedTree: ~Copyable {
  /// The number of bytes of a node.
  static let node = 40

  private struct Level: ~Copyable {
    var spool = Spool()
    var count: UInt64 = 0
    /// The box around the last nodes, which have no parent yet, and their number.
    private var box = Box()
    private var pending = 0

    /// Adds a node.
    ///
    /// - Returns: Whether there are enough nodes for a parent.
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

  /// The number of leaves.
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

  /// The number of nodes of a level.
  private func count(of level: Int) -> UInt64 {
    level == 0 ? leaves.count : above[level - 1].level.count
  }

  /// The number of nodes of the level below without a parent so far.
  private var childrenLeft: UInt64 {
    (current...above.count).reduce(count(of: current - 1)) { $0 + count(of: $1) } - firstChild
  }
}
