import GeoCore

/// The head of a block: its lengths, and a checksum of these and of the packed bytes.
struct BlockHead: Hashable {
  let checksum: UInt32
  let packed: UInt32
  let length: UInt32
  /// How much of the length a map needs.
  let mapLength: UInt32

  var size: Int { SnapshotNumbers.blockHeader + Int(packed) }

  init(_ block: Span<UInt8>) throws(ByteDamage) {
    checksum = block.loadHalfWord(at: 0)
    packed = block.loadHalfWord(at: 4)
    length = block.loadHalfWord(at: 8)
    mapLength = block.loadHalfWord(at: 12)
    guard length <= SnapshotNumbers.longestBlock, mapLength <= length else { throw .malformed }
  }

  /// Throws unless the head is that of a block, which may be followed by others.
  func check(_ block: Span<UInt8>) throws(ByteDamage) {
    guard CRC32.checksum(of: block.extracting(4..<size)) == checksum else { throw .changed }
  }

  /// Puts the head of the block that begins at an index, with room for it.
  static func put(in output: inout [UInt8], at start: Int, length: Int, mapLength: Int) {
    let packed = output.count - start - SnapshotNumbers.blockHeader
    output.overwrite(little: UInt32(packed), at: start + 4)
    output.overwrite(little: UInt32(length), at: start + 8)
    output.overwrite(little: UInt32(mapLength), at: start + 12)
    let sum = CRC32.checksum(of: output.span.extracting((start + 4)...))
    output.overwrite(little: sum, at: start)
  }
}
