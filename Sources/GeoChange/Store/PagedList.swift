import GeoSystem

protocol PagedRecord: PageCodable, Sendable {
  /// Binary logarithm of the number of records in a page.
  static var pageBits: Int { get }
  /// A placeholder for a record that can't be read; it refers to no other record.
  static func lost(at index: Int) -> Self
}

/// A list of records that keeps all pages in memory up to the limit, then the most recent ones.
///
/// Copies share the pages in the file, which never change, and count their memory together.
struct PagedList<Record: PagedRecord>: RandomAccessCollection, Sendable {
  private struct Page {
    /// Empty if the page is only in the file.
    var records: [Record]
    /// The page's last range in the file; nil if it was never written.
    var place: Range<Int64>?
  }

  private let store: PageStore
  private let bits: Int
  private let cache = PageCache<[Record]>()
  private var pages: [Page] = []
  /// Records after the last full page.
  private var tail: [Record] = []
  /// Numbers of pages in memory from `firstHeld` on, oldest first.
  private var held: [Int] = []
  private var firstHeld = 0

  init(_ store: PageStore) {
    self.store = store
    bits = store.isTiny ? 1 : Record.pageBits
  }

  private var perPage: Int { 1 << bits }
  private var bytesOfPage: Int { perPage * MemoryLayout<Record>.stride }
  @inline(__always)
  private func place(_ index: Int) -> Int { index & (perPage - 1) }

  var startIndex: Int { 0 }
  var endIndex: Int { pages.count << bits + tail.count }

  mutating func append(_ record: Record) throws(Errno) {
    tail.append(record)
    if tail.count < perPage { return }
    pages.append(Page(records: tail))
    tail.removeAll(keepingCapacity: true)
    try hold(pages.count - 1)
  }

  /// A record; a placeholder if it can't be read.
  subscript(index: Int) -> Record {
    let page = index >> bits
    if page == pages.count { return tail[place(index)] }
    if !pages[page].records.isEmpty { return pages[page].records[place(index)] }
    let stored = pages[page].place.flatMap { place in
      cache.page(page, at: place.lowerBound) { read(place) }
    }
    return stored?[place(index)] ?? .lost(at: index)
  }

  private func read(_ place: Range<Int64>) -> [Record]? {
    guard let bytes = store.read(place) else { return nil }
    var page = PageCoder(reading: bytes)
    return (0..<perPage).map { index in
      var record = Record.lost(at: index)
      record.code(&page)
      return record
    }
  }

  mutating func update(_ index: Int, _ body: (inout Record) -> Void) throws(Errno) {
    let page = index >> bits
    if page == pages.count { return body(&tail[place(index)]) }
    if pages[page].records.isEmpty {
      guard let records = pages[page].place.flatMap({ read($0) }) else {
        throw store.failure ?? .inputOutput
      }
      pages[page].records = records
      try hold(page)
    }
    body(&pages[page].records[place(index)])
  }

  /// Counts a page that is now in memory, and writes others to the file if the limit is exceeded.
  private mutating func hold(_ page: Int) throws(Errno) {
    held.append(page)
    store.hold(bytesOfPage)
    try spill()
  }

  mutating func spill() throws(Errno) {
    while held.count - firstHeld > store.minimum, store.isFull { try putAway(held[firstHeld]) }
  }

  private mutating func putAway(_ page: Int) throws(Errno) {
    var coder = PageCoder()
    for var record in pages[page].records { record.code(&coder) }
    pages[page].place = try store.write(coder.bytes)
    pages[page].records = []
    store.hold(-bytesOfPage)
    firstHeld += 1
    if firstHeld > 1024 {
      held.removeFirst(firstHeld)
      firstHeld = 0
    }
  }
}

extension UInt64: PagedRecord {
  static var pageBits: Int { 11 }
  static func lost(at index: Int) -> UInt64 { 0 }
  mutating func code(_ page: inout PageCoder) { page.code(word: &self) }
}

struct PagedName: Sendable {
  /// Page number, shifted left by 16, plus the offset in the page.
  var place: Int
  var length: Int32

  static let none = PagedName(place: 0, length: 0)
}
