import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GeoLogger
import GeoLive
import GeoSystem

/// A clock that tests set.
private final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var time: Duration
    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (a: Instant, b: Instant) -> Bool { a.time < b.time }
  }

  private let time = Mutex(Duration.zero)
  /// The deadlines of all sleeps, in their order.
  let sleeps = Mutex<[Duration]>([])
  /// Whether a sleep lasts until a test has moved the clock; otherwise it moves the clock itself.
  private let waits: Bool

  init(waits: Bool = false) { self.waits = waits }

  var now: Instant { Instant(time: time.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    if waits {
      sleeps.withLock { $0.append(deadline.time) }
      while time.withLock({ $0 }) < deadline.time { try await Task.sleep(for: .milliseconds(2)) }
      return
    }
    time.withLock { $0 = max($0, deadline.time) }
    sleeps.withLock { $0.append(deadline.time) }
  }
}

/// Yields the given locations, then waits until it is cancelled.
private struct GivenSource: GeoLocationSource {
  var locations: [GeoLocation]
  var failure: (any Error)?

  func deliver(
    excluding directory: String?, to yield: @escaping @Sendable ([GeoLocation]) -> Void
  ) async throws {
    for location in locations { yield([location]) }
    if let failure { throw failure }
    try await Patience.untilCancelled()
  }
}

/// An error with words for users.
private struct Lost: LocalizedError {
  var errorDescription: String? { "the signal is lost" }
}

/// A store that fails, or doesn't answer, until a test changes it.
private final class StuckStore: RecordingStore, Sendable {
  let fails = Mutex(true)
  let blocks = Mutex(false)
  let text = Mutex<[UInt8]>([])

  func write(_ bytes: [UInt8], at offset: Int64) -> (count: Int, failure: Errno?) {
    while blocks.withLock({ $0 }) { WorkerThread.pause(milliseconds: 1) }
    if fails.withLock({ $0 }) { return (0, .inputOutput) }
    text.withLock { $0 = $0.prefix(Int(offset)) + bytes + $0.dropFirst(Int(offset) + bytes.count) }
    return (bytes.count, nil)
  }
  func truncate(to count: Int64) throws(Errno) {}
  func synchronize() throws(Errno) {}
}

@MainActor
private final class Listener: GeoLoggerDelegate {
  var locations: [GeoLocation] = []
  var errors: [GeoLoggerError] = []
  /// Errors of a recording, with the number of locations before each.
  var replayed: [(error: RecordedError, after: Int)] = []

  func geoLogger(_ logger: GeoLogger, didUpdateLocations new: [GeoLocation]) {
    MainActor.assertIsolated()
    locations += new
  }

  func geoLogger(_ logger: GeoLogger, didFailWithError error: any Error) {
    if let error = error as? GeoLoggerError { errors.append(error) }
    if let error = error as? RecordedError { replayed.append((error, locations.count)) }
  }

  func wait(_ condition: () -> Bool) async throws {
    #expect(try await eventually { condition() })
  }
}

@MainActor
@Suite struct GeoLoggerTests {
  let folder: TemporaryFolder
  private let listener = Listener()

  init() throws { folder = try TemporaryFolder() }

  private var directory: String { folder("recordings") }
  private var location: URL { URL(filePath: directory) }

  private func places(_ count: Int) -> [GeoLocation] {
    (0..<count).map {
      GeoLocation(longitude: 7, latitude: Double($0), timestamp: 1_767_623_400_000 + Int64($0))
    }
  }

