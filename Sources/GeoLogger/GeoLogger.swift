// The library that records places over time and plays them back.
// In: a source of locations, such as a folder or a device. Out: recordings, and the same events when replayed.
// Start with `GeoLogger`, then `RecordingManager`.

/// Is told what a logger hands out, on the main actor.
@MainActor
public protocol GeoLoggerDelegate: AnyObject {
  /// Places have come, in the order of time.
  func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [GeoLocation])

  /// Something failed, and the logger has stopped.
  func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error)
}

/// Hands on the places of a source, records them, or plays a recording in their stead.
///
/// ```swift
/// let logger = GeoLogger(
///   configuration: GeoLoggerConfiguration(mode: .record, directory: "recordings"),
///   source: FileSystemSource([("home", "/home")]))
/// logger.delegate = self
/// logger.start()
/// ```
///
/// To start twice is to start once. In ``GeoLoggerMode/passthrough`` nothing is kept and nothing opened.
@MainActor
public final class GeoLogger {
  /// Who is told.
  public weak var delegate: (any GeoLoggerDelegate)?
  /// How it works, from the next start on.
  public var configuration: GeoLoggerConfiguration
  /// Whether it has been started, and has not come to its end.
  public var isRunning: Bool { task != nil }
  /// The name of the file that is recorded, or was last.
  public private(set) var recordingFileName: String?

  private let source: (any GeoLocationSource)?
  private let makeClock: @Sendable () -> LoggerClock
  private var task: Task<Void, Never>?
  /// Counts starts, so that what an earlier one still has to say is not heard.
  private var round = 0
  private var session: RecordingSession?
  private var listeners: [Int: AsyncThrowingStream<[GeoLocation], any Error>.Continuation] = [:]
  private var nextListener = 0

  /// How many batches a listener may be behind; then it misses the oldest.
  private static let mostBehind = 65_536

  /// A logger that has not been started.
  ///
  /// - Parameters:
  ///   - source: Where places come from; only ``GeoLoggerMode/replay`` needs none.
  ///   - clock: Tells the time.
  public init(
    configuration: GeoLoggerConfiguration, source: (any GeoLocationSource)? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    self.source = source
    makeClock = { LoggerClock(clock) }
  }

  /// All places from now on, beside the delegate, until the logger stops.
  ///
  /// It throws what makes the logger fail.
  public var locations: AsyncThrowingStream<[GeoLocation], any Error> {
    let number = nextListener
    nextListener += 1
    return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.mostBehind)) { continuation in
      listeners[number] = continuation
      continuation.onTermination = { [weak self] _ in
        Task { @MainActor [weak self] in self?.listeners[number] = nil }
      }
    }
  }

  /// Begins; does nothing if it has begun already.
  public func start() {
    if task != nil { return }
    round += 1
    let (round, configuration) = (round, configuration)
    do throws(GeoLoggerError) {
      switch configuration.mode {
      case .replay: task = try replay(configuration, round)
      case .passthrough: task = try deliver(round, excluding: nil)
      case .record:
        if source == nil { throw Self.noSource }
        let session = try RecordingSession(
          directory: configuration.directory, name: nil, clock: makeClock())
        self.session = session
        recordingFileName = session.fileName
        task = try deliver(round, excluding: configuration.directory)
      }
    } catch {
      fail(error, round)
    }
  }

  private static var noSource: GeoLoggerError {
    GeoLoggerError(kind: .badConfiguration, description: "there is no source of places")
  }

  /// Ends; what was recorded is written.
  public func stop() {
    if task == nil { return }
    finish(round, nil)
  }

  private func replay(
    _ configuration: GeoLoggerConfiguration, _ round: Int
  ) throws(GeoLoggerError) -> Task<Void, Never> {
    guard let name = configuration.replayFileName else {
      throw GeoLoggerError(
        kind: .badConfiguration, description: "there is no name of a recording to play")
    }
    let session = try ReplaySession(
      fileName: name, directory: configuration.directory,
      speedMultiplier: configuration.replaySpeedMultiplier, loops: configuration.loopReplay,
      clock: makeClock())
    return Task { [weak self] in
      do {
        try await session.play { [weak self] locations in await self?.take(locations, round) }
        self?.finish(round, nil)
      } catch {
        self?.fail(error, round)
      }
    }
  }

  private func deliver(
    _ round: Int, excluding directory: String?
  ) throws(GeoLoggerError) -> Task<Void, Never> {
    guard let source else { throw Self.noSource }
    // One after the other: what is yielded in an order is told in it.
    let (batches, continuation) = AsyncStream<[GeoLocation]>.makeStream()
    return Task { [weak self] in
      let telling = Task { [weak self] in
        for await batch in batches { self?.take(batch, round) }
      }
      do {
        try await source.deliver(excluding: directory) { continuation.yield($0) }
        continuation.finish()
        await telling.value
        self?.finish(round, nil)
      } catch {
        continuation.finish()
        await telling.value
        self?.fail(error, round)
      }
    }
  }

  private func take(_ locations: [GeoLocation], _ round: Int) {
    if round != self.round || task == nil { return }
    if let session {
      do throws(GeoLoggerError) {
        for location in locations { try session.record(location) }
      } catch {
        return fail(error, round)
      }
    }
    delegate?.geoLogger(self, didUpdateLocations: locations)
    for listener in listeners.values { listener.yield(locations) }
  }

  private func fail(_ error: any Error, _ round: Int) {
    // Whoever stopped it knows.
    finish(round, error is CancellationError ? nil : error)
  }

  private func finish(_ round: Int, _ error: (any Error)?) {
    if round != self.round { return }
    task?.cancel()
    task = nil
    var error = error
    if let session {
      self.session = nil
      do throws(GeoLoggerError) {
        try session.finish()
      } catch let failure {
        error = error ?? failure
      }
    }
    let all = listeners
    listeners = [:]
    self.round += 1
    for listener in all.values { listener.finish(throwing: error) }
    if let error { delegate?.geoLogger(self, didFailWithError: error) }
  }
}

