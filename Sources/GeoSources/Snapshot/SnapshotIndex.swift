import GeoCore
import GeoSystem
import GeoTree

/// A block, and the number of a record in it.
struct RecordPlace: Comparable, Hashable, Sendable {
  var offset: UInt64
  var record: UInt16

  static func < (a: Self, b: Self) -> Bool {
    (a.offset, a.record) < (b.offset, b.record)
  }
}

extension RecordPlace {
  /// The offset, which is below 2^48, then the record.
  init(packed: UInt64) {
    self.init(offset: packed >> 16, record: UInt16(truncatingIfNeeded: packed))
  }
}

/// A reference to a folder of a snapshot, from the index.
struct SnapshotReference: Hashable, Sendable {
  var slot: UInt32
  var place: RecordPlace
  /// Of all folders below it, those of its sub-folders last.
  var below: Range<UInt32>
  /// Where the records below it end; nil at the end of the blocks.
  var limit: RecordPlace?

  var handle: UInt64 { UInt64(slot) | UInt64(below.lowerBound) << 32 }
}

/// The index's entry for a sub-folder.
typealias SnapshotChild = Result<SnapshotReference, SnapshotFolderFailure>

/// Why a folder of a snapshot has no record that can be read.
enum SnapshotFolderFailure: UInt64, Error {
  /// It doesn't exist, or vanished while the snapshot was taken.
  case missing
  /// Its part of the snapshot is damaged.
  case lost
  /// By the selection when the snapshot was taken.
  case leftOut

  var reason: ScanFault.Reason? {
    switch self {
    case .missing: .unreadable(.noEntry)
    case .lost: Snapshot.lost
    case .leftOut: nil
    }
  }

  // No slot has the last numbers: the index can't be that long.
  var handle: UInt64 { .max - rawValue }

  init?(handle: UInt64) { self.init(rawValue: .max - handle) }
}

extension SnapshotChild {
  var handle: UInt64 {
    switch self {
    case .success(let folder): folder.handle
    case .failure(let failure): failure.handle
    }
  }
}

extension Snapshot {
  func roots() -> [SnapshotChild] {
    let count = UInt32(header.roots.count)
    var pages = IndexPages()
    return children(count, below: 0..<UInt32(slots), after: nil, until: nil, by: &pages)
  }

  /// The sub-folders of a folder: not more than the slots of all folders below it.
  ///
  /// Positions and slots must be nested like the folders, so that no folder is read twice even if
  /// the index is corrupt. `place` is that of the folder's own record (nil for the roots), and
  /// `limit` the end of the records below it.
  func children(
    _ count: UInt32, below: Range<UInt32>, after place: RecordPlace?, until limit: RecordPlace?,
    by pages: inout IndexPages
  ) -> [SnapshotChild] {
    if count == 0 { return [] }
    let first = below.upperBound - count
    let slots = pages.slots(first..<below.upperBound, of: self)
    var children: [SnapshotChild] = []
    children.reserveCapacity(Int(count))
    var low = below.lowerBound
    var before = place
    for (number, slot) in slots.enumerated() {
      guard let slot, slot.end >= low, slot.end <= first else {
        children.append(.failure(.lost))
        continue
      }
      if slot.offset == 0 {
        children.append(.failure(.missing))
        continue
      }
      let place = RecordPlace(offset: slot.offset, record: slot.record)
      let isInOrder =
        (before.map { $0 < place } ?? true) && (limit.map { place < $0 } ?? true)
        && place.offset >= firstBlock && place.offset < indexOffset
      if isInOrder {
        children.append(
          .success(
            SnapshotReference(
              slot: first + UInt32(number), place: place, below: low..<slot.end, limit: nil)))
        before = place
      } else {
        children.append(.failure(.lost))
      }
      low = slot.end
    }
    // The limit of each is the position of the next.
    var next = limit
    for index in children.indices.reversed() {
      guard case .success(var child) = children[index] else { continue }
      child.limit = next
      children[index] = .success(child)
      next = child.place
    }
    return children
  }

  /// Nil if the handle is invalid or the index is damaged there.
  func reference(handle: UInt64) -> SnapshotReference? {
    let number = UInt32(truncatingIfNeeded: handle)
    let low = UInt32(truncatingIfNeeded: handle >> 32)
    var pages = IndexPages()
    guard UInt64(number) < slots, let slot = pages.slots(number..<(number + 1), of: self)[0],
      slot.offset >= firstBlock, slot.offset < indexOffset, slot.end >= low, slot.end <= number
    else { return nil }
    return SnapshotReference(
      slot: number, place: RecordPlace(offset: slot.offset, record: slot.record),
      below: low..<slot.end, limit: nil)
  }
}

