import GeoCore
import GeoSystem

/// A FlatGeobuf file with its index: the features in the order of the Hilbert curve, before them the tree
/// over them, before that their number, kind and extent.
///
/// The features are sorted outside of memory and merged twice: for the tree, then into the file. Another thread
/// merges them while the tree is built, and while the file is written.
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

/// Reads the sorted features of a FlatGeobuf file from the first on, in blocks.
final class FeatureBlocks: @unchecked Sendable {
  // Sendable: one thread at a time asks for a block, and the next one does when that has ended.

  /// What the index says of a feature.
  struct Leaf {
    let box: Box
    /// Its bytes, with those that say how many follow.
    let length: UInt64
    let geometry: FlatGeobuf.Geometry
  }

  /// Bytes of features. Whoever gets one may take its buffer and leave another, until it asks for the next but one.
  final class Block: @unchecked Sendable {
    // Sendable: as above.
    var buffer = OutputBuffer(capacity: 0)
  }

  /// So many bytes that a thread for each block costs next to nothing, and so few that a buffer that has room for them
  /// is used again by who writes the file.
  private static let size = 768 << 10
  private static let leafCount = 16 << 10

  private var cursor: RecordCursor
  private let blocks = [Block(), Block()]
  private var turn = 0

  init(_ records: SortedRecords) { cursor = records.cursor() }

  /// What the index says of the next features; nil if there are no more.
  func nextLeaves() throws(Errno) -> [Leaf]? {
    var leaves: [Leaf] = []
    leaves.reserveCapacity(Self.leafCount)
    while leaves.count < Self.leafCount, try cursor.advance() {
      leaves.append(cursor.withContent { Leaf($0) })
    }
    return leaves.isEmpty ? nil : leaves
  }

  /// The next features; nil if there are no more.
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
  /// What the index says of a feature, whose positions are where ``FlatGeobufWriter`` has put them.
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
