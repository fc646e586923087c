import GeoCore
import GeoLive
import GeoSystem
import Synchronization

/// A recording in progress. It is safe to use from several threads.
///
/// It is flushed after ten events, or with the first event after thirty seconds. The file is a
/// complete recording after each flush.
public final class RecordingSession: Sendable {
  private struct State {
    let writer: RecordingWriter
    var maker: EventMaker
    var isPaused = false
    var isFinished = false
  }

  // The writer is part of the state, so only the holder of the lock uses it.
  private let state: Mutex<State>
  private let clock: LoggerClock
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
    directory: String, name: String? = nil, clock: some Clock<Duration> = ContinuousClock()
  ) throws(GeoLoggerError) {
    try self.init(directory: directory, name: name, clock: LoggerClock(clock))
  }

  init(directory: String, name: String?, clock: LoggerClock) throws(GeoLoggerError) {
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
      let writer = RecordingWriter(metadata, to: file)
      _ = writer.flush(duration: 0)
      self.clock = clock
      state = Mutex(
        State(
          writer: writer,
          maker: EventMaker(start: clock.nanoseconds, recordedAt: metadata.recordedAt)))
    } catch {
      throw GeoLoggerError(kind: .system, description: "can't record in '\(directory)': \(error)")
    }
  }

  /// Records a location, unless the recording is paused.
  ///
  /// - Throws: ``GeoLoggerError`` if events can't be written any more; earlier flushes are in the
  ///   file.
  public func record(_ location: GeoLocation) throws(GeoLoggerError) {
    try change { (state, now) throws(GeoLoggerError) in
      if state.isPaused { return }
      state.writer.add(state.maker.event(at: location.recorded, time: now), at: now)
    }
  }

  /// Records an error.
  public func record(error code: Int, domain: String, description: String) throws(GeoLoggerError) {
    let fault = RecordedFault(
      code: Int64(code), domain: Array(domain.utf8), description: Array(description.utf8))
    try change { (state, now) throws(GeoLoggerError) in
      state.writer.add(state.maker.event(.error(fault), at: now), at: now)
    }
  }

  /// Pauses the recording; locations are dropped until ``resume()``.
  public func pause() throws(GeoLoggerError) {
    try change { (state, now) throws(GeoLoggerError) in
      if state.isPaused { return }
      state.isPaused = true
      state.writer.add(state.maker.event(.pause, at: now), at: now)
    }
  }

  /// Resumes the recording.
  public func resume() throws(GeoLoggerError) {
    try change { (state, now) throws(GeoLoggerError) in
      if !state.isPaused { return }
      state.isPaused = false
      state.writer.add(state.maker.event(.resume, at: now), at: now)
    }
  }

  /// Writes the rest of the events, and ends the recording; further calls do nothing.
  public func finish() throws(GeoLoggerError) {
    try change(flushes: true) { (state, _) throws(GeoLoggerError) in state.isFinished = true }
  }

  /// The number of events in the file.
  public var writtenEventCount: Int { state.withLock { Int(clamping: $0.writer.written) } }

  private func change(
    flushes: Bool = false, _ body: @Sendable (inout State, Int64) throws(GeoLoggerError) -> Void
  ) throws(GeoLoggerError) {
    try state.withLock { (state) throws(GeoLoggerError) in
      if state.isFinished { return }
      let now = clock.nanoseconds
      try body(&state, now)
      if !flushes, !state.writer.isDue(at: now) { return }
      switch state.writer.flush(duration: Double(now) / 1e9) {
      case .done: return
      case .failed(let reason):
        // Unwritten events are tried again with the next flush, unless this was the last.
        if !flushes, !state.writer.isOverfull { return }
        throw GeoLoggerError(kind: .system, description: "can't write '\(fileName)': \(reason)")
      case .full(let reason, let lost):
        state.isFinished = true
        throw GeoLoggerError(
          kind: .system,
          description: "can't write '\(fileName)': \(reason); \(lost) events are lost")
      }
    }
  }
}

/// Replays a recording: delivers its locations with its timing.
///
/// Deadlines count from the start of the replay, so delays don't accumulate.
public struct ReplaySession: Sendable {
  private let file: InputFile
  private let clock: LoggerClock
  private let fileName: String
  /// The speed relative to the recording; above 0.
  public var speedMultiplier: Double
  /// Whether the replay starts again at its end.
  public var loops: Bool

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - fileName: The name of its file, not a path.
  ///   - directory: The folder of recordings.
  ///   - speedMultiplier: The speed relative to the recording; above 0.
  ///   - loops: Whether the replay starts again at its end.
  ///   - clock: The clock for the timing.
  /// - Throws: ``GeoLoggerError`` if the speed is invalid, or the file is missing or not a
  ///   recording.
  public init(
    fileName: String, directory: String, speedMultiplier: Double = 1, loops: Bool = false,
    clock: some Clock<Duration> = ContinuousClock()
  ) throws(GeoLoggerError) {
    try self.init(
      fileName: fileName, directory: directory, speedMultiplier: speedMultiplier, loops: loops,
      clock: LoggerClock(clock))
  }

  init(
    fileName: String, directory: String, speedMultiplier: Double, loops: Bool, clock: LoggerClock
  ) throws(GeoLoggerError) {
    if !(speedMultiplier > 0 && speedMultiplier.isFinite) {
      throw GeoLoggerError(
        kind: .badConfiguration, description: "a speed of \(speedMultiplier) can't be played")
    }
    let folder = try RecordingManager.open(directory)
    do throws(RecordingFolder.Failure) {
      file = try folder.open(Array(fileName.utf8))
    } catch {
      throw GeoLoggerError(error, fileName)
    }
    self.fileName = fileName
    self.speedMultiplier = speedMultiplier
    self.loops = loops
    self.clock = clock
    // Check now that the file is a recording.
    do throws(RecordingError) {
      _ = try RecordingReader(RecordingInput(file))
    } catch {
      throw GeoLoggerError(kind: .corrupted, description: "'\(fileName)': \(error)")
    }
  }

  /// Replays until the end, or until the task is cancelled.
  ///
  /// - Parameter body: Called with the locations that are due.
  /// - Throws: ``GeoLoggerError`` where the recording breaks off, after all locations before the
  ///   break; `CancellationError` if the task was cancelled.
  public func play(_ body: @Sendable ([GeoLocation]) async -> Void) async throws {
    let file = file
    var cursor = ReplayCursor(
      start: clock.nanoseconds, speed: speedMultiplier, from: 0, loops: loops
    ) { () throws(RecordingError) in try RecordingReader(RecordingInput(file)) }
    while true {
      let step: ReplayCursor.Step?
      do throws(RecordingError) {
        step = try cursor.next()
      } catch {
        throw GeoLoggerError(kind: .corrupted, description: "'\(fileName)': \(error)")
      }
      guard let step else { return }
      try Task.checkCancellation()
      if clock.nanoseconds < step.deadline { try await clock.sleep(until: step.deadline) }
      if let location = step.event.location { await body([GeoLocation(location)]) }
    }
  }
}
