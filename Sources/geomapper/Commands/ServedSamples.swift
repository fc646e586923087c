import GeoCore
import GeoLive
import GeoSystem
import GeoWeb
import Synchronization

/// The samples of `geomapper serve --sample`: totals of the roots and of the largest folders over
/// time.
final class ServedSamples: Sendable {
  private let book: Mutex<SampleBook>
  /// Nanoseconds between samples.
  private let interval: Int64
  private let ending = OrderlyEnd()

  private static let maximumFolders = 1000

  private init(_ book: consuming SampleBook, every interval: Int64) {
    self.book = Mutex(book)
    self.interval = interval
  }

  /// Starts sampling the served folders, continuing the samples of an earlier run.
  static func add(
    every milliseconds: Int64, to configuration: inout ServerConfiguration, _ low: LowArguments
  ) throws(Failure) {
    try configuration.roots.expectLive {
      "--sample: nothing happens in \($0): only folders are sampled"
    }
    let store = SampleStore(of: configuration, low)
    let samples = ServedSamples(store?.load() ?? SampleBook(), every: milliseconds * 1_000_000)
    var recorded = Recorder.Configuration(roots: configuration.roots)
    recorded.layout = configuration.layout
    recorded.selection = configuration.selection
    recorded.sampling = samples.interval
    recorded.recordsChanges = false
    // The map and the samples share one watcher. If it can't be made, the recorder reports why.
    if let notifier = try? TreeWatcher.Notifier(),
      let shared = try? notifier.sharing()
    {
      (recorded.notifier, configuration.watcher) = shared
    }
    try explaining("can't start a thread to take samples", as: .output) {
      // Sampling starts after a full scan; the map need not wait for it.
      try WorkerThread.start { [recorded] in samples.run(recorded, store) }
    }
    configuration.assets = PageAsset.all(of: .samples)
    configuration.answers.append(
      ServedAnswer(path: "/samples") { folder in
        samples.book.withLock { book in
          folder.map { book.json(of: $0) } ?? book.paths(every: samples.interval / 1_000_000_000)
        }
      })
  }

  private func run(_ configuration: Recorder.Configuration, _ store: SampleStore?) {
    let output = SampleOutput(self, store)
    do {
      let recorder = try Recorder(
        configuration, start: ThisProcess.nanoseconds,
        recordedAt: ThisProcess.unixNanoseconds / 1_000_000, to: output)
      try recorder.begin()
      recorder.sampleLargest(Self.maximumFolders)
      // Drop folders that are no longer sampled, or the book would grow without limit.
      book.withLock { $0.keep(Set(recorder.sampled)) }
      if store != nil { ending.begin(recorder.inbox) }
      let end = recorder.run()
      output.save()
      ending.release()
      if let failure = end.failure { Messages.note("no more samples: \(failure)") }
    } catch {
      Messages.note("no samples are taken: \(error)")
    }
  }

  private final class SampleOutput: RecorderOutput {
    private let samples: ServedSamples
    private let store: SampleStore?
    private var isSaved = true
    /// The time of the next save, on the clock of ``ThisProcess/nanoseconds``.
    private var nextSave: Int64 = 0
    private var hasFailed = false

    /// Minimum nanoseconds between saves.
    private static let minimumPause: Int64 = 60_000_000_000
    /// Nanoseconds between saves for each byte of the file: at most 256 kB are written each second.
    private static let pauseForByte: Int64 = 4000

    init(_ samples: ServedSamples, _ store: SampleStore?) {
      (self.samples, self.store) = (samples, store)
    }

    func add(_ event: RecordedEvent, at time: Int64) {
      guard case .sample(let sample) = event.body else { return }
      isSaved = false
      samples.book.withLock { $0.add(sample, at: event.timestamp / 1000) }
    }

    func idle(at time: Int64) { if time >= nextSave { save() } }

    func save() {
      guard let store, !isSaved else { return }
      isSaved = true
      var count = 0
      do throws(Failure) {
        count = try store.save(samples.book.withLock { $0 })
        hasFailed = false
      } catch {
        if !hasFailed { Messages.note("the samples won't outlive the server: \(error.message)") }
        hasFailed = true
      }
      nextSave = ThisProcess.nanoseconds + max(Self.minimumPause, Int64(count) * Self.pauseForByte)
    }
  }
}

/// Delays the end of the process by a signal until the last samples are saved.
private final class OrderlyEnd: @unchecked Sendable {
  // Sendable: all mutable state is used inside the monitor only.
  private let monitor = Monitor()
  private var isReady = false
  private var isReleased = false

  /// Nanoseconds that a signal waits at most, long enough for a slow disk or a busy machine.
  private static let patience: Int64 = 30_000_000_000

  /// Makes signals wait for ``release()``, which they request through `inbox`.
  func begin(_ inbox: EventInbox) {
    let isStarted: Void? = try? WorkerThread.start { [self] in
      let signals = try? SignalPipe(pauses: false)
      monitor.withLock {
        isReady = true
        monitor.wakeAll()
      }
      guard let signals else { return }
      while let requests = try? signals.next() {
        for case .end(let number) in requests {
          inbox.put(.end(number))
          wait()
          SignalPipe.end(by: number)
        }
      }
    }
    // Without a thread, signals end the process at once.
    if isStarted == nil { return }
    monitor.withLock { while !isReady { monitor.wait() } }
  }

  func release() {
    monitor.withLock {
      isReleased = true
      monitor.wakeAll()
    }
  }

  private func wait() {
    let deadline = ThisProcess.nanoseconds + Self.patience
    monitor.withLock {
      while !isReleased {
        let rest = deadline - ThisProcess.nanoseconds
        if rest <= 0 { break }
        monitor.waitInReserve(nanoseconds: rest)
      }
    }
  }
}
