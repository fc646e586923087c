import GeoCore
import GeoSystem

/// Where a folder's record is, and where the slots of what is below it end.
struct IndexSlot: Equatable {
  /// Where its block begins in the file, below 2^48; 0 if there is no record.
  var offset: UInt64 = 0
  /// Which record of the block it is.
  var record: UInt16 = 0
  /// How many slots there were when the folder was done: those of its sub-folders come last of them.
  var end: UInt32 = 0
}

/// Collects the index of a snapshot: in memory, and what is more in a scratch file.
struct IndexWriter {
  /// How much is kept in memory, in bytes.
  private static let memory = 1 << 20

  private(set) var count: UInt64 = 0
  private var bytes: [UInt8] = []
  /// The page at hand, without its checksum.
  private var page: [UInt8] = []
  private var scratch: ScratchFile?

  /// Adds a slot.
  mutating func append(_ slot: IndexSlot) throws(Errno) {
    count += 1
    page.append(little: UInt32(truncatingIfNeeded: slot.offset))
    page.append(little: UInt16(truncatingIfNeeded: slot.offset >> 32))
    page.append(little: slot.record)
    page.append(little: slot.end)
    if page.count == SnapshotFormat.page - 4 { try endPage() }
  }

  private mutating func endPage() throws(Errno) {
    if page.isEmpty { return }
    bytes.append(little: CRC32.checksum(of: page))
    bytes += page
    page.removeAll(keepingCapacity: true)
    if bytes.count < Self.memory { return }
    if scratch == nil { scratch = try ScratchFile() }
    try scratch?.append(bytes.span)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Ends the index.
  mutating func finish() throws(Errno) { try endPage() }

  /// Gives away the next bytes of a finished index, from its beginning on.
  ///
  /// - Parameter offset: How many were given away before.
  /// - Returns: Whether there were any.
  func take(from offset: UInt64, appendingTo output: inout [UInt8]) throws(Errno) -> Bool {
    let stored = UInt64(scratch?.count ?? 0)
    if offset < stored, let scratch {
      let room = Int(min(UInt64(Self.memory), stored - offset))
      let found = try scratch.read(upTo: room, at: Int64(offset), appendingTo: &output)
      if found == 0 { throw .stale }
      return true
    }
    let start = Int(offset - stored)
    output += bytes[start...]
    return start < bytes.count
  }
}