extension IndexSlot {
  /// Six bytes for the offset, two for the record, four for the end.
  init(_ bytes: Span<UInt8>, at start: Int) {
    let word = bytes.loadWord(at: start)
    offset = word & Self.longestOffset
    record = UInt16(word >> 48)
    end = bytes.loadHalfWord(at: start + 8)
  }

  fileprivate static let longestOffset: UInt64 = 1 << 48 - 1
}

/// Caches some pages: the slots of successive folders are near each other.
struct IndexPages {
  private static let kept = 16

  private struct Page {
    var number = -1
    /// Empty if the page is damaged.
    var bytes: [UInt8] = []
  }

  private var pages: [Page] = []

  mutating func slots(_ range: Range<UInt32>, of snapshot: Snapshot) -> [IndexSlot?] {
    let perPage = SnapshotNumbers.slotsToPage
    var result: [IndexSlot?] = []
    result.reserveCapacity(range.count)
    var next = Int(range.lowerBound)
    let end = Int(range.upperBound)
    while next < end {
      let page = next / perPage
      let start = page * perPage
      let count = min(perPage, Int(snapshot.slots) - start)
      let stop = min(end, start + count)
      let bytes = fetch(page, count, of: snapshot)
      for slot in next..<stop {
        let place = 4 + (slot - start) * SnapshotNumbers.slot
        result.append(bytes.isEmpty ? nil : IndexSlot(bytes.span, at: place))
      }
      next = stop
    }
    return result
  }

  private mutating func fetch(_ number: Int, _ count: Int, of snapshot: Snapshot) -> [UInt8] {
    if pages.isEmpty { pages = Array(repeating: Page(), count: Self.kept) }
    let place = number % Self.kept
    if pages[place].number == number { return pages[place].bytes }
    var bytes: [UInt8] = []
    do throws(ByteDamage) {
      try snapshot.read(
        4 + count * SnapshotNumbers.slot,
        at: snapshot.indexOffset + UInt64(number * SnapshotNumbers.page), into: &bytes)
      let sum = CRC32.checksum(of: bytes.span.extracting(4..<bytes.count))
      if bytes.span.loadHalfWord(at: 0) != sum { throw .changed }
    } catch {
      bytes = []
    }
    pages[place] = Page(number: number, bytes: bytes)
    return bytes
  }
}

/// The position of a folder's record, and the end of its sub-folders' slots.
struct IndexSlot: Equatable {
  /// The offset of its block in the file, below 2^48; 0 if there is no record.
  var offset: UInt64 = 0
  var record: UInt16 = 0
  /// The number of slots when the folder ended; those of its sub-folders are the last before it.
  var end: UInt32 = 0
}

/// In memory, and in a scratch file beyond 1 MiB.
struct IndexWriter {
  private static let memory = 1 << 20

  private(set) var count: UInt64 = 0
  private var bytes: [UInt8] = []
  private var page: [UInt8] = []
  private var scratch: ScratchFile?

  mutating func append(_ slot: IndexSlot) throws(Errno) {
    count += 1
    page.append(little: slot.offset & IndexSlot.longestOffset | UInt64(slot.record) << 48)
    page.append(little: slot.end)
    if page.count == SnapshotNumbers.page - 4 { try finish() }
  }

  /// Ends the page, and with the last one the index.
  mutating func finish() throws(Errno) {
    if page.isEmpty { return }
    bytes.append(little: CRC32.checksum(of: page))
    bytes += page
    page.removeAll(keepingCapacity: true)
    if bytes.count < Self.memory { return }
    if scratch == nil { scratch = try ScratchFile() }
    try scratch?.append(bytes.span)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The next bytes of a finished index after those taken before; false at the end.
  func take(from offset: UInt64, appendingTo output: inout [UInt8]) throws(Errno) -> Bool {
    let stored = UInt64(scratch?.count ?? 0)
    if offset < stored, let scratch {
      let length = Int(min(UInt64(Self.memory), stored - offset))
      let found = try scratch.read(upTo: length, at: Int64(offset), appendingTo: &output)
      if found == 0 { throw .stale }
      return true
    }
    let start = Int(offset - stored)
    output += bytes[start...]
    return start < bytes.count
  }
}
