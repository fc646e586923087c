import GeoCore
import GeoLive
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree
import GeoWeb
import Synchronization

/// What `geomapper serve --sample` keeps beside the map: samples of the roots and of the largest folders, by
/// sums that are kept as things happen.
final class ServedSamples: Sendable {
  private let book: Mutex<SampleBook>
  /// How often samples are taken, in nanoseconds.
  private let interval: Int64
  private let ending = OrderlyEnd()

  /// Of how many folders samples are taken, besides the roots.
  private static let mostFolders = 1000

  private init(_ book: consuming SampleBook, every interval: Int64) {
    self.book = Mutex(book)
    self.interval = interval
  }

  /// Has samples taken of what is served; they continue those of an earlier run.
  ///
  /// - Parameter milliseconds: How often.
  static func add(
    every milliseconds: Int64, to configuration: inout ServerConfiguration, _ low: LowArguments
  ) throws(Failure) {
    if let still = configuration.roots.first(where: { !$0.source.isLive }) {
      throw .usage(
        "--sample: nothing happens in '\(TerminalText.escaped(still.directory))': only folders are "
          + "sampled")
    }
    let store = SampleStore(of: configuration, low)
    let samples = ServedSamples(store?.load() ?? SampleBook(), every: milliseconds * 1_000_000)
    var recorded = Recorder.Configuration(roots: configuration.roots)
    recorded.layout = configuration.layout
    recorded.selection = configuration.selection
    recorded.sampling = samples.interval
    recorded.recordsChanges = false
    // One watcher serves the map and the samples. The recorder reports why there is none.
    if let notifier = try? TreeWatcher.Notifier(of: configuration.roots),
      let shared = try? notifier.shared()
    {
      (recorded.notifier, configuration.watcher) = shared
    }
    do throws(Errno) {
      // The map needn't wait until all was read.
      try WorkerThread.start { [recorded] in samples.run(recorded, store) }
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

  private func run(_ configuration: Recorder.Configuration, _ store: SampleStore?) {
    let output = SampleOutput(self, store)
    do throws(RecorderError) {
      let recorder = try Recorder(
        configuration, start: ThisProcess.nanoseconds,
        recordedAt: ThisProcess.unixNanoseconds / 1_000_000, to: output)
      try recorder.begin()
      recorder.sampleLargest(Self.mostFolders)
      // What is not sampled any more would be kept for ever, however many folders that were.
      book.withLock { $0.keep(Set(recorder.sampled)) }
      if store != nil { ending.begin(recorder.inbox) }
      let end = recorder.run()
      output.save()
      ending.release()
      if case .failed(let reason) = end {
        Messages.note("no more samples: the system reports no more changes: \(reason)")
      }
    } catch {
      Messages.note("no samples are taken: \(Failure(error).message)")
    }
  }

  /// Takes the samples out of the events, and saves them from time to time.
  private final class SampleOutput: RecorderOutput {
    private let samples: ServedSamples
    private let store: SampleStore?
    private var isSaved = true
    /// On the clock of ``ThisProcess/nanoseconds``.
    private var nextSave: Int64 = 0
    private var hasFailed = false

    /// Nanoseconds from one save to the next, at least.
    private static let rest: Int64 = 60_000_000_000
    /// Nanoseconds for each byte, so that a large file is not written all the time: 256 kB a second.
    private static let restOfByte: Int64 = 4000

    init(_ samples: ServedSamples, _ store: SampleStore?) {
      (self.samples, self.store) = (samples, store)
    }

    func add(_ event: RecordedEvent, at time: Int64) {
      guard case .sample(let sample) = event.body else { return }
      isSaved = false
      samples.book.withLock { $0.add(sample, at: event.timestamp / 1000) }
    }

    func rest(at time: Int64) { if time >= nextSave { save() } }

    /// Saves the samples, if there are new ones.
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
      nextSave = ThisProcess.nanoseconds + max(Self.rest, Int64(count) * Self.restOfByte)
    }
  }
}

/// Lets the last samples be saved before a signal ends the process.
private final class OrderlyEnd: @unchecked Sendable {
  // Sendable: what changes is touched inside the monitor only.
  private let monitor = Monitor()
  private var isReady = false
  private var isReleased = false

