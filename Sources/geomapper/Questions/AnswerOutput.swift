import GeoAtlas
import GeoCore
import GeoFormats
import GeoTree

final class AnswerOutput {
  private let run: Run
  private let file: OutputFile
  private let format: FileFormat
  private var buffer = OutputBuffer(capacity: 1 << 16)
  private var features: NodeFeatures
  private let frame: FeatureWriter
  private var hasFeatures = false
  private var summary = MapSummary()
  private let layers: LayerSet?
  /// Whether the reader has closed the pipe; additions are then ignored.
  private(set) var isClosed = false
  var isTerminal: Bool { file.isTerminal }

  init(_ format: FileFormat, _ world: World, _ run: Run) throws(Failure) {
    self.run = run
    self.format = format
    file = try OutputFile(opening: try run.place)
    layers = world.layers
    var options = WriterOptions()
    options.layers = layers?.schema ?? .none
    frame = FeatureWriter(format: format.ofMap ?? .geojson, options: options)
    features = NodeFeatures(frame, engine: world.engine)
    if format != .text {
      var header = MapHeader(
        layout: world.engine.layout, labels: world.roots.map(\.label), isPartial: true)
      header.layers = options.layers.layers
      frame.writeHeader(header, to: &buffer)
    }
  }

  func add(_ text: String) throws(Failure) {
    let text = Array(text.utf8)
    buffer.append(text.span)
    try flush(above: 1 << 16)
  }

  func add(_ node: MapNode, _ cells: [LayerCell] = []) throws(Failure) {
    let start = buffer.count
    features.write(node, layers?.schema ?? .none, cells, to: &buffer)
    frame.removeSeparator(at: start, unless: &hasFeatures, from: &buffer)
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

  func complete() throws(Failure) {
    if format != .text {
      if let layers { summary.unmatched = try wording { try layers.unmatchedValues() } }
      frame.writeFooter(summary, to: &buffer)
    }
    try flush(above: 0)
    try ignoringClosedPipe { () throws(Failure) in try file.complete() }
  }

  /// Writes the buffer, for a reader that waits for answers.
  func flush() throws(Failure) { try flush(above: 0) }

  private func flush(above limit: Int) throws(Failure) {
    guard buffer.count > limit else { return }
    try ignoringClosedPipe { () throws(Failure) in
      try buffer.withBytes { (bytes) throws(Failure) in try file.write(bytes) }
    }
    buffer.removeAll()
  }

  private func ignoringClosedPipe(_ body: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      if error.group != .closed { throw error }
      isClosed = true
      run.endAsClosed()
    }
  }
}
