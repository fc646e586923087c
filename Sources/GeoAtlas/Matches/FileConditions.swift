import GeoPath
import GeoSelect
import GeoStats

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
}
