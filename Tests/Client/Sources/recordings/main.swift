// Records what happens in a folder, exports it, and plays it. Imports GeoLogger alone.
import Foundation
import GeoLogger

/// A program found something else than it should.
struct Unexpected: Error, CustomStringConvertible {
  let description: String
}

func check(_ isTrue: Bool, _ what: String) throws {
  if !isTrue { throw Unexpected(description: what) }
}

let base = FileManager.default.temporaryDirectory.appending(
  component: "client-\(UUID().uuidString)", directoryHint: .isDirectory)
defer { try? FileManager.default.removeItem(at: base) }
let home = base.appending(component: "home", directoryHint: .isDirectory)
let recordings = base.appending(component: "recordings", directoryHint: .isDirectory)
try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)

/// Records the places of a walk.
@MainActor func recordWalk() async throws {
  let walk = AsyncStream<GeoLocation> { continuation in
    for minute in 0..<5 {
      continuation.yield(
        GeoLocation(
          longitude: 11, latitude: 48 + Double(minute) / 1000,
          date: Date(timeIntervalSince1970: 1_700_000_000 + Double(60 * minute))))
    }
    continuation.finish()
  }
  let logger = GeoLogger(
    configuration: GeoLoggerConfiguration(mode: .record, directory: recordings),
    source: SequenceSource(walk))
  let places = logger.locations
  await logger.start()
  var count = 0
  for try await batch in places { count += batch.count }
  try await logger.finish()
  try check(count == 5, "\(count) places")
}

/// Records what happens in a folder.
@MainActor func recordFolder() async throws {
  let logger = GeoLogger(
    configuration: GeoLoggerConfiguration(mode: .record, directory: recordings),
    source: FileSystemSource(home))
  let places = logger.locations
  await logger.start()
  try Data("x".utf8).write(to: home.appending(component: "file"))
  for try await batch in places where batch.contains(where: { $0.path == "home/file" }) {
    break
  }
  try await logger.finish()
}

/// Lists the recordings, and exports the first.
@MainActor func export() throws -> RecordingInfo {
  let manager = RecordingManager(directory: recordings)
  let infos = try manager.listRecordings()
  guard let walk = infos.first(where: { $0.eventCount == 5 }) else {
    throw Unexpected(description: "\(infos)")
  }
  let file = base.appending(component: "walk.gpx")
  try manager.exportRecording(walk.fileName, as: .gpx, to: file)
  let text = try String(contentsOf: file, encoding: .utf8)
  try check(text.contains("<trkpt"), text)
  return walk
}

/// Plays a recording a thousand times faster.
@MainActor func play(_ info: RecordingInfo) async throws -> Int {
  let logger = GeoLogger(
    configuration: GeoLoggerConfiguration(
      mode: .replay, directory: recordings, replaySpeedMultiplier: 1000,
      replayFileName: info.fileName))
  let places = logger.locations
  await logger.start()
  var count = 0
  for try await batch in places { count += batch.count }
  return count
}

try await recordWalk()
#if os(Linux)
  try await recordFolder()
#endif
let walk = try export()
let played = try await play(walk)
try check(played == 5, "\(played) places were played")
print("recorded, exported and played \(played) places")
