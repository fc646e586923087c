import Foundation
import GeoCore
import GeoLive
import GeoSystem

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
    fileName: String, directory: URL, speedMultiplier: Double = 1, loops: Bool = false,
    clock: some Clock<Duration> = ContinuousClock()
  ) throws(GeoLoggerError) {
    try self.init(
      fileName: fileName, directory: directory.pathText, speedMultiplier: speedMultiplier,
      loops: loops, clock: LoggerClock(clock))
  }

  init(
    fileName: String, directory: String, speedMultiplier: Double, loops: Bool, clock: LoggerClock
  ) throws(GeoLoggerError) {
    try Self.check(speed: speedMultiplier)
    let folder = try RecordingManager.open(directory)
    do throws(Failure) {
      file = try folder.open(Array(fileName.utf8))
      // Check now that the file is a recording.
      _ = try RecordingReader(RecordingInput(file))
    } catch {
      throw GeoLoggerError(error, fileName)
    }
    self.fileName = fileName
    self.speedMultiplier = speedMultiplier
    self.loops = loops
    self.clock = clock
  }

  static func check(speed: Double) throws(GeoLoggerError) {
    if speed > 0, speed.isFinite { return }
    throw GeoLoggerError(
      kind: .badConfiguration, description: "a speed of \(speed) can't be played")
  }

  /// Replays until the end, or until the task is cancelled.
  ///
  /// - Parameters:
  ///   - onError: Called with a recorded error when it is due.
  ///   - body: Called with the locations that are due.
  /// - Throws: ``GeoLoggerError`` where the recording breaks off, after all locations before the
  ///   break; `CancellationError` if the task was cancelled.
  public func play(
    onError: @Sendable (RecordedError) async -> Void = { _ in },
    _ body: @Sendable ([GeoLocation]) async -> Void
  ) async throws {
    let file = file
    var cursor = ReplayCursor(
      start: clock.nanoseconds, speed: speedMultiplier, from: 0, loops: loops
    ) { () throws(Failure) in try RecordingReader(RecordingInput(file)) }
    while true {
      let step: ReplayCursor.Step?
      do throws(Failure) {
        step = try cursor.next()
      } catch {
        throw GeoLoggerError(error, fileName)
      }
      guard let step else { return }
      try Task.checkCancellation()
      if clock.nanoseconds < step.deadline { try await clock.sleep(until: step.deadline) }
      switch step.event.body {
      case .location(let location): await body([location])
      case .error(let fault): await onError(RecordedError(fault))
      default: break
      }
    }
  }
}
