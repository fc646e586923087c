import GeoEmit

/// What stands around the features of a map, and between them.
struct MapFrame {
  /// What a line is.
  enum Part { case header, feature, footer }

  /// The format, known from the first line on.
  private(set) var format: OutputFormat?
  private(set) var features = 0
  private var splitter = LineSplitter()
  private var hasComma = false
  private var isClosed = false

  /// The number of the line found last.
  var number: Int { splitter.count }

  /// The line found last, without what ends it; a feature in a collection without its comma.
  private(set) var line: [UInt8] = []

  private static let start = Array("{\"type\":\"FeatureCollection\"".utf8)
  private static let feature = Array("{\"type\":\"Feature\",".utf8)
  private static let end = Array("],\"summary\":".utf8)

  /// The next line; nil if the chunk is used up.
  mutating func next(
    in chunk: Span<UInt8>, from position: inout Int
  ) throws(MapFault) -> Part? {
    guard splitter.next(in: chunk, from: &position) else {
      if splitter.isTooLong {
        throw MapFault(line: number + 1, reason: "the line is longer than any of a map")
      }
      return nil
    }
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: splitter.line)
    guard let format else { return try first() }
    if isClosed { throw MapFault(line: number, reason: "the map has ended", found: line) }
    guard format == .geojson else { return counted() }
    if line.starts(with: Self.end) {
      if features > 0, hasComma {
        throw MapFault(line: number, reason: "the feature before ends in a comma", found: line)
      }
      isClosed = true
      return .footer
    }
    if features > 0, !hasComma {
      throw MapFault(line: number, reason: "the feature before has no comma", found: line)
    }
    hasComma = line.last == UInt8(ascii: ",")
    if hasComma { line.removeLast() }
    return counted()
  }

  private mutating func first() throws(MapFault) -> Part {
    if line.starts(with: Self.start) {
      format = .geojson
      return .header
    }
    if line.first == 0x1E {
      format = .geojsonseq
    } else if line.starts(with: Self.feature) {
      format = .geojsonl
    } else {
      throw MapFault(
        line: 1, reason: "this is no map in one of the GeoJSON formats", found: line)
    }
    return counted()
  }

  private mutating func counted() -> Part {
    features += 1
    return .feature
  }

  /// Says that all chunks were there.
  func close() throws(MapFault) {
    if splitter.hasRest || (format == .geojson && !isClosed) {
      throw MapFault(
        line: number + (splitter.hasRest ? 1 : 0), reason: "the map is cut short",
        found: splitter.hasRest ? splitter.line : [])
    }
  }
}
