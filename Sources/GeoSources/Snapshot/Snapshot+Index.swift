import GeoCore
import GeoSystem

/// The position of a record: its block, and its number in the block.
struct RecordPlace: Comparable, Hashable, Sendable {
  var offset: UInt64
  var record: UInt16

  init(offset: UInt64, record: UInt16) { (self.offset, self.record) = (offset, record) }

  /// Unpacks a position: the offset, which is below 2^48, then the record.
  init(packed: UInt64) {
    self.init(offset: packed >> 16, record: UInt16(truncatingIfNeeded: packed))
  }

  static func < (a: Self, b: Self) -> Bool {
    (a.offset, a.record) < (b.offset, b.record)
  }
}

/// A reference to a folder of a snapshot, from the index.
struct SnapshotReference: Hashable, Sendable {
  /// The number of its slot in the index.
  var slot: UInt32
  var place: RecordPlace
  /// The slots of all folders below it, those of its sub-folders last.
  var below: Range<UInt32>
  /// The end of the records below it; nil at the end of the blocks.
  var limit: RecordPlace?

  /// Identifies the folder in 64 bits.
  var mark: UInt64 { UInt64(slot) | UInt64(below.lowerBound) << 32 }
}

/// The index's entry for a sub-folder.
enum SnapshotChild: Hashable, Sendable {
  case reference(SnapshotReference)
  /// It has no record because it had vanished.
  case none
  /// It has no record because the selection left it out.
  case leftOut
  /// Its part of the index is damaged.
  case lost
}

extension Snapshot {
  /// The roots, in the order of the header.
  func roots() -> [SnapshotChild] {
    let count = UInt32(header.roots.count)
    var pages = IndexPages()
    return children(count, below: 0..<UInt32(slots), after: nil, until: nil, by: &pages)
  }

  /// The sub-folders of a folder.
  ///
  /// Positions and slots must be nested like the folders, so that no folder is read twice even if
  /// the index is corrupt.
  ///
  /// - Parameters:
  ///   - count: The number of sub-folders, not more than the slots in `below`.
  ///   - below: The slots of all folders below the folder.
  ///   - place: The position of the folder's own record; nil for the roots.
  ///   - limit: The end of the records below it.
  ///   - pages: Reads the index.
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
        children.append(.lost)
        continue
      }
      if slot.offset == 0 {
        children.append(.none)
        continue
      }
      let place = RecordPlace(offset: slot.offset, record: slot.record)
      let isInOrder =
        (before.map { $0 < place } ?? true) && (limit.map { place < $0 } ?? true)
        && place.offset >= firstBlock && place.offset < indexOffset
      if isInOrder {
        children.append(
          .reference(
            SnapshotReference(
              slot: first + UInt32(number), place: place, below: low..<slot.end, limit: nil)))
        before = place
      } else {
        children.append(.lost)
      }
      low = slot.end
    }
    limitChildren(&children, until: limit)
    return children
  }

  /// Sets the limit of each to the position of the next.
  private func limitChildren(_ children: inout [SnapshotChild], until limit: RecordPlace?) {
    var next = limit
    for index in children.indices.reversed() {
      guard case .reference(var child) = children[index] else { continue }
      child.limit = next
      children[index] = .reference(child)
      next = child.place
    }
  }

  /// The folder with a mark; nil if the mark is invalid or the index is damaged there.
  func reference(mark: UInt64) -> SnapshotReference? {
    let number = UInt32(truncatingIfNeeded: mark)
    let low = UInt32(truncatingIfNeeded: mark >> 32)
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
  /// Decodes a slot.
  init(_ reader: inout ByteReader, in bytes: Span<UInt8>) throws(SnapshotDamage) {
    let low = try reader.takeLittle(UInt32.self, in: bytes)
    let high = try reader.takeLittle(UInt16.self, in: bytes)
    offset = UInt64(low) | UInt64(high) << 32
    record = try reader.takeLittle(UInt16.self, in: bytes)
    end = try reader.takeLittle(UInt32.self, in: bytes)
  }
}
