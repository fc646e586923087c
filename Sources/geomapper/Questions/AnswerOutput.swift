import GeoAtlas
import GeoFormats
import GeoCore
import GeoPipeline
import GeoProjection

/// Where answers go: in text, or in a format of maps.
final class AnswerOutput {
  private let file: OutputFile
  private let format: FileFormat
  private var buffer = OutputBuffer(capacity: 1 << 16)
  private var features: NodeFeatures
  private let frame: FeatureWriter
  private var hasFeatures = false
  private var summary = MapSummary()
  /// Whether the reader has had enough: what is added goes nowhere.
  private(set) var isClosed = false

  init(_ format: FileFormat, _ world: World, _ low: LowArguments) throws(Failure) {
    self.format = format
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    file = try OutputFile(opening: place)
    frame = FeatureWriter(format: format.ofMap ?? .geojson)
    features = NodeFeatures(frame, engine: world.engine)
    if format != .text {
      frame.writeHeader(
        MapHeader(
          layout: world.engine.layout, labels: world.roots.map(\.label), isPartial: true),
        to: &buffer)
    }
  }

  /// Adds text.
  func add(_ text: String) throws(Failure) {
    let text = Array(text.utf8)
    buffer.append(text.span)
    try flush(above: 1 << 16)
  }

  /// Adds the feature of a node.
  func add(_ node: MapNode) throws(Failure) {
    if hasFeatures {
      features.write(node, to: &buffer)
    } else {
      // The separator before the first feature is too much.
      hasFeatures = true
      var first = OutputBuffer(capacity: 4096)
      features.write(node, to: &first)
      first.withBytes { buffer.append($0.extracting(droppingFirst: min(1, frame.separator.count))) }
    }
    switch node.body {
    case .folder(_, _, _, let isUnreadable):
      summary.folders += 1
      if isUnreadable { summary.unreadable += 1 }
    case .file(_, _, let facts):
      summary.files += 1
      if facts.status == .unreadable { summary.unreadable += 1 }
    }
    try flush(above: 1 << 16)
  }

  /// Writes what is left.
  func complete() throws(Failure) {
    if format != .text { frame.writeFooter(summary, to: &buffer) }
    try flush(above: 0)
    try ignoringClosedPipe { () throws(OutputError) in try file.complete() }
  }

  /// Writes what there is, so that a reader who waits for it gets it.
  func flush() throws(Failure) { try flush(above: 0) }

  private func flush(above limit: Int) throws(Failure) {
    guard buffer.count > limit else { return }
    try ignoringClosedPipe { () throws(OutputError) in
      try buffer.withBytes { (bytes) throws(OutputError) in try file.write(bytes) }
    }
    buffer.removeAll()
  }

  private func ignoringClosedPipe(
    _ body: () throws(OutputError) -> Void
  ) throws(Failure) {
    do throws(OutputError) {
      try body()
    } catch {
      if case .failed(let failure) = error { throw failure }
      isClosed = true
    }
  }
}