/// What a logger does with places.
public enum GeoLoggerMode: String, Hashable, Sendable, CaseIterable {
  /// Hands them on, and records them.
  case record
  /// Hands out those of a recording, at their times; the source is not asked.
  case replay
  /// Hands them on, and does nothing else.
  case passthrough
}

/// How a logger works. It is read when the logger starts; what is changed underway counts from the next
/// start on.
public struct GeoLoggerConfiguration: Hashable, Sendable {
  /// What it does with places.
  public var mode: GeoLoggerMode
  /// The folder of recordings. It is made if it isn't there.
  public var directory: String
  /// How many times as fast as it was recorded a recording is played; above 0.
  public var replaySpeedMultiplier: Double
  /// The name of the recording that is played.
  public var replayFileName: String?
  /// Whether a recording begins again at its end.
  public var loopReplay: Bool

  /// A configuration of the given values.
  public init(
    mode: GeoLoggerMode = .passthrough, directory: String = "recordings",
    replaySpeedMultiplier: Double = 1, replayFileName: String? = nil, loopReplay: Bool = false
  ) {
    self.mode = mode
    self.directory = directory
    self.replaySpeedMultiplier = replaySpeedMultiplier
    self.replayFileName = replayFileName
    self.loopReplay = loopReplay
  }
}

/// Why a logger has stopped, or something can't be done with a recording.
public struct GeoLoggerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Kind: Hashable, Sendable {
    /// There is no such recording, or the name is none of one.
    case noRecording
    /// A recording is not what it has to be; what stands before was handed out.
    case corrupted
    /// The configuration can't be used.
    case badConfiguration
    /// The system refused something.
    case system
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// What was wrong, in words; of a corrupted recording with the place where it broke and how many
  /// events before it can be used.
  public let description: String
}

/// A clock, with its beginning: times are nanoseconds since then.
struct LoggerClock: Sendable {
  private let time: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  init<Base: Clock>(_ clock: Base) where Base.Duration == Duration {
    let start = clock.now
    time = { start.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: .zero) }
  }

  var nanoseconds: Int64 {
    let parts = time().components
    let (whole, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole + parts.attoseconds / 1_000_000_000
  }

  func sleep(until time: Int64) async throws { try await sleepUntil(.nanoseconds(time)) }
}
