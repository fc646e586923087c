import GeoCore
import GeoSources
import GeoProjection
import TestSupport

@testable import GeoLive

/// Random events of all types.
enum Example {
  static var metadata: RecordingMetadata {
    var metadata = RecordingMetadata(
      recordedAt: 1_767_623_400_000, device: Array("host".utf8),
      systemVersion: Array("Linux 6.1".utf8))
    metadata.name = Array("a \"name\"\n".utf8)
    metadata.tags = [Array("one".utf8), Array("zwei ü".utf8)]
    metadata.roots = [Array("usr".utf8)]
    metadata.projection = 2
    metadata.layout = Array("settled".utf8)
    return metadata
  }

  static func events(_ count: Int, using generator: inout SeededGenerator) -> [RecordedEvent] {
    var milliseconds: Int64 = 0
    return (0..<count).map { _ in
      milliseconds += Int64(generator.number(in: 0...5000))
      return RecordedEvent(
        timestamp: metadata.recordedAt + milliseconds, relativeTime: Double(milliseconds) / 1000,
        body: body(at: metadata.recordedAt + milliseconds, using: &generator))
    }
  }

  private static func path(using generator: inout SeededGenerator) -> [UInt8] {
    let path = Array("usr/lib/x\(generator.number(in: 0...99))".utf8)
    return generator.chance(0.2) ? path + [0xFF, 0x22, 0x0A] : path
  }

  private static func body(
    at time: Int64, using generator: inout SeededGenerator
  ) -> RecordedEvent.Body {
    func number(_ most: Int) -> Double {
      Double(generator.number(in: -most...most) * 1000 + generator.number(in: 0...999)) / 1e9
    }
    switch generator.number(in: 0...12) {
    case 0:
      return .sample(
        RecordedSample(
          path: Array("usr".utf8), files: Int64(generator.number(in: 0...1_000_000)), folders: 7,
          bytes: 1 << 50, allocated: 4096, free: generator.chance(0.5) ? 81_000_000_000 : nil))
    case 1:
      return .error(
        RecordedFault(
          code: 28, domain: Array("errno".utf8), description: Array("No space left".utf8)))
    case 2:
      return .alert(
        RecordedAlert(
          name: Array("full".utf8), path: Array("usr/var/log".utf8),
          rule: Array("usr/var/log bytes > 10G".utf8), value: 1.5, limit: 10_737_418_240,
          state: generator.chance(0.5) ? .raised : .cleared))
    case 3: return .pause
    case 4: return .resume
    case 5: return .gap(since: time - 17)
    default:
      let (latitude, longitude) = (number(89_000), number(179_000))
      var place = GeoLocation(longitude: longitude, latitude: latitude, timestamp: time)
      place.altitude = 300
      place.ellipsoidalAltitude = 300
      place.floor = 3
      place.course = generator.chance(0.2) ? -1 : Double(generator.number(in: 0...359_999)) / 1000
      place.speed = generator.chance(0.2) ? -1 : Double(generator.number(in: 0...99_999)) / 1000
      place.horizontalAccuracy = generator.chance(0.2) ? 0.125 : 0
      if generator.chance(0.9) {
        place.rawPath = path(using: &generator)
        place.kind = NodeKind.allCases.randomElement(using: &generator)
        place.entryChange = GeoLocation.EntryChange.allCases.randomElement(using: &generator)
        if place.entryChange == .moved { place.rawOldPath = path(using: &generator) }
        if generator.chance(0.5) { place.size = 12 }
      }
      return .location(place)
    }
  }

  /// Writes events as a recorder does.
  static func recording(_ events: [RecordedEvent], to store: MemoryStore) -> RecordingWriter {
    let writer = RecordingWriter(metadata, to: store)
    _ = writer.flush(duration: 0)
    for event in events {
      writer.add(event, at: 0)
      if writer.isDue(at: 0) { _ = writer.flush(duration: event.relativeTime) }
    }
    _ = writer.flush(duration: events.last?.relativeTime ?? 0)
    return writer
  }

  /// All events up to the end of the recording or to the damage.
  static func read(
    _ bytes: [UInt8]
  ) throws -> (metadata: RecordingMetadata, events: [RecordedEvent], fault: Failure?) {
    var reader = try RecordingReader(JSONBytes(bytes))
    var events: [RecordedEvent] = []
    do throws(Failure) {
      while let event = try reader.next() { events.append(event) }
    } catch {
      return (reader.metadata, events, error)
    }
    return (reader.metadata, events, nil)
  }

  /// The place of a fault, the reason, and the number of usable events.
  static func fault(
    _ failure: Failure
  ) throws -> (line: Int, byte: Int, reason: String, events: Int)? {
    let pattern = /(?:not a recording: )?line (\d+), byte (\d+): (.*?)(?:; (.*) can be used)?/
    guard failure.group == .damage, let match = try pattern.wholeMatch(in: failure.message),
      let line = Int(match.1), let byte = Int(match.2)
    else { return nil }
    let first = match.4?.prefix { $0 != " " } ?? "no"
    let events = ["no": 0, "the": 1][first] ?? Int(first) ?? -1
    return (line, byte, String(match.3), events)
  }
}
