import GeoCore
import GeoSystem

/// Names of a ``PagedNames``: where one lies.
struct PagedName: Sendable {
  /// The page, and where in it the name begins: the lowest 16 bits.
  var place: Int
  var length: Int32

  /// A name of no bytes.
  static let none = PagedName(place: 0, length: 0)
}

/// The bytes of many names, those in memory for which there is room. No name lies in two pages.
///
/// Copies share what was put away, which never changes.
struct PagedNames: Sendable {
  private struct Page {
    /// None if they were put away.
    var bytes: [UInt8]
    var place: Range<Int64>?
  }

  private let store: PageStore
  /// How long a page is, unless one name is longer.
  private let bytesOfPage: Int
  private let cache = PageCache<[UInt8]>()
  private var pages: [Page] = []
  private var tail: [UInt8] = []
  /// The first page that is in memory.
  private var firstHeld = 0

  init(_ store: PageStore) {
    self.store = store
    bytesOfPage = store.isTiny ? 16 : 16 * 1024
  }

  /// Adds a name of at most 65,535 bytes.
  mutating func append(_ name: Span<UInt8>) throws(Errno) -> PagedName {
    if !tail.isEmpty, tail.count + name.count > bytesOfPage {
      store.hold(tail.count)
      pages.append(Page(bytes: tail))
      tail.removeAll(keepingCapacity: true)
      try makeRoom()
    }
    let place = pages.count << 16 | tail.count
    unsafe name.withUnsafeBufferPointer { unsafe tail.append(contentsOf: $0) }
    return PagedName(place: place, length: Int32(name.count))
  }

  /// Puts pages away as long as the lists hold more than they should.
  mutating func makeRoom() throws(Errno) {
    while pages.count - firstHeld > store.least, store.isFull {
      pages[firstHeld].place = try store.write(pages[firstHeld].bytes)
      store.hold(-pages[firstHeld].bytes.count)
      pages[firstHeld].bytes = []
      firstHeld += 1
    }
  }

  /// Lends the bytes of a name; none if they can't be read again.
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

  /// A copy of the bytes of a name.
  subscript(name: PagedName) -> [UInt8] {
    with(name) { Array(copying: $0) }
  }
}
