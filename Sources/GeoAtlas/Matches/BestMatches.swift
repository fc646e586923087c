import GeoCore

/// A file that fulfils conditions.
package struct MatchedFile: Sendable, Equatable, OrderedMatch {
  /// The root's label and names, joined by `/`.
  package let path: [UInt8]
  /// Bytes, and Unix time of the last change; nil where they are not known.
  package let size: Int64?
  package let modified: Int64?
  package let kind: EntryKind

  /// The name, the last component of the path.
  package var name: ArraySlice<UInt8> {
    path.lastComponent
  }
}

/// The first so many of a stream of files, in some order; among equals those that came first.
///
/// Twice as many are gathered before the rest is dropped, so that each costs O(log limit) at most.
struct BestMatches {
  private struct Entry {
    let file: MatchedFile
    let number: Int
    var isTold = false
  }

  private let order: MatchOrder
  private let limit: Int
  private var entries: [Entry] = []
  private var count = 0
  /// Behind it nothing is wanted any more.
  private var threshold: Entry?

  init(_ order: MatchOrder, limit: Int) {
    self.order = order
    self.limit = limit
  }

  /// Whether a file of a size and time may be among the first: cheap, for most are not.
  func mayTake(size: Int64?, modified: Int64?) -> Bool {
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

  /// Those of the first that were not taken yet.
  mutating func takeNew() -> [MatchedFile] {
    trim()
    var new: [MatchedFile] = []
    for index in entries.indices where !entries[index].isTold {
      entries[index].isTold = true
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
