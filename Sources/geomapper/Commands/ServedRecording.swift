import GeoChange
import GeoCore
import GeoLive
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb

/// The data of `geomapper serve --replay`: a recording on the map of its folders, or on a map of
/// its events only.
enum ServedRecording {
  /// The largest recording that a browser can play, in bytes.
  private static let most = 256 << 20

  /// - Parameter path: The path of the recording.
  static func configuration(
    _ path: [UInt8], _ run: Run
  ) throws(Failure) -> ServerConfiguration {
    let file = try RecordingFile(path, run.low)
    let metadata = try file.read().metadata
    run.low.layout = run.low.layout ?? metadata.layout.flatMap { Layout(rawValue: $0.text) }
    let low = run.low
    var configuration =
      if low.operands.isEmpty, low.gitRepository == nil, low.list.file == nil {
        try withoutFolders(by: metadata, low.layout ?? .settled)
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

  /// The configuration for a recording without its folders: the page knows only its events.
  private static func withoutFolders(
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
