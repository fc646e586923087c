import GeoSystem

/// The bytes of many names in pages, in memory up to the limit. A name is in one page only.
///
/// Copies share the pages in the file, which never change.
struct PagedNames: Sendable {
  private struct Page {
    /// Empty if the page is only in the file.
    var bytes: [UInt8]
    var place: Range<Int64>?
  }

  private let store: PageStore
  /// Length of a page, unless a single name is longer.
  private let bytesOfPage: Int
  private let cache = PageCache<[UInt8]>()
  private var pages: [Page] = []
  private var tail: [UInt8] = []
  /// Number of the first page in memory.
  private var firstHeld = 0

  init(_ store: PageStore) {
    self.store = store
    bytesOfPage = store.isTiny ? 16 : 16 * 1024
  }

  /// Appends a name of at most 65,535 bytes.
  mutating func append(_ name: Span<UInt8>) throws(Errno) -> PagedName {
    if !tail.isEmpty, tail.count + name.count > bytesOfPage {
      store.hold(tail.count)
      pages.append(Page(bytes: tail))
      tail.removeAll(keepingCapacity: true)
      try spill()
    }
    let place = pages.count << 16 | tail.count
    unsafe name.withUnsafeBufferPointer { unsafe tail.append(contentsOf: $0) }
    return PagedName(place: place, length: Int32(name.count))
  }

  mutating func spill() throws(Errno) {
    while pages.count - firstHeld > store.minimum, store.isFull {
      pages[firstHeld].place = try store.write(pages[firstHeld].bytes)
      store.hold(-pages[firstHeld].bytes.count)
      pages[firstHeld].bytes = []
      firstHeld += 1
    }
  }

  /// Calls `body` with the bytes of a name; empty if they can't be read.
  @inline(__always)
  func with<Result>(_ name: PagedName, _ body: (Span<UInt8>) -> Result) -> Result {
    let number = name.place >> 16
    let start = name.place & 0xFFFF
    let range = start..<(start + Int(name.length))
    if number == pages.count { return body(tail.span.extracting(range)) }
    var bytes = pages[number].bytes
    if bytes.isEmpty, let place = pages[number].place {
      bytes = cache.page(number, at: place.lowerBound) { store.read(place) } ?? []
    }
    return body(bytes.span.extracting(range.clamped(to: 0..<bytes.count)))
  }

  subscript(name: PagedName) -> [UInt8] {
    with(name) { Array(copying: $0) }
  }
}
