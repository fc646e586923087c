import GeoSystem

/// Assembles a FlatGeobuf file with its index: the header with number, type and extent of the
/// features, the tree over them, then the features in the order of the Hilbert curve.
///
/// The features are sorted externally and merged twice: for the tree, then into the file. Another
/// thread merges them while the tree is built, and while the file is written.
final class FlatGeobufAssembler: FileAssembler {
  private enum Stage { case header, tree, features, end }

  private var features: ReadAhead<FeatureBlocks.Block>?
  private var tree = PackedTree()
  private var envelope = Box()
  private var geometry: FlatGeobuf.Geometry?
  private var stage = Stage.header

  override func finish() throws(Errno) {
    try super.finish()
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

  func nextLeaves() throws(Errno) -> [Leaf]? {
    var leaves: [Leaf] = []
    leaves.reserveCapacity(Self.leafCount)
    while leaves.count < Self.leafCount, try cursor.advance() {
      leaves.append(cursor.withContent { Leaf($0) })
    }
    return leaves.isEmpty ? nil : leaves
  }

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
