import GeoChange
import GeoCore
import GeoLive
import GeoPage
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb
import Synchronization

/// What `geomapper serve --replay` shows: a recording on the map of its folders, or of what it tells.
enum ServedRecording {
  /// The largest recording that a page plays, in bytes: browsers bear no more.
  private static let most = 256 << 20

  /// - Parameter path: Where the recording is.
  static func configuration(
    _ path: [UInt8], _ low: LowArguments
  ) throws(Failure) -> ServerConfiguration {
    let file = try RecordingFile(path, low)
    let metadata = try file.read().metadata
    var low = low
    low.layout = low.layout ?? metadata.layout.flatMap { Layout(rawValue: $0.text) }
    var configuration =
      if low.operands.isEmpty, low.gitRepository == nil, low.list.file == nil {
        try told(by: metadata, low.layout ?? .settled)
      } else {
        try ServeCommand.configuration(low)
      }
    configuration.assets = PageAsset.all(of: .replay)
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
    do throws(MapError) {
      let source = HistorySource(try HistoryWorld.empty(labels: labels, layout))
      var configuration = ServerConfiguration(roots: source.roots)
      configuration.layout = layout
      return configuration
    } catch {
      throw Failure(error)
    }
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

/// What `geomapper serve --sample` keeps beside the map: samples of the roots and of the largest folders, by
/// sums that are kept as things happen.
final class ServedSamples: Sendable {
  private let book = Mutex(SampleBook())
  /// How often samples are taken, in nanoseconds.
  private let interval: Int64

  /// Of how many folders samples are taken, besides the roots.
  private static let mostFolders = 1000

  private init(every interval: Int64) { self.interval = interval }

  /// Has samples taken of what is served.
  ///
  /// - Parameter milliseconds: How often.
  static func add(
    every milliseconds: Int64, to configuration: inout ServerConfiguration
  ) throws(Failure) {
    if let still = configuration.roots.first(where: { !($0.source is DiskSource) }) {
      throw .usage(
        "--sample: nothing happens in '\(TerminalText.escaped(still.directory))': only folders are "
          + "sampled")
    }
    let samples = ServedSamples(every: try RecordArguments.checked(sampling: milliseconds))
    var recorded = Recorder.Configuration(roots: configuration.roots)
    recorded.layout = configuration.layout
    recorded.selection = configuration.selection
    recorded.sampling = samples.interval
    recorded.recordsChanges = false
    do throws(Errno) {
      // The map needn't wait until all was read.
      try WorkerThread.start { [recorded] in samples.run(recorded) }
    } catch {
      throw .output("can't start a thread to take samples: \(error)")
    }
    configuration.assets = PageAsset.all(of: .samples)
    configuration.answers.append(
      ServedAnswer(path: "/samples") { folder in
        samples.book.withLock { book in
          folder.map { book.json(of: $0) } ?? book.paths(every: samples.interval / 1_000_000_000)
        }
      })
  }

  private func run(_ configuration: Recorder.Configuration) {
    let output = Taking(self)
    do throws(RecorderError) {
      let recorder = try Recorder(
        configuration, start: ThisProcess.nanoseconds,
        recordedAt: ThisProcess.unixNanoseconds / 1_000_000, to: output)
      try recorder.begin()
      recorder.sampleLargest(Self.mostFolders)
      if case .failed(let reason) = recorder.run() {
        Messages.note("no more samples: the system tells no more: \(reason)")
      }
    } catch {
      Messages.note("no samples are taken: \(Failure(error).message)")
    }
  }

  /// Takes the samples out of the events.
  private final class Taking: RecorderOutput {
    private let samples: ServedSamples

    init(_ samples: ServedSamples) { self.samples = samples }

    func add(_ event: RecordedEvent, at time: Int64) {
      guard case .sample(let sample) = event.body else { return }
      samples.book.withLock { $0.add(sample, at: event.timestamp / 1000) }
    }

    func rest(at time: Int64) {}
  }
}
