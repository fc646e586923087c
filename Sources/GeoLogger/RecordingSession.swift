import Foundation
import GeoCore
import GeoLive
import GeoSystem

/// A recording in progress. It is safe to use from several threads.
///
/// Events are written on a thread of the recording's own: after ten events or thirty seconds,
/// whichever comes first. A failed attempt is repeated after growing pauses. The file is a complete
/// recording after each flush.
public final class RecordingSession: Sendable {
  private let worker: SessionWorker
  /// The file name.
  public let fileName: String

  /// Starts a recording in a folder, which is created if missing.
  ///
  /// - Parameters:
  ///   - directory: The folder of recordings.
  ///   - name: The name given in the recording itself.
  ///   - clock: The clock for the times of events.
  /// - Throws: ``GeoLoggerError`` if the file can't be created.
  public convenience init(
    directory: URL, name: String? = nil, clock: some Clock<Duration> = ContinuousClock()
  ) throws(GeoLoggerError) {
    try self.init(directory: directory.pathText, name: name, clock: LoggerClock(clock)) { _ in }
  }

  /// `onFailure` is called on any thread when nothing more can be written.
  init(
    directory: String, name: String?, clock: LoggerClock,
    onFailure: @escaping @Sendable (GeoLoggerError) -> Void
  ) throws(GeoLoggerError) {
    let now = ThisProcess.unixNanoseconds
    let (host, system) = ThisMachine.names
    var metadata = RecordingMetadata(
      recordedAt: now / 1_000_000, device: host, systemVersion: system)
    metadata.name = name.map { Array($0.utf8) }
    do throws(Errno) {
      let path = Array(directory.utf8)
      try FolderHandle.makeFolders(path)
      let (file, name) = try RecordingFolder(at: path).make(seconds: now / 1_000_000_000)
      fileName = String(decoding: name, as: UTF8.self)
      worker = try SessionWorker(
        metadata, to: file, named: fileName, clock: clock, onFailure: onFailure)
    } catch {
      throw GeoLoggerError(kind: .system, description: "can't record in '\(directory)': \(error)")
    }
  }

  init(
    to store: any RecordingStore & Sendable, clock: LoggerClock,
    onFailure: @escaping @Sendable (GeoLoggerError) -> Void
  ) throws(Errno) {
    fileName = ""
    worker = try SessionWorker(
      RecordingMetadata(recordedAt: 0, device: [], systemVersion: []), to: store, named: "",
      clock: clock, onFailure: onFailure)
  }

  deinit { worker.end() }

  /// Records a location, unless the recording is paused. It never waits for the disk.
  ///
  /// A replay delivers the same values; those that are not finite numbers become 0, or −1 for course
  /// and speed.
  ///
  /// - Throws: ``GeoLoggerError`` if the location has no coordinate, or events can't be written any
  ///   more; earlier flushes are in the file.
  public func record(_ location: GeoLocation) throws(GeoLoggerError) {
    guard location.latitude.isFinite, location.longitude.isFinite else {
      throw GeoLoggerError(
        kind: .badConfiguration,
        description: "a location at latitude \(location.latitude), longitude \(location.longitude) "
          + "can't be recorded")
    }
    try worker.add { $0.isPaused ? nil : $0.maker.event(.location(location), at: $1) }
  }

  /// Since a Unix time in milliseconds.
  func record(gapSince time: Int64) throws(GeoLoggerError) {
    try worker.add { $0.isPaused ? nil : $0.maker.event(.gap(since: time), at: $1) }
  }

  /// Records an error.
  public func record(error code: Int, domain: String, description: String) throws(GeoLoggerError) {
    let fault = RecordedFault(
      code: Int64(code), domain: Array(domain.utf8), description: Array(description.utf8))
    try worker.add { $0.maker.event(.error(fault), at: $1) }
  }

  /// Pauses the recording; locations are dropped until ``resume()``.
  public func pause() throws(GeoLoggerError) {
    try worker.add { (state, now) in
      if state.isPaused { return nil }
      state.isPaused = true
      return state.maker.event(.pause, at: now)
    }
  }

  /// Resumes the recording.
  public func resume() throws(GeoLoggerError) {
    try worker.add { (state, now) in
      if !state.isPaused { return nil }
      state.isPaused = false
      return state.maker.event(.resume, at: now)
    }
  }

  /// Ends the recording, and waits until the rest of the events is written; further calls do
  /// nothing more. It waits for the disk: on the main actor use ``finished()``.
  public func finish() throws(GeoLoggerError) {
    worker.end()
    if let failure = worker.wait() { throw failure }
  }

