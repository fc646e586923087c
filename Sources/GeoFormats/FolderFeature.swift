import GeoCore
import GeoProjection

/// What is written of a folder, but for its path and its coast line.
public struct FolderFeature: Sendable {
  /// Where it is; says its depth, rank, zoom and whether it owns land, too.
  public var place: FolderPlace
  /// Where its label goes, in integers of 10^-`place.digits` degrees.
  public var coordinate: Coordinate
  /// Entries of its listing, whatever a filter leaves out; nil if it was not listed.
  public var entries: Int?
  /// Unix time of its last change in whole seconds, rounded down; nil if it is not known.
  public var modified: Int64?
  /// Whether its listing or its metadata could not be read.
  public var isUnreadable: Bool
  /// Whether it is one of its own ancestors, reached by a link.
  public var isLoop = false
  /// What is below it, if somebody asked for that.
  public var totals: FolderTotals?
  /// The outline of what its land was cut out of, where the format has a place for it; else empty.
  public var cell: [Coordinate] = []

  /// A folder of the given properties.
  public init(
    place: FolderPlace, coordinate: Coordinate, entries: Int?, modified: Int64?,
    isUnreadable: Bool
  ) {
    self.place = place
    self.coordinate = coordinate
    self.entries = entries
    self.modified = modified
    self.isUnreadable = isUnreadable
  }
}

extension NodeKind {
  /// How the formats and tiles call it.
  public var text: StaticString {
    switch self {
    case .continent: "continent"
    case .country: "country"
    case .state: "state"
    case .district: "district"
    case .poi: "poi"
    }
  }
}

extension EntryKind {
  /// How the formats and tiles call a file that is no regular one.
  package var special: StaticString? {
    switch self {
    case .symlink: "symlink"
    case .fifo: "fifo"
    case .socket: "socket"
    case .block: "block"
    case .character: "character"
    case .regular, .directory, .unknown: nil
    }
  }
}
