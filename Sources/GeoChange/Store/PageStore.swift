import GeoSystem
import Synchronization

protocol PageBacking: Sendable {
  var count: Int64 { get }
  func append(_ bytes: Span<UInt8>) throws(Errno)
  /// Reads at most `count` bytes at an offset and appends them to `bytes`; returns their number, 0
  /// at the end.
  func read(
    upTo count: Int, at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(Errno) -> Int
}

extension ScratchFile: PageBacking {}

/// Keeps pages that don't fit into memory in one scratch file, created for the first such page.
///
/// One thread writes. Reading from several threads starts when it has finished.
final class PageStore: Sendable {
  private struct State {
    var file: (any PageBacking)?
    var held = 0
    var failure: Errno?
  }

  /// Memory limit for the pages of all lists together, in bytes.
  let limit: Int
  private let makeFile: MakeFile
  private let state = Mutex(State())

  typealias MakeFile = @Sendable () throws(Errno) -> any PageBacking

  /// With a limit of 0, pages are tiny, so that even small lists use the file, as tests do.
  init(
    limit: Int, makeFile: @escaping MakeFile = { () throws(Errno) in try ScratchFile() }
  ) {
    self.limit = limit
    self.makeFile = makeFile
  }

  var isTiny: Bool { limit == 0 }

  var minimum: Int { isTiny ? 1 : 16 }

  var isFull: Bool { state.withLock { $0.held > limit } }

  var isUsed: Bool { state.withLock { $0.file != nil } }

  var failure: Errno? { state.withLock { $0.failure } }

  /// Counts bytes that a list has allocated; a negative number releases them.
  func hold(_ bytes: Int) { state.withLock { $0.held += bytes } }

  /// Returns the page's range in the file.
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

  /// Reads a page; nil on an error, which ``failure`` then has.
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

/// A cache of pages that were read from the file.
///
/// Its key is the offset in the file: written pages never change, but a page that changes is
/// written again elsewhere. The cache is set-associative, with four entries for each set of page
/// numbers, so that readers of different parts of a list don't evict each other's pages.
final class PageCache<Page: Sendable>: Sendable {
  private static var sets: Int { 8 }
  private static var places: Int { 4 }

  private struct State {
    var pages: [(stored: Int64, page: Page)?] = []
    /// The entry of each set that is replaced next.
    var next: [Int] = []
  }

  private let state = Mutex(State())

  /// - Parameter stored: The page's offset in the file.
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
