import GeoCore

struct ListedEntry {
  var path: [UInt8] = []
  /// The length of the path prefix that is unchanged since `kept` was last set to the path's
  /// length. Deep in an export this is nearly the whole path, which need not be compared again.
  var kept = 0
  var facts = ListedFacts()
  /// The number of the line, or the offset of the byte in an export, from 1.
  var position: UInt64 = 0

  /// Replaces the path of the last entry from an offset on.
  mutating func replacePath(from start: Int, by rest: ArraySlice<UInt8>) {
    path.removeSubrange(start...)
    path.append(contentsOf: rest)
    kept = min(kept, start)
  }
}

struct ListFault: Equatable {
  let position: UInt64
  let reason: String
}

enum ListStep {
  case entry
  case fault
  case end
}

/// Parses the entries of a list in order.
protocol ListParser {
  init(_ input: ListInput, _ source: ListSource)

  /// What a listing of another program says of itself.
  var head: ListingHead { get }

  /// Pass the same entry each time: its memory is reused, and its path may go on from the one
  /// before. Faults also get the errors at the end of the list.
  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep
}

extension ListParser {
  var head: ListingHead { ListingHead() }
}

struct ListingHead {
  var seconds: Int64?
  var sources: [[UInt8]] = []

  static let another = "another snapshot begins: list one at a time"

  init() {}

  init(_ object: ListedObject) {
    if object.has(.sources) { sources = object.sources }
    seconds = object[.time].flatMap { Moment.seconds(parsing: $0) }
  }
}
