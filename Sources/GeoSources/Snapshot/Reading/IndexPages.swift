import GeoCore

/// Reads the index of a snapshot, and keeps some of its pages: folders that follow each other have their
/// slots near each other.
struct IndexPages {
  private static let kept = 16

  private struct Page {
    var number = -1
    /// None if the page is damaged.
    var bytes: [UInt8] = []
  }

  private var pages: [Page] = []

  /// Slots; nil for those of pages that are damaged.
  mutating func slots(_ range: Range<UInt32>, of snapshot: Snapshot) -> [IndexSlot?] {
    let perPage = SnapshotFormat.slotsToPage
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
      do throws(SnapshotDamage) {
        var reader = ByteReader(0..<bytes.count)
        _ = try reader.take(4 + (next - start) * SnapshotFormat.slot)
        for _ in next..<stop { result.append(try IndexSlot(&reader, in: bytes.span)) }
      } catch {
        while result.count < stop - Int(range.lowerBound) { result.append(nil) }
      }
      next = stop
    }
    return result
  }

  /// A page; none of its bytes if it is damaged.
  private mutating func fetch(_ number: Int, _ count: Int, of snapshot: Snapshot) -> [UInt8] {
    if pages.isEmpty { pages = Array(repeating: Page(), count: Self.kept) }
    let place = number % Self.kept
    if pages[place].number == number { return pages[place].bytes }
    var bytes: [UInt8] = []
    do throws(SnapshotDamage) {
      try snapshot.read(
        4 + count * SnapshotFormat.slot,
        at: snapshot.indexOffset + UInt64(number * SnapshotFormat.page), into: &bytes)
      var reader = ByteReader(0..<bytes.count)
      let sum = try reader.takeLittle(UInt32.self, in: bytes.span)
      if sum != CRC32.checksum(of: bytes.span.extracting(4..<bytes.count)) { throw .changed }
    } catch {
      bytes = []
    }
    pages[place] = Page(number: number, bytes: bytes)
    return bytes
  }
}
