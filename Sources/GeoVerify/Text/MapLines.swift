import GeoFormats

/// Splits a map into lines and classifies them.
///
/// Bytes can arrive in pieces of any size. The separators between lines are checked here, to the
/// byte.
struct MapLines {
  enum Kind: Sendable {
    case header
    /// Without its separators.
    case feature
    case footer
  }

  /// From the first bytes.
  private(set) var format: OutputFormat?
  private(set) var number = 0
  private var line: [UInt8] = []
  private var expected = Expected.beginning

  private enum Expected { case beginning, feature, featureOrEnd, footer, nothing }

  /// The longest line: a path can have several hundred thousand bytes, each spelt with six.
  private static let longest = 64 << 20

  private static let collection = Array("{\"type\":\"FeatureCollection\"".utf8)
  private static let footer = Array("],\"summary\":".utf8)

  /// Calls `body` for each line that ends in them.
  mutating func read(
    _ bytes: Span<UInt8>, _ body: (Kind, [UInt8]) throws(MapFault) -> Void
  ) throws(MapFault) {
    var start = 0
    for index in 0..<bytes.count where bytes[index] == UInt8(ascii: "\n") {
      append(bytes.extracting(start..<index))
      start = index + 1
      try end(body)
    }
    append(bytes.extracting(start..<bytes.count))
    if line.count > Self.longest { throw fault("this line is too long to be a map's") }
  }

  func finish() throws(MapFault) {
    if !line.isEmpty { throw fault("the map is cut off: its last line has no end") }
    switch expected {
    case .nothing: return
    case .featureOrEnd where format != .geojson: return
    case .beginning: throw fault("the file is empty")
    default: throw fault("the map is cut off: more lines were to come")
    }
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    line.append(copying: bytes)
  }

  private mutating func end(
    _ body: (Kind, [UInt8]) throws(MapFault) -> Void
  ) throws(MapFault) {
    let kind = try kindOfLine()
    try body(kind, line)
    line.removeAll(keepingCapacity: true)
    number += 1
  }

  /// Also removes the separators.
  private mutating func kindOfLine() throws(MapFault) -> Kind {
    if expected == .beginning {
      if line.starts(with: Self.collection) {
        format = .geojson
        // In an empty map the footer follows the header.
        expected = .featureOrEnd
        return .header
      }
      format = line.first == 0x1E ? .geojsonseq : .geojsonl
      expected = .featureOrEnd
    }
    if format == .geojsonseq {
      if line.first != 0x1E { throw fault("no record separator before the feature") }
      line.removeFirst()
    }
    if format != .geojson { return .feature }
    switch expected {
    case .beginning, .nothing: throw fault("text after the end of the map")
    case .footer where line.starts(with: Self.footer),
      .featureOrEnd where line.starts(with: Self.footer):
      expected = .nothing
      return .footer
    case .footer: throw fault("no comma between this feature and the one before")
    case .feature where line.starts(with: Self.footer):
      throw fault("there is a comma after the last feature")
    case .feature, .featureOrEnd:
      expected = line.last == UInt8(ascii: ",") ? .feature : .footer
      if expected == .feature { line.removeLast() }
      return .feature
    }
  }

  func fault(_ what: String) -> MapFault { MapFault(line: number + 1, what: what) }
}
