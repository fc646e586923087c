/// The first thing in a map that is not as it must be.
public struct MapFault: Error, Sendable, Equatable {
  /// The number of the line, 1 for the first.
  public var line: Int
  /// The node's path, raw; empty if it is about no node.
  public var path: [UInt8]
  /// What is wrong, in a few words.
  public var reason: String
  /// What must be there; empty if that can't be said.
  public var expected: [UInt8]
  /// What is there.
  public var found: [UInt8]

  /// A fault of the given parts.
  public init(
    line: Int, path: [UInt8] = [], reason: String, expected: [UInt8] = [], found: [UInt8] = []
  ) {
    self.line = line
    self.path = path
    self.reason = reason
    self.expected = expected
    self.found = found
  }
}

/// What was checked of a map that has no fault.
public struct MapVerdict: Sendable, Equatable {
  /// Features of folders.
  public var folders = 0
  /// Features of files.
  public var files = 0
  /// How many of both are where nobody can tell whether they should be: of their folder, or of one
  /// that holds it, not all sub-folders are on the map.
  public var unplaced = 0
  /// How many of both have a `minzoom` that only entries that are not on the map could tell exactly.
  public var loose = 0
  /// How many folders name more entries than the map has.
  public var incomplete = 0
  /// Whether the map says that a filter was given.
  public var isPartial = false

  /// Nothing yet.
  public init() {}
}