  /// How long a signal waits, in nanoseconds: for a slow disk, or a machine that has much else to do.
  private static let patience: Int64 = 30_000_000_000

  /// Has signals wait for ``release()``, and asks through an inbox for it.
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
    // Without a thread signals end the process at once.
    if isStarted == nil { return }
    monitor.withLock { while !isReady { monitor.wait() } }
  }

  /// Signals need not wait any more.
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

/// The file with the samples of a server, beside the recordings.
struct SampleStore: Sendable {
  private let folder: [UInt8]
  private let name: [UInt8]
  /// What the samples are of.
  private let key: [UInt8]

  private var shown: String { TerminalText.escaped(folder.appending(component: name)) }

  /// The file of what is served; nil, and a message, if there is no place for it.
  init?(of configuration: ServerConfiguration, _ low: LowArguments) {
    do throws(Failure) {
      folder = try RecordingPlace.directory(low)
    } catch {
      Messages.note(
        "the samples won't outlive the server: neither XDG_DATA_HOME nor HOME is set")
      return nil
    }
    // No label and no path holds a zero.
    let roots = configuration.roots.map { root in
      root.label + [0] + ((try? ThisProcess.realPath(root.directory)) ?? root.directory) + [0]
    }
    let key =
      Array("\(configuration.layout) ".utf8)
      + roots.sorted { $0.lexicographicallyPrecedes($1) }.joined()
      + configuration.selection.signature
    let hash = String(XXH64.hash(key.span, seed: 0), radix: 16)
    self.key = key
    name =
      Self.stem + Array((String(repeating: "0", count: 16 - hash.count) + hash).utf8) + Self.ending
  }

  /// What the names of files with samples have before and after 16 digits.
  private static let stem = Array("samples_".utf8)
  private static let ending = Array(".geosamples".utf8)

  /// Removes files that were last written before the time that samples are kept for.
  private func removeOld(now: Int64) throws(Errno) {
    let folder = try FolderHandle(at: folder)
    let names = try folder.fileNames()
    for index in 0..<names.count {
      let other = names.name(at: index)
      guard other.count == name.count, other.starts(with: Self.stem),
        other.suffix(Self.ending.count).elementsEqual(Self.ending), other != name,
        let facts = try? folder.facts(of: other, following: false), facts.kind == .regular,
        facts.modified < now - SampleSeries.span
      else { continue }
      try folder.remove(other)
    }
  }

  /// The samples of an earlier run; nil, and a message unless there was none, if they can't be used.
  func load() -> SampleBook? {
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    // Those of other folders are in nobody's way.
    try? removeOld(now: now)
    do throws(Errno) {
      let bytes = try read()
      do throws(SampleFile.Failure) {
        return try SampleFile.book(
          bytes, key: key, now: now)
      } catch {
        noteNewBeginning("\(error)")
      }
    } catch {
      if error != .noEntry { noteNewBeginning("\(error)") }
    }
    return nil
  }

  private func noteNewBeginning(_ reason: String) {
    Messages.note("can't use the samples in '\(shown)': \(reason); starting without them")
  }

  private func read() throws(Errno) -> [UInt8] {
    let file = try FolderHandle(at: folder).openRegular(name)
    var bytes: [UInt8] = []
    while try file.read(upTo: 1 << 20, appendingTo: &bytes) > 0 {
      if bytes.count > SampleFile.mostBytes { throw .fileTooLarge }
    }
    return bytes
  }

  /// Replaces the file, readable by its owner only.
  ///
  /// - Returns: How many bytes it has.
  func save(_ book: SampleBook) throws(Failure) -> Int {
    let bytes = SampleFile.bytes(of: book, key: key)
    let place: OutputPlace
    do throws(Errno) {
      try FolderHandle.makeFolders(folder)
      let target = OutputPlace.Target(
        folder: try FolderHandle(at: folder), name: name, shown: shown)
      place = .replacing(
        target, permissions: 0o600, temporary: try OutputPlace.temporary(for: target))
    } catch {
      throw .output("can't write '\(shown)': \(error)")
    }
    try OutputFile.write(bytes, to: place)
    return bytes.count
  }
}
