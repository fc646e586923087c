import GeoCore
import GeoSystem

/// Where a record is: its block, and which of the block's records it is.
struct RecordPlace: Comparable, Hashable, Sendable {
  var offset: UInt64
  var record: UInt16

  static func < (a: Self, b: Self) -> Bool {
    (a.offset, a.record) < (b.offset, b.record)
  }
}

/// A folder of a snapshot, as far as the index knows it.
struct SnapshotReference: Hashable, Sendable {
  /// Where it is in the index.
  var slot: UInt32
  var place: RecordPlace
  /// The slots of all that is below it, those of its sub-folders last.
  var below: Range<UInt32>
  /// Where the records of what is below it end; nil at the end of the blocks.
  var limit: RecordPlace?

  /// What says in 64 bits which folder it is.
  var mark: UInt64 { UInt64(slot) | UInt64(below.lowerBound) << 32 }
}

/// What the index has for a sub-folder.
enum SnapshotChild: Hashable, Sendable {
  case reference(SnapshotReference)
  /// There is no record, for it had vanished.
  case none
  /// There is no record, for the selection left it out.
  case leftOut
  /// That part of the index is damaged.
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
  /// Places and slots have to be nested as folders are, so that no folder is met twice, whatever the
  /// index says.
  ///
  /// - Parameters:
  ///   - count: How many there are, no more than there are slots.
  ///   - below: The slots of all that is below the folder.
  ///   - place: Where the folder's own record is.
  ///   - limit: Where the records of what is below it end.
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

  /// Says of each where the next one begins.
  private func limitChildren(_ children: inout [SnapshotChild], until limit: RecordPlace?) {
    var next = limit
    for index in children.indices.reversed() {
      guard case .reference(var child) = children[index] else { continue }
      child.limit = next
      children[index] = .reference(child)
      next = child.place
    }
  }

  /// The folder of a mark; nil if the index is damaged there, or the mark is none.
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
  /// Reads a slot.
  init(_ reader: inout ByteReader, in bytes: Span<UInt8>) throws(SnapshotDamage) {
    let low = try reader.takeLittle(UInt32.self, in: bytes)
    let high = try reader.takeLittle(UInt16.self, in: bytes)
    offset = UInt64(low) | UInt64(high) << 32
    record = try reader.takeLittle(UInt16.self, in: bytes)
    end = try reader.takeLittle(UInt32.self, in: bytes)
  }
}
