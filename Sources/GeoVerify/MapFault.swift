/// Something in a map that is not as the projection and the format have it: a counterexample.
public struct MapFault: Error, Sendable, Hashable {
  /// The number of the line, from 1; 0 if it is no single one.
  public var line: Int
  /// The node's path, raw; nil if it isn't about one.
  public var path: [UInt8]?
  /// What is wrong, as a sentence without its end.
  public var what: String
  /// What would be right, as it would be written.
  public var expected: [UInt8]?
  /// What was found in its place.
  public var found: [UInt8]?

  /// What is wrong with a path under which a file and a folder stand.
  static let bothFileAndFolder = "the path is that of a file and of a folder"

  init(
    line: Int, path: [UInt8]? = nil, what: String, expected: [UInt8]? = nil, found: [UInt8]? = nil
  ) {
    self.line = line
    self.path = path
    self.what = what
    self.expected = expected
    self.found = found
  }
}

extension MapFault {
  /// Two maps of one tree are not the same.
  package init(differing what: String) { self.init(line: 0, what: what) }
}
