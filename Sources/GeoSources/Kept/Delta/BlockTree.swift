import GeoCore
import GeoSystem

/// The blocks and the index of a kept tree, whether it is whole or a difference.
protocol BlockTree: AnyObject {
  var head: [UInt8] { get }
  var counts: TreeCounts { get }
  var blockCount: Int { get }

  /// Before compression: of all, and of what a map needs.
  func lengths(of block: Int) -> (all: Int, map: Int)
  /// Nil if no whole snapshot has the block.
  func origin(of block: Int) -> BlockOrigin?
  /// Before compression.
  func raw(_ block: Int) throws(ByteDamage) -> [UInt8]
  /// As ``IndexColumns``.
  func index() throws(ByteDamage) -> [UInt8]
}

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

protocol ByteOutput: AnyObject {
  func append(_ bytes: Span<UInt8>) throws(Errno)
}

extension ScratchFile: ByteOutput {}

extension SnapshotNumbers {
  /// The numbers: where the index begins, and how many slots, folders, files and blocks there are.
  /// The checksum is of all before.
  static func trailer(_ numbers: [UInt64], checksum: UInt32) -> [UInt8] {
    var trailer: [UInt8] = []
    for number in numbers { trailer.append(little: number) }
    trailer.append(little: checksum)
    trailer.append(little: CRC32.checksum(of: trailer))
    return trailer + endMagic
  }
}
