import GeoCore
import GeoProjection
import GeoTree

package struct MatchedFile: Sendable, Equatable, OrderedMatch {
  package let path: [UInt8]
  package let size: Int64?
  package let modified: Int64?
  package let kind: EntryKind

  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }
}

/// Keeps the first files of a stream in some order; equal ones in the order of the stream.
///
/// Twice as many are collected before the rest is dropped, so that each costs O(log limit) at most.
struct BestMatches {
  private struct Entry {
    let file: MatchedFile
    let number: Int
    var isReported = false
  }

  private let order: MatchOrder
  private let limit: Int
  private var entries: [Entry] = []
  private var count = 0
  private var threshold: Entry?

  init(_ order: MatchOrder, limit: Int) {
    self.order = order
    self.limit = limit
  }

  /// Whether a file with a size and time may be among the first: a fast test, as most are not.
  func mayAdd(size: Int64?, modified: Int64?) -> Bool {
    guard let last = threshold?.file else { return limit > 0 }
    switch order {
    case .size: return (size ?? -1) > (last.size ?? -1)
    case .newest: return (modified ?? .min) > (last.modified ?? .min)
    case .oldest: return (modified ?? .max) < (last.modified ?? .max)
    case .name: return true
    }
  }

  mutating func add(_ file: MatchedFile) {
    count += 1
    let entry = Entry(file: file, number: count)
    if let threshold, !precedes(entry, threshold) { return }
    entries.append(entry)
    if entries.count >= 2 * limit { trim() }
  }

  mutating func takeNew() -> [MatchedFile] {
    trim()
    var new: [MatchedFile] = []
    for index in entries.indices where !entries[index].isReported {
      entries[index].isReported = true
      new.append(entries[index].file)
    }
    return new
  }

  private mutating func trim() {
    entries.sort(by: precedes)
    if entries.count < limit { return }
    entries.removeLast(entries.count - limit)
    threshold = entries.last
  }

  private func precedes(_ a: Entry, _ b: Entry) -> Bool {
    order.puts(a.file, before: b.file) ?? (a.number < b.number)
  }
}

package struct FileConditions: Sendable {
  /// Names, sizes and times of change; conditions for folders are ignored.
  package var selection = Selection()
  package var sorts: Set<FileSort> = []

  package init() {}

  package var isActive: Bool { selection.isActive || !sorts.isEmpty }
}

protocol OrderedMatch {
  var size: Int64? { get }
  var modified: Int64? { get }
  var name: ArraySlice<UInt8> { get }
}

package enum MatchOrder: String, Sendable, CaseIterable {
  /// The largest first.
  case size
  /// The last changed first.
  case newest
  /// The longest unchanged first.
  case oldest
  case name

  /// Whether a match comes before another one; nil if they are equal in this order.
  func puts<Match: OrderedMatch>(_ a: Match, before b: Match) -> Bool? {
    switch self {
    case .size: Self.more(a.size ?? -1, b.size ?? -1)
    case .newest: Self.more(a.modified ?? .min, b.modified ?? .min)
    case .oldest: Self.more(b.modified ?? .max, a.modified ?? .max)
    case .name:
      a.name.lexicographicallyPrecedes(b.name)
        ? true : b.name.lexicographicallyPrecedes(a.name) ? false : nil
    }
  }

  private static func more(_ a: Int64, _ b: Int64) -> Bool? { a == b ? nil : a > b }
}

package struct NameHit: Sendable, OrderedMatch {
  package let path: [UInt8]
  package let kind: NodeKind
  package let id: UInt64
  package let coordinate: Coordinate
  package let digits: UInt8
  package let minzoom: UInt8
  /// The score of its name; see ``NameMatch/score(_:left:depth:isFile:)``.
  package let score: Int
  /// Bytes of a file or of all in a folder, and Unix time; nil if unknown or not requested.
  package private(set) var size: Int64?
  package private(set) var modified: Int64?
  package let cells: [LayerCell]

  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }

  init(
    _ place: FolderPlace, at path: [UInt8], score: Int, size: Int64? = nil,
    modified: Int64? = nil, cells: [LayerCell], by engine: GeoProjectionEngine
  ) {
    (self.size, self.modified, self.cells) = (size, modified, cells)
    self.path = path
    kind = place.kind
    id = place.id
    coordinate = engine.coordinate(of: place)
    digits = place.digits
    minzoom = place.minzoom
    self.score = score
  }

  init(
    file name: [UInt8], in folder: WorldFolder, score: Int, facts: EntryFacts? = nil,
    cells: [LayerCell], by engine: GeoProjectionEngine
  ) {
    self.cells = cells
    if let facts {
      let isKnown = facts.status == .known
      if isKnown || facts.status == .sized { size = facts.size }
      if isKnown { modified = facts.modified }
    }
    let place = engine.placeFile(name.span, in: folder.city)
    path = folder.path(of: name)
    kind = .poi
    id = place.id
    coordinate = place.coordinate
    digits = folder.city.digits
    minzoom = folder.city.minzoom
    self.score = score
  }
}