  /// Ends the recording, and returns when the rest of the events is written.
  public func finished() async throws(GeoLoggerError) {
    worker.end()
    let failure = await withCheckedContinuation { continuation in
      worker.whenDone { continuation.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  /// The rest is written in the background.
  func end() { worker.end() }

  /// The number of events in the file.
  public var writtenEventCount: Int { Int(clamping: worker.written) }
}

/// The thread that writes a recording.
private final class SessionWorker: @unchecked Sendable {
  // Sendable: all mutable state is used inside the monitor only; the writer on its thread only.

  struct Making {
    var maker: EventMaker
    var isPaused = false
  }

  private let monitor = Monitor()
  private let clock: LoggerClock
  private let fileName: String
  private let onFailure: @Sendable (GeoLoggerError) -> Void
  private var making: Making
  private var waiting: [(event: RecordedEvent, time: Int64)] = []
  /// Whether the thread has to look at the time.
  private var isDue = false
  private var isEnding = false
  private var isDone = false
  private var failure: GeoLoggerError?
  private var count: Int64 = 0
  private var listeners: [@Sendable (GeoLoggerError?) -> Void] = []
  /// The sleep until the next flush.
  private var timer: (deadline: Int64, task: Task<Void, Never>)?

  /// The most events that wait while writing takes its time.
  private static let maximumWaiting = 100_000

  init(
    _ metadata: RecordingMetadata, to file: any RecordingStore & Sendable, named name: String,
    clock: LoggerClock, onFailure: @escaping @Sendable (GeoLoggerError) -> Void
  ) throws(Errno) {
    let start = clock.nanoseconds
    self.clock = clock
    fileName = name
    self.onFailure = onFailure
    making = Making(maker: EventMaker(start: start, recordedAt: metadata.recordedAt))
    try WorkerThread.start { [self] in
      run(RetryingWriter(metadata, to: file, start: start))
    }
  }

  var written: Int64 { monitor.withLock { count } }

  /// Unless `make` returns none.
  func add(_ make: (inout Making, Int64) -> RecordedEvent?) throws(GeoLoggerError) {
    try monitor.withLock { () throws(GeoLoggerError) in
      if let failure { throw failure }
      if isEnding { return }
      let now = clock.nanoseconds
      guard let event = make(&making, now) else { return }
      if waiting.count >= Self.maximumWaiting {
        let failure = failed("too much waits to be written")
        self.failure = failure
        throw failure
      }
      waiting.append((event, now))
      if waiting.count >= RecordingWriter.maximumWaiting {
        isDue = true
        monitor.wakeAll()
      } else {
        wake(at: now + RecordingWriter.longestWait)
      }
    }
  }

  func end() {
    monitor.withLock {
      isEnding = true
      monitor.wakeAll()
    }
  }

  func wait() -> GeoLoggerError? {
    monitor.withLock {
      while !isDone { monitor.wait() }
      return failure
    }
  }

  /// Now if the end was before.
  func whenDone(_ listener: @escaping @Sendable (GeoLoggerError?) -> Void) {
    let failure: GeoLoggerError?? = monitor.withLock {
      if isDone { return .some(self.failure) }
      listeners.append(listener)
      return nil
    }
    if let failure { listener(failure) }
  }

  /// The thread then looks at the time. Call it inside the monitor.
  private func wake(at deadline: Int64) {
    if let timer, timer.deadline <= deadline { return }
    timer?.task.cancel()
    let task = Task { [weak self, clock] in
      try? await clock.sleep(until: deadline)
      if !Task.isCancelled { self?.wakeThread(deadline) }
    }
    timer = (deadline, task)
  }

  private func wakeThread(_ deadline: Int64) {
    monitor.withLock {
      if timer?.deadline == deadline { timer = nil }
      isDue = true
      monitor.wakeAll()
    }
  }

  private func failed(_ reason: String) -> GeoLoggerError {
    GeoLoggerError(kind: .system, description: "can't write '\(fileName)': \(reason)")
  }

  private func run(_ writer: RetryingWriter) {
    var failure: GeoLoggerError?
    writer.listener = { [self] notice in
      if case .stopped(let reason) = notice { failure = failed(reason) }
    }
    writer.begin(at: clock.nanoseconds)
    var isEnding = false
    while !isEnding {
      let events = monitor.withLock {
        count = writer.written
        if let deadline = writer.deadline { wake(at: deadline) }
        if let failure, self.failure == nil { self.failure = failure }
        while !isDue, !self.isEnding { monitor.wait() }
        isDue = false
        isEnding = self.isEnding
        defer { waiting = [] }
        return waiting
      }
      for (event, time) in events { writer.add(event, at: time) }
      if !isEnding { writer.idle(at: clock.nanoseconds) }
      if let failure, monitor.withLock({ self.failure == nil && !isEnding }) { onFailure(failure) }
    }
    writer.finish { clock.nanoseconds }
    if writer.lost > 0, let stopped = failure {
      failure = GeoLoggerError(
        kind: .system, description: "\(stopped.description); \(writer.lost) events are lost")
    }
    finish(failure, written: writer.written)
  }

  private func finish(_ failure: GeoLoggerError?, written: Int64) {
    let (all, result) = monitor.withLock {
      count = written
      isDone = true
      self.failure = failure ?? self.failure
      timer?.task.cancel()
      monitor.wakeAll()
      defer { listeners = [] }
      return (listeners, self.failure)
    }
    for listener in all { listener(result) }
  }
}
