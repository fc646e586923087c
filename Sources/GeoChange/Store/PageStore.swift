import GeoSystem
import Synchronization

/// Where pages are written and read again.
protocol PageBacking: Sendable {
  /// Bytes written so far.
  var count: Int64 { get }
  /// Adds bytes at the end.
  func append(_ bytes: Span<UInt8>) throws(Errno)
  /// Adds the bytes at some place to others: at most `count`, or none at the end.
  func read(
    upTo count: Int, at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(Errno) -> Int
}

extension ScratchFile: PageBacking {}

/// Where lists put what doesn't fit into memory: pages of bytes in one scratch file, which is made when
/// the first page comes.
///
/// Pages are written by one thread. Those that read begin when it has ended.
final class PageStore: Sendable {
  private struct State {
    var file: (any PageBacking)?
    var held = 0
    var failure: Errno?
  }

  /// How many bytes of pages all lists together hold in memory before they put some away.
  let limit: Int
  private let makeFile: MakeFile
  private let state = Mutex(State())

  /// Makes the file when the first page comes.
  typealias MakeFile = @Sendable () throws(Errno) -> any PageBacking

  /// - Parameters:
  ///   - limit: In bytes; each list has some pages in memory however small it is. Of 0 pages are tiny,
  ///     so that even the smallest lists need some.
  ///   - makeFile: Makes the file.
  init(
    limit: Int, makeFile: @escaping MakeFile = { () throws(Errno) in try ScratchFile() }
  ) {
    self.limit = limit
    self.makeFile = makeFile
  }

  /// Whether pages have next to nothing in them.
  var isTiny: Bool { limit == 0 }

  /// How many pages a list has in memory, however little room there is.
  var least: Int { isTiny ? 1 : 16 }

  /// Whether the lists hold more than they should.
  var isFull: Bool { state.withLock { $0.held > limit } }

  /// Whether anything was put away.
  var isUsed: Bool { state.withLock { $0.file != nil } }

  /// Why something can't be read again that was put away; nil if all could be.
  var failure: Errno? { state.withLock { $0.failure } }

  /// Counts bytes that a list has taken, or with a negative number, let go.
  func hold(_ bytes: Int) { state.withLock { $0.held += bytes } }

  /// Puts a page away.
  ///
  /// - Returns: Where it is.
  func write(_ page: [UInt8]) throws(Errno) -> Range<Int64> {
    let file: any PageBacking
    if let known = state.withLock({ $0.file }) {
      file = known
    } else {
      file = try makeFile()
      state.withLock { $0.file = file }
    }
    let start = file.count
    try file.append(page.span)
    return start..<file.count
  }

  /// Reads a page again; nil if it can't be, which is said by ``failure`` from then on.
  func read(_ place: Range<Int64>) -> [UInt8]? {
    guard let file = state.withLock({ $0.file }) else { return nil }
    let count = Int(place.upperBound - place.lowerBound)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    do throws(Errno) {
      while bytes.count < count {
        let found = try file.read(
          upTo: count - bytes.count, at: place.lowerBound + Int64(bytes.count),
          appendingTo: &bytes)
        if found == 0 { throw .inputOutput }
      }
      return bytes
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
      return nil
    }
  }
}

/// What was put away last of those pages that were asked for again.
///
/// A page is known by where it was put: what is there never changes, though the page of that number may be put
/// elsewhere later. It has four places, by its number: so those who go through two parts of a list side by side don't
/// drive away each other's pages.
final class PageCache<Page: Sendable>: Sendable {
  private static var sets: Int { 8 }
  private static var places: Int { 4 }

  private struct State {
    var pages: [(stored: Int64, page: Page)?] = []
    /// The place of each set that is taken next.
    var next: [Int] = []
  }

  private let state = Mutex(State())

  /// A page, read if it is not at hand.
  ///
  /// - Parameter stored: Where it was put.
  func page(_ number: Int, at stored: Int64, read: () -> Page?) -> Page? {
    state.withLock { state in
      if state.pages.isEmpty {
        state.pages = Array(repeating: nil, count: Self.sets * Self.places)
        state.next = Array(repeating: 0, count: Self.sets)
      }
      let set = number % Self.sets
      for place in (set * Self.places)..<((set + 1) * Self.places) {
        if let known = state.pages[place], known.stored == stored { return known.page }
      }
      guard let page = read() else { return nil }
      state.pages[set * Self.places + state.next[set]] = (stored, page)
      state.next[set] = (state.next[set] + 1) % Self.places
      return page
    }
  }
}
