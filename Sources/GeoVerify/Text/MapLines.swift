import GeoFormats

/// Splits a map into lines and classifies them.
///
/// Bytes can arrive in pieces of any size. The separators between lines are checked here, to the
/// byte.
struct MapLines {
  enum Kind: Sendable {
    case header
    case feature
    case footer
  }

  private(set) var format: OutputFormat?
  private(set) var number = 0
  /// The last complete line, without its separators.
  private(set) var line: [UInt8] = []
  /// The line after it as far as it was read.
  private var part: [UInt8] = []
  private var expected = Expected.beginning

  private enum Expected { case beginning, feature, featureOrEnd, footer, nothing }

  /// The longest line: a path can have several hundred thousand bytes, each spelt with six.
  private static let longest = 64 << 20

  private static let collection = Array("{\"type\":\"FeatureCollection\"".utf8)
  private static let footer = Array("],\"summary\":".utf8)

  /// Reads on from a position, which moves to the end of the next ``line``, or of the bytes.
  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int
  ) throws(MapFault) -> Kind? {
    var end = position
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    part.append(copying: bytes.extracting(position..<end))
    position = min(end + 1, bytes.count)
    if end == bytes.count {
      if part.count > Self.longest { throw fault("this line is too long to be a map's") }
      return nil
    }
    swap(&line, &part)
    part.removeAll(keepingCapacity: true)
    let kind = try kindOfLine()
    number += 1
    return kind
  }

  func finish() throws(MapFault) {
    if !part.isEmpty { throw fault("the map is cut off: its last line has no end") }
    switch expected {
    case .nothing: return
    case .featureOrEnd where format != .geojson: return
    case .beginning: throw fault("the file is empty")
    default: throw fault("the map is cut off: more lines were to come")
    }
  }

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
