import GeoCore
import GeoSystem
import GeoTree

/// The blocks that two snapshots have in common, so that a comparison can skip folders whose blocks
/// are equal.
///
/// Blocks count as equal only if their bytes are, and if nothing in them has to be reported: no
/// entry was unreadable or vanished, all sizes are known, and no file has several names, of which
/// others may differ.
///
/// Memory: 53 bytes for each block while blocks are compared, then 24 for each run of equal blocks.
package final class CommonBlocks: Sendable {
  struct Run: Sendable, Equatable {
    var old: UInt64
    var new: UInt64
    var length: UInt64
  }

  let old: Snapshot
  /// By their offsets in the old and in the new snapshot.
  let runs: (old: [Run], new: [Run])

  /// Nil if they recorded different facts, or a snapshot can't be read. O(length of both).
  package init?(_ old: Snapshot, _ new: Snapshot) {
    guard old.header.knowledge == new.header.knowledge else { return nil }
    self.old = old
    do throws(ByteDamage) {
      var matcher = try BlockMatcher(old, new)
      let found = try matcher.runs()
      runs = (found.sorted { $0.old < $1.old }, found)
    } catch {
      return nil
    }
  }

  /// Identifies everything in a folder: the same folder of both snapshots has the same identifier
  /// if nothing in it differs. Nil if it is not in blocks that both snapshots have.
  ///
  /// It has where the folder's records begin and end in the new snapshot, and a hash of the slots
  /// below it, which distinguish folders that vanished. O(folders below it).
  func content(
    of folder: SnapshotReference, in snapshot: Snapshot, by pages: inout IndexPages
  ) -> ObjectID? {
    let isOld = snapshot === old
    guard let run = run(at: folder.place.offset, isOld) else { return nil }
    let start = isOld ? run.old : run.new
    func place(_ place: RecordPlace) -> UInt64? {
      // The first record of a block can be just after the run.
      guard place.offset >= start, place.offset - start < run.length + (place.record == 0 ? 1 : 0)
      else { return nil }
      return (place.offset - start + run.new) << 16 | UInt64(place.record)
    }
    let limit = folder.limit ?? RecordPlace(offset: snapshot.indexOffset, record: 0)
    guard let first = place(folder.place), let end = place(limit) else { return nil }
    var hash: UInt64 = 0
    var next = folder.below.lowerBound
    while next < folder.below.upperBound {
      let stop = min(folder.below.upperBound, next + 1024)
      for slot in pages.slots(next..<stop, of: snapshot) {
        guard let slot else { return nil }
        var position: UInt64 = 0
        if slot.offset > 0 {
          guard let known = place(RecordPlace(offset: slot.offset, record: slot.record)) else {
            return nil
          }
          position = known
        }
        hash = Self.mix(hash ^ position)
        hash = Self.mix(hash ^ UInt64(slot.end &- folder.below.lowerBound))
      }
      next = stop
    }
    return ObjectID(high: first, low: end, mode: UInt32(truncatingIfNeeded: hash >> 32))
  }

  private static func mix(_ number: UInt64) -> UInt64 {
    let mixed = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 29
  }

  private func run(at offset: UInt64, _ isOld: Bool) -> Run? {
    let runs = isOld ? self.runs.old : self.runs.new
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if (isOld ? runs[middle].old : runs[middle].new) > offset {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low > 0 else { return nil }
    let run = runs[low - 1]
    return offset - (isOld ? run.old : run.new) < run.length ? run : nil
  }
}

private struct BlockMatcher {
  private struct Head {
    var offset: UInt64 = 0
    var checksum: UInt32 = 0
    var packed: UInt32 = 0
    var length: UInt32 = 0
    var mapLength: UInt32 = 0

    var size: Int { SnapshotNumbers.blockHeader + Int(packed) }

    func isLike(_ other: Head) -> Bool {
      checksum == other.checksum && packed == other.packed && length == other.length
        && mapLength == other.mapLength
    }
  }

  /// How many blocks with the same checksum are tried.
  private static let patience = 8

  private let old: Snapshot
  private let new: Snapshot
  private let oldHeads: [Head]
  private let newHeads: [Head]
  private let order: [Int32]
  private var isTaken: [Bool]
  private var inflater = Inflater()
  private var oldBytes: [UInt8] = []
  private var newBytes: [UInt8] = []
  private var raw: [UInt8] = []

  init(_ old: Snapshot, _ new: Snapshot) throws(ByteDamage) {
    (self.old, self.new) = (old, new)
    let heads = try Self.heads(of: old)
    oldHeads = heads
    newHeads = try Self.heads(of: new)
    order = heads.indices.map { Int32($0) }.sorted {
      (heads[Int($0)].checksum, $0) < (heads[Int($1)].checksum, $1)
    }
    isTaken = Array(repeating: false, count: heads.count)
  }

  private static func heads(of snapshot: Snapshot) throws(ByteDamage) -> [Head] {
    var heads: [Head] = []
    var bytes: [UInt8] = []
    var offset = snapshot.firstBlock
    let length = SnapshotNumbers.blockHeader
    while offset < snapshot.indexOffset {
      guard snapshot.indexOffset - offset >= UInt64(length), heads.count < Int32.max else {
        throw .malformed
      }
      try snapshot.read(length, at: offset, into: &bytes)
      let head = Head(
        offset: offset, checksum: bytes.span.loadHalfWord(at: 0),
        packed: bytes.span.loadHalfWord(at: 4), length: bytes.span.loadHalfWord(at: 8),
        mapLength: bytes.span.loadHalfWord(at: 12))
      guard UInt64(head.size) <= snapshot.indexOffset - offset,
        head.length <= SnapshotNumbers.longestBlock
      else { throw .malformed }
      heads.append(head)
      offset += UInt64(head.size)
    }
    return heads
  }

  mutating func runs() throws(ByteDamage) -> [CommonBlocks.Run] {
    var runs: [CommonBlocks.Run] = []
    var next = 0
    for head in newHeads {
      guard let number = candidate(for: head, next) else { continue }
      next = number + 1
      let other = oldHeads[number]
      try old.read(other.size, at: other.offset, into: &oldBytes)
      try new.read(head.size, at: head.offset, into: &newBytes)
      guard oldBytes == newBytes, isPlain(head) else { continue }
      isTaken[number] = true
      if let last = runs.last, last.old + last.length == other.offset,
        last.new + last.length == head.offset
      {
        runs[runs.count - 1].length += UInt64(head.size)
      } else {
        runs.append(
          CommonBlocks.Run(old: other.offset, new: head.offset, length: UInt64(head.size)))
      }
    }
    return runs
  }

  /// The number of an old block that may be equal to a new one: the next, else one further on, else
  /// any.
  private func candidate(for head: Head, _ next: Int) -> Int? {
    if next < oldHeads.count, !isTaken[next], oldHeads[next].isLike(head) { return next }
    return candidate(for: head, from: next) ?? candidate(for: head, from: 0)
  }

  private func candidate(for head: Head, from number: Int) -> Int? {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      let other = Int(order[middle])
      if (oldHeads[other].checksum, other) < (head.checksum, number) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    for place in order[low...].prefix(Self.patience) {
      let other = Int(place)
      if oldHeads[other].checksum != head.checksum { return nil }
      if !isTaken[other], oldHeads[other].isLike(head) { return other }
    }
    return nil
  }

  /// Whether the block in `newBytes` is sound, and nothing in it is reported.
  private mutating func isPlain(_ head: Head) -> Bool {
    let sum = CRC32.checksum(of: newBytes.span.extracting(4..<newBytes.count))
    guard sum == head.checksum else { return false }
    do {
      try inflater.inflate(
        newBytes, from: SnapshotNumbers.blockHeader, limit: Int(head.length), into: &raw
      ) { bytes in BlockColumns.end(of: .links, in: bytes) ?? .max }
      return try isPlainStart()
    } catch {
      return false
    }
  }

  /// Whether the first columns in `raw` have only folders that were listed, entries that were read
  /// as far as a comparison needs them, and files with one name.
  private func isPlainStart() throws(ByteDamage) -> Bool {
    let raw = raw.span
    var reader = ByteReader(0..<raw.count)
    var lengths: [Int] = []
    for _ in Column.allCases {
      let length = try reader.takeVarint(in: raw)
      guard length <= UInt64(SnapshotNumbers.longestBlock) else { throw .malformed }
      lengths.append(Int(length))
    }
    guard lengths[Column.reasons.rawValue] == 0 else { return false }
    var records = ByteReader(try reader.take(lengths[Column.records.rawValue]))
    _ = try reader.take(lengths[Column.folderTimes.rawValue])
    var states = ByteReader(try reader.take(lengths[Column.states.rawValue]))
    while !records.isAtEnd {
      let flags = RecordFlags(rawValue: try records.takeLittle(UInt8.self, in: raw))
      if flags.contains(.unreadable) || flags.contains(.loop) { return false }
      for _ in 0..<(flags.contains(.continued) ? 2 : 4) { _ = try records.takeVarint(in: raw) }
    }
    while !states.isAtEnd {
      guard let state = EntryState(number: try states.takeVarint(in: raw)) else { return false }
      switch state.status {
      case .known, .sized, .undated, .leftOut: break
      case .unasked, .elsewhere, .unreadable, .vanished: return false
      }
      _ = try states.takeVarint(in: raw)
    }
    for column in [Column.nameLengths, .letters, .sizes, .times] {
      _ = try reader.take(lengths[column.rawValue])
    }
    // Numbers of links, each with its repetitions.
    var links = ByteReader(try reader.take(lengths[Column.links.rawValue]))
    while !links.isAtEnd {
      if try links.takeVarint(in: raw) > 1 { return false }
      _ = try links.takeVarint(in: raw)
    }
    return true
  }
}
