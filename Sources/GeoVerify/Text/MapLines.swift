import GeoFormats

/// Cuts a map into its lines and says what each of them is.
///
/// Bytes come in pieces of any size. What stands between lines is checked here, to the byte.
struct MapLines {
  /// What a line is.
  enum Kind: Sendable {
    case header
    /// A feature, without what separates it from the others.
    case feature
    case footer
  }

  /// In which format the map is written: the first bytes tell; nil as long as there are none.
  private(set) var format: OutputFormat?
  /// Lines that have ended.
  private(set) var number = 0
  /// The line that is being read; what was read of it so far.
  private var line: [UInt8] = []
  /// What must come next.
  private var expected = Expected.beginning

  private enum Expected { case beginning, feature, featureOrEnd, footer, nothing }

  /// How long a line may be: a path may have some hundred thousand bytes, each spelt with six.
  private static let longest = 64 << 20

  private static let collection = Array("{\"type\":\"FeatureCollection\"".utf8)
  private static let footer = Array("],\"summary\":".utf8)

  /// Takes the next bytes.
  ///
  /// - Parameter body: Gets each line that ends in them.
  mutating func take(
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

  /// Says that there are no more bytes.
  func finish() throws(MapFault) {
    if !line.isEmpty { throw fault("the map is cut off: its last line has no end") }
    switch expected {
    case .nothing: return
    case .featureOrEnd where format != .geojson: return
    case .beginning: throw fault("there is nothing in it")
    default: throw fault("the map is cut off: more lines were to come")
    }
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe line.append(contentsOf: $0) }
  }

  private mutating func end(
    _ body: (Kind, [UInt8]) throws(MapFault) -> Void
  ) throws(MapFault) {
    let kind = try kindOfLine()
    try body(kind, line)
    line.removeAll(keepingCapacity: true)
    number += 1
  }

  /// What the line is; takes its separators off.
  private mutating func kindOfLine() throws(MapFault) -> Kind {
    if expected == .beginning {
      if line.starts(with: Self.collection) {
        format = .geojson
        // A map of nothing has no line that a comma could end.
        expected = .featureOrEnd
        return .header
      }
      format = line.first == 0x1E ? .geojsonseq : .geojsonl
      expected = .featureOrEnd
    }
    if format == .geojsonseq {
      if line.first != 0x1E { throw fault("there is no record separator before the feature") }
      line.removeFirst()
    }
    if format != .geojson { return .feature }
    switch expected {
    case .beginning, .nothing: throw fault("there is something behind the map's end")
    case .footer where line.starts(with: Self.footer),
      .featureOrEnd where line.starts(with: Self.footer):
      expected = .nothing
      return .footer
    case .footer: throw fault("there is no comma between this feature and the one before")
    case .feature where line.starts(with: Self.footer):
      throw fault("there is a comma behind the last feature")
    case .feature, .featureOrEnd:
      expected = line.last == UInt8(ascii: ",") ? .feature : .footer
      if expected == .feature { line.removeLast() }
      return .feature
    }
  }

  /// Something that is wrong with the line at hand.
  func fault(_ what: String) -> MapFault { MapFault(line: number + 1, what: what) }
}
