import GeoCore
import GeoSystem

protocol PagedRecord: Sendable {
  /// Binary logarithm of the number of records in a page.
  static var pageBits: Int { get }
  /// A placeholder for a record that can't be read; it refers to no other record.
  static func lost(at index: Int) -> Self
  func put(to page: inout [UInt8])
  init(_ page: inout PageReader)
}

/// A list of records that keeps all pages in memory up to the limit, then the most recent ones.
///
/// Copies share the pages in the file, which never change, and count their memory together.
struct PagedList<Record: PagedRecord>: Sendable {
  private struct Page {
    /// Empty if the page is only in the file.
    var records: [Record]
    /// The page's last range in the file; nil if it was never written.
    var place: Range<Int64>?
    var isChanged = true

    mutating func fill(_ records: [Record]) {
      self.records = records
      isChanged = false
    }

    mutating func update(_ index: Int, _ body: (inout Record) -> Void) {
      isChanged = true
      body(&records[index])
    }
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

  var count: Int { pages.count << bits + tail.count }
  var indices: Range<Int> { 0..<count }

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
    if pages[page].records.isEmpty { return stored(page, index) }
    return pages[page].records[place(index)]
  }

  private func stored(_ page: Int, _ index: Int) -> Record {
    guard let stored = pages[page].place else { return .lost(at: index) }
    return cache.page(page, at: stored.lowerBound) { read(page) }?[place(index)]
      ?? .lost(at: index)
  }

  private func read(_ page: Int) -> [Record]? {
    guard let place = pages[page].place, let bytes = store.read(place) else { return nil }
    var reader = PageReader(bytes)
    var records: [Record] = []
    records.reserveCapacity(perPage)
    for _ in 0..<perPage { records.append(Record(&reader)) }
    return records
  }

  mutating func update(_ index: Int, _ body: (inout Record) -> Void) throws(Errno) {
    let page = index >> bits
    if page == pages.count { return body(&tail[place(index)]) }
    if pages[page].records.isEmpty {
      guard let records = read(page) else { throw store.failure ?? .inputOutput }
      pages[page].fill(records)
      try hold(page)
    }
    pages[page].update(place(index), body)
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
    if pages[page].isChanged {
      var bytes: [UInt8] = []
      for record in pages[page].records { record.put(to: &bytes) }
      pages[page].place = try store.write(bytes)
    }
    pages[page].records = []
    store.hold(-bytesOfPage)
    firstHeld += 1
    if firstHeld > 1024 {
      held.removeFirst(firstHeld)
      firstHeld = 0
    }
  }
}

struct PageReader {
  private let bytes: [UInt8]
  private var reader: ByteReader

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    reader = ByteReader(0..<bytes.count)
  }

  init(_ bytes: Span<UInt8>) { self.init(Array(copying: bytes)) }

  mutating func takeByte() -> UInt8 { takeLittle(UInt8.self) }

  /// Takes a number; 0 after the end.
  @inline(__always)
  mutating func takeVarint() -> UInt64 {
    let bytes = bytes
    return (try? reader.takeVarint(in: bytes.span)) ?? 0
  }

  @inline(__always)
  fileprivate mutating func takeLittle<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    let bytes = bytes
    return (try? reader.takeLittle(type, in: bytes.span)) ?? 0
  }

  mutating func takeNumber() -> Int64 { Int64(zigzag: takeVarint()) }
  mutating func takeInt() -> Int { Int(takeNumber()) }
  mutating func takeInt32() -> Int32 { Int32(truncatingIfNeeded: takeNumber()) }
}

extension UInt64: PagedRecord {
  static var pageBits: Int { 11 }
  static func lost(at index: Int) -> UInt64 { 0 }
  func put(to page: inout [UInt8]) { page.append(little: self) }
  init(_ page: inout PageReader) { self = page.takeLittle(UInt64.self) }
}

/// The location of a name in ``PagedNames``.
struct PagedName: Sendable {
  /// Page number, shifted left by 16, plus the offset in the page.
  var place: Int
  var length: Int32

  static let none = PagedName(place: 0, length: 0)
}
