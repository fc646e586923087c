// The library that records places over time and plays them back.
// In: a source of locations, such as a folder or a device. Out: recordings, and the same events when replayed.
// Start with `GeoLogger`, then `RecordingManager`.

import Foundation
import GeoCore
import GeoLive
import GeoSystem

/// Receives the locations and errors of a logger, on the main actor.
@MainActor
public protocol GeoLoggerDelegate: AnyObject {
  /// Called with new locations, in order of time.
  func geoLogger(_ logger: GeoLogger, didUpdateLocations locations: [GeoLocation])

  /// Called when a failure has stopped the logger; and during a replay, at its time, with each
  /// error of the recording, a ``RecordedError``, after which the replay goes on.
  func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error)
}

/// Passes on the locations of a source, records them, or replays a recording.
///
/// ```swift
/// let logger = GeoLogger(
///   configuration: GeoLoggerConfiguration(mode: .record),
///   source: FileSystemSource(URL(filePath: "/home")))
/// let locations = logger.locations
/// await logger.start()
/// for try await batch in locations { print(batch.count) }
/// ```
///
/// Starting a running logger does nothing. In ``GeoLoggerMode/passthrough`` no file is opened.
@MainActor
public final class GeoLogger {
  /// The receiver of locations and errors.
  public weak var delegate: (any GeoLoggerDelegate)?
  /// The configuration, which takes effect at the next start.
  public var configuration: GeoLoggerConfiguration
  /// Whether the logger has started and not stopped.
  public var isRunning: Bool { task != nil }
  /// The name of the current recording's file, or of the last one. It is known once the file is
  /// made, before the first location is delivered.
  public private(set) var recordingFileName: String?

  private let source: (any GeoLocationSource)?
  private let makeClock: @Sendable () -> LoggerClock
  private var task: Task<Void, Never>?
  /// Counts starts and stops; deliveries of an earlier round are dropped.
  private var round = 0
  /// Once its file is made.
  private var session: RecordingSession?
  /// The recording from the start on, while its file is made on another thread.
  private var opening: Opening?
  private var ending: Opening?
  private var listeners: [Int: AsyncThrowingStream<[GeoLocation], any Error>.Continuation] = [:]
  private var nextListener = 0

  /// Whether the source is asked for locations, or the logger has stopped.
  private var hasBegun = true
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private typealias Opening = Task<Result<RecordingSession, GeoLoggerError>, Never>

  deinit {
    task?.cancel()
    for listener in listeners.values { listener.finish() }
  }

  /// The most batches that wait for a listener; beyond it the oldest are dropped.
  private static let maximumBehind = 65_536

  /// Makes a logger without starting it.
  ///
  /// - Parameters:
  ///   - configuration: What the logger does, from its start on.
  ///   - source: The source of locations; optional only for ``GeoLoggerMode/replay``.
  ///   - clock: The clock for recording and replaying.
  public init(
    configuration: GeoLoggerConfiguration, source: (any GeoLocationSource)? = nil,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.configuration = configuration
    self.source = source
    makeClock = { LoggerClock(clock) }
  }

