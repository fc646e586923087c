import GeoCore
import GeoSystem

/// The blocks and the index of a kept tree, whether it is whole or a difference.
protocol BlockTree: AnyObject {
  /// The header of the snapshot, encoded.
  var head: [UInt8] { get }
  /// The numbers of slots, folders and files.
  var counts: TreeCounts { get }
  var blockCount: Int { get }

  /// The lengths of a block before compression: of all, and of what a map needs.
  func lengths(of block: Int) -> (all: Int, map: Int)
  /// The same block in a whole snapshot; nil if it has no such block.
  func origin(of block: Int) -> BlockOrigin?
  /// A block before compression.
  func raw(_ block: Int) throws(ByteDamage) -> [UInt8]
  /// The index as columns (``IndexColumns``).
  func index() throws(ByteDamage) -> [UInt8]
}

/// A block of a whole tree.
struct BlockOrigin {
  let tree: WholeTree
  let block: Int

  /// Its head, which hardly any other block has.
  var head: WholeTree.Block { tree.blocks[block] }
}

struct TreeCounts: Equatable {
  var slots: UInt64 = 0
  var folders: UInt64 = 0
  var files: UInt64 = 0
}

/// The last few blocks that were unpacked.
struct RecentBlocks {
  private static let maximum = 6
  private var blocks: [(number: Int, bytes: [UInt8])] = []
  private var next = 0

  subscript(number: Int) -> [UInt8]? { blocks.first { $0.number == number }?.bytes }

  mutating func add(_ bytes: [UInt8], as number: Int) {
    if blocks.count < Self.maximum {
      blocks.append((number, bytes))
    } else {
      blocks[next] = (number, bytes)
      next = (next + 1) % Self.maximum
    }
  }
}

/// Takes bytes in order.
protocol ByteOutput: AnyObject {
  func append(_ bytes: Span<UInt8>) throws(Errno)
}

extension ScratchFile: ByteOutput {}

extension SnapshotNumbers {
  /// The trailer of a snapshot.
  ///
  /// - Parameters:
  ///   - numbers: Where the index begins, and the numbers of slots, folders, files and blocks.
  ///   - checksum: The checksum of all before.
  static func trailer(_ numbers: [UInt64], checksum: UInt32) -> [UInt8] {
    var trailer: [UInt8] = []
    for number in numbers { trailer.append(little: number) }
    trailer.append(little: checksum)
    trailer.append(little: CRC32.checksum(of: trailer))
    return trailer + endMagic
  }
}
