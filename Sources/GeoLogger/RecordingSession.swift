import GeoCore
import GeoLive
import GeoSystem
import Synchronization

/// A recording while it is made. It may be used by several threads.
///
/// It is flushed after ten events, or with the first event after thirty seconds, and whole after each flush.
public final class RecordingSession: Sendable {
  private struct State {
    let writer: RecordingWriter
    var maker: EventMaker
    var isPaused = false
    var isFinished = false
  }

  // The writer belongs to the state: whoever holds the lock uses it.
  private let state: Mutex<State>
  private let clock: LoggerClock
  /// The name of its file.
  public let fileName: String

  /// Begins a recording in a folder, which is made if it isn't there.
  ///
  /// - Parameters:
  ///   - directory: The folder of recordings.
  ///   - name: A name that it has inside.
  ///   - clock: Tells how much time passes.
  /// - Throws: ``GeoLoggerError`` if no file can be made.
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

  /// Records a place.
  ///
  /// - Throws: ``GeoLoggerError`` if there is no more room; what was recorded before is in the file.
  public func record(_ location: GeoLocation) throws(GeoLoggerError) {
    try change { (state, now) throws(GeoLoggerError) in
      if state.isPaused { return }
      state.writer.add(state.maker.event(at: location.recorded, time: now), at: now)
    }
  }

  /// Records that something went wrong.
  public func record(error code: Int, domain: String, description: String) throws(GeoLoggerError) {
    let fault = RecordedFault(
      code: Int64(code), domain: Array(domain.utf8), description: Array(description.utf8))
    try change { (state, now) throws(GeoLoggerError) in
      state.writer.add(state.maker.event(.error(fault), at: now), at: now)
    }
  }

  /// Records nothing until it is resumed.
  public func pause() throws(GeoLoggerError) {
    try change { (state, now) throws(GeoLoggerError) in
      if state.isPaused { return }
      state.isPaused = true
      state.writer.add(state.maker.event(.pause, at: now), at: now)
    }
  }

  /// Goes on.
  public func resume() throws(GeoLoggerError) {
    try change { (state, now) throws(GeoLoggerError) in
      if !state.isPaused { return }
      state.isPaused = false
      state.writer.add(state.maker.event(.resume, at: now), at: now)
    }
  }

  /// Writes what waits, and ends the recording; further calls do nothing.
  public func finish() throws(GeoLoggerError) {
    try change(flushes: true) { (state, _) throws(GeoLoggerError) in state.isFinished = true }
  }

  /// How many events are in the file.
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
        // What waits is tried again with the next flush, unless this was the last.
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

/// Plays a recording: hands out its places at their times.
///
/// Deadlines are counted from the beginning of the play, so that nothing adds up.
public struct ReplaySession: Sendable {
  private let file: InputFile
  private let clock: LoggerClock
  private let fileName: String
  /// How many times as fast as it was recorded; above 0.
  public var speedMultiplier: Double
  /// Whether it begins again at its end.
  public var loops: Bool

  /// Opens a recording of a folder.
  ///
  /// - Parameters:
  ///   - fileName: The name of its file, and nothing else.
  ///   - directory: The folder of recordings.
  ///   - speedMultiplier: How many times as fast as it was recorded; above 0.
  ///   - loops: Whether it begins again at its end.
  ///   - clock: Tells the time.
  /// - Throws: ``GeoLoggerError``, at once if the file is missing or no recording.
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
    // What is no recording is told at once.
    do throws(RecordingError) {
      _ = try RecordingReader(RecordingInput(file))
    } catch {
      throw GeoLoggerError(kind: .corrupted, description: "'\(fileName)': \(error)")
    }
  }

  /// Plays until the end, or until the task is cancelled.
  ///
  /// - Parameter body: Takes places: those that are due at one time.
  /// - Throws: ``GeoLoggerError`` where the recording breaks off; what stands before was handed out.
  ///   `CancellationError` if the task was cancelled.
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