  /// A stream of all locations from now on until the logger stops, in addition to the delegate's.
  ///
  /// It throws the error that stops the logger.
  public var locations: AsyncThrowingStream<[GeoLocation], any Error> {
    let number = nextListener
    nextListener += 1
    return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.maximumBehind)) {
      continuation in
      listeners[number] = continuation
      continuation.onTermination = { [weak self] _ in
        Task { @MainActor [weak self] in self?.listeners[number] = nil }
      }
    }
  }

  /// Starts the logger, and returns when its source is asked for locations; a ``FileSystemSource``
  /// then watches all its folders. Does nothing if the logger is running. Code that is not
  /// asynchronous starts it in a `Task`.
  ///
  /// It doesn't throw: the delegate and ``locations`` learn of folders that can't be watched, and of
  /// files that can't be made or read.
  public func start() async {
    run()
    if !hasBegun { await withCheckedContinuation { waiting.append($0) } }
  }

  private func run() {
    if task != nil { return }
    round += 1
    hasBegun = false
    let (round, configuration) = (round, configuration)
    do throws(GeoLoggerError) {
      switch configuration.mode {
      case .replay: task = try replay(configuration, round)
      case .passthrough: task = try deliver(round, excluding: nil)
      case .record:
        if source == nil { throw Self.noSource }
        let opening = open(configuration.directory, round)
        self.opening = opening
        task = try deliver(round, excluding: configuration.directory, after: opening)
      }
    } catch {
      fail(error, round)
    }
  }

  private static var noSource: GeoLoggerError {
    GeoLoggerError(kind: .badConfiguration, description: "there is no source of places")
  }

  private func begin(_ round: Int) {
    if round != self.round { return }
    hasBegun = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  /// Stops the logger. The rest of the recording is written in the background.
  public func stop() {
    if task == nil { return }
    finish(round, nil)
  }

  /// Stops the logger, and returns when the recording is complete.
  ///
  /// What the source threw is an error of ``locations`` and of the delegate, not of this call.
  ///
  /// - Throws: ``GeoLoggerError`` if the file could not be made, or the rest not be written.
  public func finish() async throws(GeoLoggerError) {
    stop()
    try await ending?.value.get().finished()
  }

  private func open(_ directory: String, _ round: Int) -> Opening {
    let clock = makeClock()
    let fail: @Sendable (GeoLoggerError) -> Void = { [weak self] error in
      Task { await self?.fail(error, round) }
    }
    return Task {
      await GeoLoggerError.onOwnThread { () throws(GeoLoggerError) in
        try RecordingSession(directory: directory, name: nil, clock: clock, onFailure: fail)
      }
    }
  }

  /// Unless the logger was stopped meanwhile.
  private func use(_ session: RecordingSession, _ round: Int) {
    if round != self.round || task == nil { return }
    self.session = session
    recordingFileName = session.fileName
  }

  private func replay(
    _ configuration: GeoLoggerConfiguration, _ round: Int
  ) throws(GeoLoggerError) -> Task<Void, Never> {
    guard let name = configuration.replayFileName else {
      throw GeoLoggerError(
        kind: .badConfiguration, description: "there is no name of a recording to play")
    }
    try ReplaySession.check(speed: configuration.replaySpeedMultiplier)
    let clock = makeClock()
    return Task { [weak self] in
      do {
        let session = try await GeoLoggerError.onOwnThread { () throws(GeoLoggerError) in
          try ReplaySession(
            fileName: name, directory: configuration.directory,
            speedMultiplier: configuration.replaySpeedMultiplier, loops: configuration.loopReplay,
            clock: clock)
        }.get()
        self?.begin(round)
        try await session.play(
          onError: { [weak self] error in await self?.replay(error, round) }
        ) { [weak self] locations in await self?.publish(locations, round) }
        self?.finish(round, nil)
      } catch {
        self?.fail(error, round)
      }
    }
  }

  private func deliver(
    _ round: Int, excluding directory: String?, after opening: Opening? = nil
  ) throws(GeoLoggerError) -> Task<Void, Never> {
    guard let source else { throw Self.noSource }
    let waiting = WaitingLocations()
    return Task { [weak self] in
      switch await opening?.value {
      case .success(let session): self?.use(session, round)
      case .failure(let error): return self?.fail(error, round) ?? ()
      case nil: break
      }
      let delivery = Task { [weak self] in
        for await _ in waiting.arrivals {
          let (batches, loss) = waiting.takeAll()
          for batch in batches { self?.publish(batch, round) }
          if let loss { self?.recordLoss(since: loss, round) }
        }
      }
      do {
        if let source = source as? FileSystemSource {
          try await source.deliver(
            excluding: directory,
            onBegin: { [weak self] in Task { await self?.begin(round) } }
          ) { waiting.add($0) }
        } else {
          self?.begin(round)
          try await source.deliver(excluding: directory) { waiting.add($0) }
        }
        waiting.finish()
        await delivery.value
        self?.finish(round, nil)
      } catch {
        waiting.finish()
        await delivery.value
        self?.fail(error, round)
      }
    }
  }

  private func publish(_ locations: [GeoLocation], _ round: Int) {
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

  /// More locations came than could be delivered.
  private func recordLoss(since time: Int64, _ round: Int) {
    if round != self.round || task == nil { return }
    do throws(GeoLoggerError) {
      try session?.record(gapSince: time)
    } catch {
      fail(error, round)
    }
  }

  private func replay(_ error: RecordedError, _ round: Int) {
    if round != self.round || task == nil { return }
    delegate?.geoLogger(self, didFailWithError: error)
  }

  private func fail(_ error: any Error, _ round: Int) {
    // Cancellation comes from `stop`, so it is not reported.
    let failure = error is CancellationError ? nil : error
    if round == self.round, let failure, let session {
      let (code, domain) = RecordedError.name(of: failure)
      // If nothing can be written any more, this error is the reason.
      let words = (failure as? any LocalizedError)?.errorDescription ?? "\(failure)"
      try? session.record(error: code, domain: domain, description: words)
    }
    finish(round, failure)
  }

  private func finish(_ round: Int, _ error: (any Error)?) {
    if round != self.round { return }
    begin(round)
    task?.cancel()
    task = nil
    if let opening {
      ending = opening
      self.opening = nil
      session = nil
      Task { if case .success(let session) = await opening.value { session.end() } }
    }
    let all = listeners
    listeners = [:]
    self.round += 1
    for listener in all.values { listener.finish(throwing: error) }
    if let error { delegate?.geoLogger(self, didFailWithError: error) }
  }
}

/// The mode of a logger.
public enum GeoLoggerMode: String, Hashable, Sendable, CaseIterable {
  /// Pass locations on, and record them.
  case record
  /// Replay a recording with its timing; the source is not used.
  case replay
  /// Pass locations on, without recording.
  case passthrough
}

/// The configuration of a logger, read at its start.
public struct GeoLoggerConfiguration: Hashable, Sendable {
  /// The mode.
  public var mode: GeoLoggerMode
  /// The folder of recordings, created if missing.
  public var directory: String
  /// The replay speed relative to the recording; above 0.
  public var replaySpeedMultiplier: Double
  /// The file name of the recording to replay.
  public var replayFileName: String?
  /// Whether a replay starts again at its end.
  public var loopReplay: Bool

  /// Makes a configuration with a folder of recordings.
  public init(
    mode: GeoLoggerMode = .passthrough, directory: URL = URL(filePath: "recordings"),
    replaySpeedMultiplier: Double = 1, replayFileName: String? = nil, loopReplay: Bool = false
  ) {
    self.mode = mode
    self.directory = directory.pathText
    self.replaySpeedMultiplier = replaySpeedMultiplier
    self.replayFileName = replayFileName
    self.loopReplay = loopReplay
  }
}

extension URL {
  /// The path of a file URL; the text of another URL, which names no file.
  var pathText: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

/// Why a logger stopped, or an operation on a recording failed.
public struct GeoLoggerError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The kind of failure.
  public enum Kind: Hashable, Sendable {
    /// The recording doesn't exist, or its file name is invalid.
    case noRecording
    /// A recording is damaged; locations before the damage were delivered.
    case corrupted
    /// The configuration is invalid.
    case badConfiguration
    /// A system call failed.
    case system
  }

  /// The kind of failure.
  public let kind: Kind
  /// The failure in words. For a corrupted recording it gives the place of the damage and the
  /// number of usable events before it.
  public let description: String
  /// The same, so that `localizedDescription` says it.
  public var errorDescription: String? { description }

  static func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(GeoLoggerError) -> Value
  ) async -> Result<Value, GeoLoggerError> {
    do {
      return .success(try await WorkerThread.run { try body() })
    } catch let failure as GeoLoggerError {
      return .failure(failure)
    } catch {
      return .failure(GeoLoggerError(kind: .system, description: "no thread: \(error)"))
    }
  }
}

/// An error of a recording, as ``GeoLogger`` and ``ReplaySession`` replay it.
public struct RecordedError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The code in its domain.
  public let code: Int
  /// The domain: of an `NSError`, else the name of the error's type.
  public let domain: String
  /// The error in words.
  public let description: String
  /// The same, so that `localizedDescription` says it.
  public var errorDescription: String? { description }

  init(_ fault: RecordedFault) {
    code = Int(clamping: fault.code)
    domain = String(decoding: fault.domain, as: UTF8.self)
    description = String(decoding: fault.description, as: UTF8.self)
  }

  static func name(of error: any Error) -> (code: Int, domain: String) {
    if let error = error as? RecordedError { return (error.code, error.domain) }
    return ((error as NSError).code, (error as NSError).domain)
  }
}

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
    return parts.seconds.multiplied(saturating: 1_000_000_000)
      .adding(saturating: parts.attoseconds / 1_000_000_000)
  }

  func sleep(until time: Int64) async throws { try await sleepUntil(.nanoseconds(time)) }
}