  @Test func acceptsURLsAndDates() async throws {
    let recordings = URL(filePath: directory, directoryHint: .isDirectory)
    let date = Date(timeIntervalSince1970: 1_767_623_400.25)
    let place = GeoLocation(longitude: 2, latitude: 1, date: date)
    #expect(place.timestamp == 1_767_623_400_250 && place.date == date)
    let session = try RecordingSession(directory: recordings, name: "walk", clock: HandClock())
    try session.record(place)
    try await session.finished()
    let manager = RecordingManager(directory: recordings)
    let info = try #require(try manager.listRecordings().first)
    #expect(info.name == "walk" && (info.length ?? .zero) < .seconds(60))
    #expect(abs(info.date.timeIntervalSinceNow) < 86_400)
    let file = URL(filePath: folder("walk.csv"))
    try manager.exportRecording(info.fileName, as: .csv, to: file)
    #expect(
      try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline).count == 2)
    #expect(throws: GeoLoggerError.self) {
      try manager.exportRecording(
        info.fileName, as: .csv, to: URL(filePath: folder("none/walk.csv")))
    }
    let replay = try ReplaySession(
      fileName: info.fileName, directory: recordings, clock: HandClock())
    let count = Mutex(0)
    try await replay.play { locations in count.withLock { $0 += locations.count } }
    #expect(count.withLock { $0 } == 1)
  }

  @Test func passthroughRecordsNothing() async throws {
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(mode: .passthrough, directory: location),
      source: GivenSource(locations: places(5)))
    logger.delegate = listener
    await logger.start()
    await logger.start()
    #expect(logger.isRunning)
    try await listener.wait { listener.locations.count >= 5 }
    logger.stop()
    #expect(listener.locations == places(5) && listener.errors.isEmpty)
    #expect(!logger.isRunning && logger.recordingFileName == nil)
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func recordsAndPlaysAgain() async throws {
    var configuration = GeoLoggerConfiguration(mode: .record, directory: location)
    let clock = HandClock(waits: true)
    let session = try RecordingSession(directory: location, name: "walk", clock: clock)
    for place in places(4) {
      clock.advance(by: .seconds(1))
      try session.record(place)
    }
    try session.pause()
    try session.record(places(1)[0])
    try session.resume()
    try session.finish()
    try session.finish()

    let manager = RecordingManager(directory: location)
    let info = try #require(try manager.listRecordings().first)
    #expect(info.fileName == session.fileName && info.eventCount == 6 && info.name == "walk")
    #expect(info.duration == 4)

    configuration.mode = .replay
    configuration.replayFileName = info.fileName
    configuration.replaySpeedMultiplier = 2
    let playing = HandClock()
    let logger = GeoLogger(configuration: configuration, clock: playing)
    logger.delegate = listener
    let stream = logger.locations
    await logger.start()
    // Changing the configuration of a running logger has no effect.
    logger.configuration.replaySpeedMultiplier = 0
    var streamed: [GeoLocation] = []
    for try await batch in stream { streamed += batch }
    #expect(streamed == places(4) && listener.locations == streamed)
    #expect(
      playing.sleeps.withLock { $0 }.prefix(4) == [
        .seconds(0.5), .seconds(1), .seconds(1.5), .seconds(2),
      ])
    #expect(!logger.isRunning && listener.errors.isEmpty)
  }

  /// Locations of a client with any values, −1 for what is unknown among them.
  private static func places(_ count: Int, seed: UInt64) -> [GeoLocation] {
    var generator = SeededGenerator(seed: seed)
    func number() -> Double {
      switch generator.number(in: 0...5) {
      case 0: -1
      case 1: 0
      case 2: Double(generator.number(in: -1000...1000))
      case 3:
        [1e300, -.leastNonzeroMagnitude, 0.1 + 0.2, 1e-9, .greatestFiniteMagnitude].randomElement(
          using: &generator) ?? 0
      default: Double.random(in: -10_000...10_000, using: &generator)
      }
    }
    return (0..<count).map { _ in
      var place = GeoLocation(
        longitude: generator.chance(0.1) ? 180 : .random(in: -180...180, using: &generator),
        latitude: generator.chance(0.1) ? -90 : .random(in: -90...90, using: &generator),
        timestamp: Int64(generator.number(in: -1_000_000_000_000...4_000_000_000_000)))
      (place.altitude, place.ellipsoidalAltitude) = (number(), number())
      (place.horizontalAccuracy, place.verticalAccuracy) = (number(), number())
      (place.course, place.courseAccuracy) = (number(), number())
      (place.speed, place.speedAccuracy) = (number(), number())
      place.floor = generator.chance(0.5) ? generator.number(in: -9...200) : nil
      place.isSimulatedBySoftware = generator.chance(0.5)
      place.isProducedByAccessory = generator.chance(0.5)
      return place
    }
  }

  /// The measurements of locations, in the order of the columns of CSV.
  private static let measurements: [(name: String, value: @Sendable (GeoLocation) -> Double)] = [
    ("altitude", { $0.altitude }), ("horizontalAccuracy", { $0.horizontalAccuracy }),
    ("verticalAccuracy", { $0.verticalAccuracy }), ("course", { $0.course }),
    ("courseAccuracy", { $0.courseAccuracy }), ("speed", { $0.speed }),
    ("speedAccuracy", { $0.speedAccuracy }), ("ellipsoidalAltitude", { $0.ellipsoidalAltitude }),
  ]

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func replayEqualsWhatWasRecorded(seed: UInt64) async throws {
    let recorded = Self.places(50, seed: seed)
    let session = try RecordingSession(directory: location, clock: HandClock())
    for place in recorded { try session.record(place) }
    try await session.finished()
    let manager = RecordingManager(directory: location)
    let exported = "exported.json"
    try manager.exportRecording(
      session.fileName, as: .json, to: URL(filePath: "\(directory)/\(exported)"))
    for name in [session.fileName, exported] {
      let replayed = Mutex<[GeoLocation]>([])
      try await ReplaySession(fileName: name, directory: location, clock: HandClock()).play {
        some in
        replayed.withLock { $0 += some }
      }
      #expect(replayed.withLock { $0 } == recorded, "seed \(seed), \(name)")
    }
    var csv: [UInt8] = []
    try manager.exportRecording(session.fileName, as: .csv) { csv += $0 }
    let rows = String(decoding: csv, as: UTF8.self).components(separatedBy: "\r\n").map {
      $0.components(separatedBy: ",")
    }
    var json: [UInt8] = []
    try manager.exportRecording(session.fileName, as: .geojson) { json += $0 }
    // JSONSerialization doesn't read every number exactly.
    let features = String(decoding: json, as: UTF8.self).components(separatedBy: "\"Feature\"")
    #expect(rows[0].suffix(8) == Self.measurements.map(\.name)[...] && rows.count == 52)
    for (index, place) in recorded.enumerated() {
      for (column, (name, value)) in Self.measurements.enumerated() {
        #expect(
          Double(rows[index + 1].suffix(8).dropFirst(column).first ?? "") == value(place),
          "seed \(seed)")
        let member = features[index + 1].components(separatedBy: "\"\(name)\":").last ?? ""
        #expect(Double(member.prefix { !",}".contains($0) }) == value(place), "seed \(seed)")
      }
    }
  }

  @Test func numbersThatAreNotFiniteLeaveARecordingWhole() async throws {
    var place = places(1)[0]
    (place.altitude, place.speed, place.courseAccuracy) = (.nan, .infinity, -.infinity)
    let session = try RecordingSession(directory: location, clock: HandClock())
    #expect(throws: GeoLoggerError.self) {
      try session.record(GeoLocation(longitude: 0, latitude: .nan, timestamp: 0))
    }
    for place in [place] + places(2) { try session.record(place) }
    try await session.finished()
    let replayed = Mutex<[GeoLocation]>([])
    try await ReplaySession(
      fileName: session.fileName, directory: location, clock: HandClock()
    ).play { some in replayed.withLock { $0 += some } }
    #expect(replayed.withLock { $0 } == places(1) + places(2))
  }

  @Test func loopsUntilItIsStopped() async throws {
    let clock = HandClock(waits: true)
    let session = try RecordingSession(directory: location, clock: clock)
    for place in places(2) {
      clock.advance(by: .seconds(1))
      try session.record(place)
    }
    try session.finish()
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(
        mode: .replay, directory: location, replayFileName: session.fileName, loopReplay: true),
      clock: HandClock())
    logger.delegate = listener
    await logger.start()
    try await listener.wait { listener.locations.count >= 7 }
    logger.stop()
    let count = listener.locations.count
    #expect(count >= 7)
    try await Task.sleep(for: .milliseconds(30))
    #expect(listener.locations.count == count)
    #expect(listener.errors.isEmpty)
  }

  @Test func recordsTheValuesOfASource() async throws {
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(mode: .record, directory: location),
      source: GivenSource(locations: places(25)))
    logger.delegate = listener
    await logger.start()
    try await listener.wait { listener.locations.count >= 25 }
    let name = try #require(logger.recordingFileName)
    try await logger.finish()
    let manager = RecordingManager(directory: location)
    #expect(try manager.listRecordings().map(\.eventCount) == [25])
    var csv: [UInt8] = []
    try manager.exportRecording(name, as: .csv) { csv += $0 }
    #expect(String(decoding: csv, as: UTF8.self).components(separatedBy: "\r\n").count == 27)
    try manager.renameRecording(name, to: "other.json")
    #expect(throws: GeoLoggerError.self) { try manager.deleteRecording(name) }
    #expect(throws: GeoLoggerError.self) { try manager.deleteRecording("../other.json") }
    try manager.deleteRecording("other.json")
    #expect(try manager.listRecordings().isEmpty)
  }

  @Test func stoppingDuringTheStartKeepsARecording() async throws {
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(mode: .record, directory: location),
      source: GivenSource(locations: places(3)))
    logger.delegate = listener
    let start = Task { await logger.start() }
    while !logger.isRunning { await Task.yield() }
    logger.stop()
    #expect(!logger.isRunning)
    await start.value
    try await logger.finish()
    #expect(listener.locations.isEmpty && listener.errors.isEmpty)
    #expect(try RecordingManager(directory: location).listRecordings().map(\.eventCount) == [0])
    await logger.start()
    try await listener.wait { listener.locations.count == 3 }
    try await logger.finish()
    #expect(
      try RecordingManager(directory: location).listRecordings().compactMap(\.eventCount).sorted()
        == [0, 3])
  }

  @Test func reportsErrors() async throws {
    func failure(
      _ configuration: GeoLoggerConfiguration, _ source: GivenSource? = nil, atOnce: Bool = false
    ) async throws -> GeoLoggerError.Kind? {
      let listener = Listener()
      let logger = GeoLogger(configuration: configuration, source: source)
      logger.delegate = listener
      await logger.start()
      if atOnce { #expect(!logger.isRunning) }
      try await listener.wait { !logger.isRunning }
      return listener.errors.first?.kind
    }
    var configuration = GeoLoggerConfiguration(mode: .replay, directory: location)
    #expect(try await failure(configuration, atOnce: true) == .badConfiguration)
    configuration.replayFileName = "nowhere.json"
    #expect(try await failure(configuration) == .noRecording)
    try folder.makeFile("recordings/bad.json", "{}")
    configuration.replayFileName = "bad.json"
    #expect(try await failure(configuration) == .corrupted)
    configuration.replaySpeedMultiplier = 0
    #expect(try await failure(configuration, atOnce: true) == .badConfiguration)
    configuration = GeoLoggerConfiguration(mode: .record, directory: location)
    #expect(try await failure(configuration, atOnce: true) == .badConfiguration)
    configuration.directory = "/dev/null/x"
    #expect(try await failure(configuration, GivenSource(locations: [])) == .system)

    // A failing source stops the logger.
    let error = GeoLoggerError(kind: .system, description: "no signal")
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(mode: .record, directory: location),
      source: GivenSource(locations: places(3), failure: error))
    logger.delegate = listener
    await logger.start()
    try await listener.wait { !listener.errors.isEmpty }
    #expect(listener.errors == [error] && !logger.isRunning)
    #expect(listener.locations.count == 3)
    try await logger.finish()

    // The error is in the recording, and is replayed after the places before it.
    let replay = GeoLogger(
      configuration: GeoLoggerConfiguration(
        mode: .replay, directory: location, replayFileName: logger.recordingFileName),
      clock: HandClock())
    let second = Listener()
    replay.delegate = second
    await replay.start()
    try await second.wait { !replay.isRunning }
    #expect(second.locations.count == 3 && second.errors.isEmpty)
    let played = try #require(second.replayed.first)
    #expect(second.replayed.count == 1 && played.after == 3)
    #expect(played.error.description == "no signal")
    #expect(played.error.domain.contains("GeoLoggerError"))
  }

  @Test func errorsAreRecordedInWords() async throws {
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(mode: .record, directory: location),
      source: GivenSource(locations: places(1), failure: Lost()))
    await logger.start()
    try await listener.wait { !logger.isRunning }
    try await logger.finish()
    let name = try #require(logger.recordingFileName)
    let replay = try ReplaySession(fileName: name, directory: location, clock: HandClock())
    let words = Mutex<[String]>([])
    try await replay.play(onError: { error in words.withLock { $0.append("\(error)") } }) { _ in }
    #expect(words.withLock { $0 } == ["the signal is lost"])
  }

  @Test func replaysErrorsBetweenPlaces() async throws {
    let clock = HandClock(waits: true)
    let session = try RecordingSession(directory: location, clock: clock)
    for (number, place) in places(3).enumerated() {
      clock.advance(by: .seconds(1))
      try session.record(place)
      try session.record(error: number, domain: "kCLErrorDomain", description: "denied")
    }
    try await session.finished()
    let playing = HandClock()
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(
        mode: .replay, directory: location, replayFileName: session.fileName), clock: playing)
    logger.delegate = listener
    await logger.start()
    try await listener.wait { !logger.isRunning }
    #expect(listener.replayed.map(\.error.code) == [0, 1, 2])
    #expect(listener.replayed.map(\.after) == [1, 2, 3])
    #expect(listener.errors.isEmpty && listener.locations.count == 3)
  }

  @Test func writesByATimerAndAfterTen() async throws {
    let clock = HandClock(waits: true)
    let session = try RecordingSession(directory: location, clock: clock)
    try session.record(places(1)[0])
    // Nothing is due before thirty seconds have passed.
    #expect(try await eventually { clock.sleeps.withLock { $0 } == [.seconds(30)] })
    clock.advance(by: .seconds(29))
    try await Task.sleep(for: .milliseconds(10))
    #expect(session.writtenEventCount == 0)
    clock.advance(by: .seconds(1))
    #expect(try await eventually { session.writtenEventCount == 1 })
    for place in places(10) { try session.record(place) }
    #expect(try await eventually { session.writtenEventCount == 11 })
    try session.record(places(1)[0])
    try session.finish()
    #expect(session.writtenEventCount == 12)
  }

  @Test func keepsAllPropertiesOfALocation() async throws {
    var place = places(1)[0]
    place.altitude = 12.5
    place.ellipsoidalAltitude = 60.25
    place.horizontalAccuracy = 4
    place.verticalAccuracy = 5.5
    place.course = 90
    place.courseAccuracy = 2.5
    place.speed = 1.5
    place.speedAccuracy = 0.5
    place.floor = 3
    place.isSimulatedBySoftware = true
    place.isProducedByAccessory = true
    let session = try RecordingSession(directory: location, clock: HandClock(waits: true))
    try session.record(place)
    try session.finish()
    let replay = try ReplaySession(
      fileName: session.fileName, directory: location, clock: HandClock())
    let played = Mutex<[GeoLocation]>([])
    try await replay.play { locations in played.withLock { $0 += locations } }
    #expect(played.withLock { $0 } == [place])

    func export(_ format: RecordingManager.Format) throws -> String {
      var bytes: [UInt8] = []
      try RecordingManager(directory: location).exportRecording(session.fileName, as: format) {
        bytes += $0
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let lines = try export(.csv).components(separatedBy: "\r\n")
    #expect(
      lines[0].hasSuffix(
        ",altitude,horizontalAccuracy,verticalAccuracy,course,courseAccuracy,speed,"
          + "speedAccuracy,ellipsoidalAltitude"))
    #expect(lines[1].hasSuffix(",12.5,4,5.5,90,2.5,1.5,0.5,60.25"))
    #expect(try export(.geojson).contains("\"speed\":1.5,\"speedAccuracy\":0.5"))
  }

  @Test func recordingDoesNotWaitForTheDisk() async throws {
    let store = StuckStore()
    store.fails.withLock { $0 = false }
    store.blocks.withLock { $0 = true }
    let failures = Mutex<[GeoLoggerError]>([])
    let session = try RecordingSession(
      to: store, clock: LoggerClock(HandClock(waits: true))
    ) { failure in failures.withLock { $0.append(failure) } }
    // Each call would wait for ever if it wrote.
    for place in places(250) { try session.record(place) }
    #expect(session.writtenEventCount == 0)
    store.blocks.withLock { $0 = false }
    try await session.finished()
    #expect(session.writtenEventCount == 250 && failures.withLock { $0.isEmpty })
    let text = String(decoding: store.text.withLock { $0 }, as: UTF8.self)
    #expect(text.components(separatedBy: "\"location\"").count == 251)
  }

  @Test func triesAgainWithGrowingPauses() throws {
    let store = StuckStore()
    let writer = RetryingWriter(
      RecordingMetadata(recordedAt: 0, device: [], systemVersion: []), to: store, start: 0)
    let notices = Mutex<[RetryingWriter.Notice]>([])
    writer.listener = { notice in notices.withLock { $0.append(notice) } }
    writer.begin(at: 0)
    var pauses: [Int64] = []
    for _ in 0..<12 {
      let deadline = try #require(writer.deadline)
      pauses.append(deadline)
      writer.idle(at: deadline)
    }
    let steps = zip(pauses.dropFirst(), pauses).map { ($0 - $1) / 1_000_000 }
    #expect(steps == [200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000])
    store.fails.withLock { $0 = false }
    writer.idle(at: try #require(writer.deadline))
    #expect(notices.withLock { $0 } == [.failing(.inputOutput), .recovered])
    #expect(writer.deadline == nil)
  }

  @Test func playsBrokenRecordingsToTheirFault() async throws {
    let clock = HandClock(waits: true)
    let session = try RecordingSession(directory: location, clock: clock)
    for place in places(3) { try session.record(place) }
    try session.finish()
    let bytes = try folder.read("recordings/\(session.fileName)")
    try folder.makeFile(bytes: Array("recordings/cut.json".utf8), Array(bytes.dropLast(20)))
    let logger = GeoLogger(
      configuration: GeoLoggerConfiguration(
        mode: .replay, directory: location, replayFileName: "cut.json"), clock: HandClock())
    logger.delegate = listener
    await logger.start()
    try await listener.wait { !listener.errors.isEmpty }
    #expect(listener.locations.count == 2 && listener.errors.first?.kind == .corrupted)
    #expect(listener.errors.first?.description.contains("line 4") == true)
  }

  /// Locations that come faster than they are taken are bounded, and a loss is the last of them.
  @Test func waitingLocationsAreBounded() {
    let waiting = WaitingLocations()
    for number in 0..<(WaitingLocations.maximum / 50 + 3) {
      waiting.add(
        [GeoLocation](
          repeating: GeoLocation(longitude: 0, latitude: 0, timestamp: Int64(number)), count: 50))
    }
    let (batches, loss) = waiting.takeAll()
    #expect(batches.count == WaitingLocations.maximum / 50 && loss == Int64(batches.count))
    waiting.add([GeoLocation(longitude: 0, latitude: 0, timestamp: 9)])
    #expect(waiting.takeAll().batches.count == 1 && waiting.takeAll().loss == nil)
  }

  #if os(Linux)
    /// What this process has open and runs, as far as loggers add to it.
    private struct Resources {
      var watchers: Int
      var descriptors: Int
      var threads: Int

      init() throws {
        func names(_ folder: String) throws -> [String] {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")
        }
        let open = try names("fd").compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        (descriptors, threads) = (open.count, try names("task").count)
        watchers = open.count { $0.hasSuffix("inotify") }
      }
    }

    /// Everything that a logger has started ends with it, whether it is stopped or released.
    @Test func loggersLeakNothing() async throws {
      try folder.makeFolder("root")
      let source = FileSystemSource([("r", URL(filePath: folder("root")))])
      let configuration = GeoLoggerConfiguration(
        mode: .record, directory: URL(filePath: folder("own")))
      let before = try Resources()
      for round in 0..<400 {
        let logger = GeoLogger(configuration: configuration, source: source)
        await logger.start()
        // Some run for a while, so that they watch.
        if round.isMultiple(of: 10) {
          #expect(try await eventually { try Resources().watchers > 0 })
        }
        if round.isMultiple(of: 2) { logger.stop() }
      }
      // Other tests run at the same time, and use some, such as servers that never end.
      #expect(
        try await eventually {
          let now = try Resources()
          return now.watchers < before.watchers + 100 && now.threads < before.threads + 350
            && now.descriptors < before.descriptors + 350
        })
    }

    @Test func logsTheFileSystem() async throws {
      try folder.makeFolder("root")
      let logger = GeoLogger(
        configuration: GeoLoggerConfiguration(
          mode: .record, directory: URL(filePath: folder("root/own"))),
        source: FileSystemSource([("r", URL(filePath: folder("root")))]))
      logger.delegate = listener
      await logger.start()
      // Whatever happens from now on is logged.
      try folder.makeFile("root/f", "x")
      try await listener.wait { listener.locations.contains { $0.entryChange == .created } }
      logger.stop()
      #expect(listener.errors.isEmpty)
      let place = try #require(listener.locations.first { $0.entryChange == .created })
      #expect(place.path == "r/f")
      #expect(place.altitude == 100 && place.floor == 1)
      #expect(listener.locations.allSatisfy { $0.path?.hasPrefix("r/own") == false })
    }

    /// What watches a folder ends as the articles say.
    @Test func watchingEnds() async throws {
      try folder.makeFolder("root")
      let source = FileSystemSource([("r", URL(filePath: folder("root")))])
      let delivery = Task { try await source.deliver(excluding: nil) { _ in } }
      try await Task.sleep(for: .milliseconds(20))
      delivery.cancel()
      try await delivery.value

      let logger = GeoLogger(
        configuration: GeoLoggerConfiguration(
          mode: .record, directory: URL(filePath: folder("own"))),
        source: source)
      let locations = logger.locations
      await logger.start()
      let reading = Task { for try await _ in locations {} }
      try await logger.finish()
      try await reading.value

      let last = logger.locations
      await logger.start()
      try FileManager.default.removeItem(atPath: folder("root"))
      await #expect(throws: GeoLoggerError.self) { for try await _ in last {} }
    }
  #endif
}
