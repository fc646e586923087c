import GeoPath

/// Paths of the map as arguments: `LABEL/…`, or `map:LABEL/…` where it must be no other.
enum MapPath {
  private static let slash = UInt8(ascii: "/")
  private static let prefix = Array("map:".utf8)

  /// The path behind `map:`; nil if the argument doesn't begin with it.
  ///
  /// - Throws: That there is no such label.
  static func explicit(
    _ argument: [UInt8], labels: [[UInt8]]
  ) throws(Failure) -> [UInt8]? {
    guard argument.starts(with: prefix) else { return nil }
    let path = Array(argument.dropFirst(prefix.count))
    if let path = labelled(path, labels: labels) { return path }
    let known = labels.map { "'\(TerminalText.escaped($0))'" }.joined(separator: ", ")
    throw .usage(
      "'\(TerminalText.escaped(path))' is not on the map, whose paths begin with \(known)")
  }

  /// The argument as a path of the map; nil if its first name is no label.
  static func labelled(_ argument: [UInt8], labels: [[UInt8]]) -> [UInt8]? {
    let label = argument.prefix { $0 != slash }
    guard labels.contains(where: { $0.elementsEqual(label) }) else { return nil }
    return Array(argument.prefix((argument.lastIndex { $0 != slash } ?? -1) + 1))
  }
}
