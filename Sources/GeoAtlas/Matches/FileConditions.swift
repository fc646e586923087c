import GeoCore
import GeoTree

/// What files of a world are looked for: all of the conditions must hold.
package struct FileConditions: Sendable {
  /// Names, sizes and times of change. What it says of folders doesn't matter.
  package var selection = Selection()
  /// The sorts that are wanted; empty for all.
  package var sorts: Set<FileSort> = []

  /// Conditions that all files fulfil.
  package init() {}

  /// Whether any file can fail them.
  package var isActive: Bool { selection.isActive || !sorts.isEmpty }
}

/// What was found, as far as the order of a list depends on it.
protocol OrderedMatch {
  /// Bytes, and Unix time of the last change; nil where they are not known.
  var size: Int64? { get }
  var modified: Int64? { get }
  var name: ArraySlice<UInt8> { get }
}

/// Which files come first in a list of those that were found.
package enum MatchOrder: String, Sendable, CaseIterable {
  /// The largest.
  case size
  /// Those changed last.
  case newest
  /// Those not changed for longest.
  case oldest
  /// Those whose names come first in the order of their bytes.
  case name

  /// Whether a match comes before another one; nil if that is left open.
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
