import GeoCore
import GeoSystem

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
