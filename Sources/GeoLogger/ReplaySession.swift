import GeoCore
import GeoLive
import GeoSystem

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
