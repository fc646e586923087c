import GeoChange
import GeoCore
import GeoLive
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb

/// What `geomapper serve --replay` shows: a recording on the map of its folders, or of what it tells.
enum ServedRecording {
  /// The largest recording that a page plays, in bytes: browsers bear no more.
  private static let most = 256 << 20

  /// - Parameter path: Where the recording is.
  static func configuration(
    _ path: [UInt8], _ run: Run
  ) throws(Failure) -> ServerConfiguration {
    let file = try RecordingFile(path, run.low)
    let metadata = try file.read().metadata
    run.low.layout = run.low.layout ?? metadata.layout.flatMap { Layout(rawValue: $0.text) }
    let low = run.low
    var configuration =
      if low.operands.isEmpty, low.gitRepository == nil, low.list.file == nil {
        try told(by: metadata, low.layout ?? .settled)
      } else {
        try ServeCommand.configuration(run)
      }
    let head = low.record.speed.map { "<meta name=\"speed\" content=\"\($0)\">\n" } ?? ""
    configuration.assets = PageAsset.all(of: .replay, head: head)
    configuration.assets.append(
      PageAsset(
        path: "/recording", type: "application/json", bytes: try file.bytes(limit: most)))
    return configuration
  }

  /// The roots of a recording, of which the page knows no more than what happened in them.
  private static func told(
    by metadata: RecordingMetadata, _ layout: Layout
  ) throws(Failure) -> ServerConfiguration {
    let labels =
      metadata.roots.isEmpty
      ? [Array("recording".utf8)] : metadata.roots
    let world = try wording { try HistoryWorld.empty(labels: labels, layout) }
    var configuration = ServerConfiguration(roots: HistorySource(world).roots)
    configuration.layout = layout
    return configuration
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
