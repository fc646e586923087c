import Foundation
import GeoFormats
import GeoSources
import GeoSystem
import TestSupport
import Testing

@testable import GeoLive

@Suite struct RecordingFormatTests {
  @Test func equalsTheGoldenFile() throws {
    var generator = SeededGenerator(seed: 17)
    let store = MemoryStore()
    _ = Example.recording(Example.events(23, using: &generator), to: store)
    let folder = try #require(Bundle.module.url(forResource: "Golden", withExtension: nil))
    #expect(try Golden.difference(of: store.bytes, from: "recording.json", in: folder) == nil)
  }

  @Test func eventsRoundTrip() throws {
    for seed in TestScale.seeds(50) {
      var generator = SeededGenerator(seed: seed)
      let events = Example.events(generator.number(in: 0...60), using: &generator)
      let store = MemoryStore()
      let writer = Example.recording(events, to: store)
      #expect(writer.written == Int64(events.count))
      let read = try Example.read(store.bytes)
      #expect(read.fault == nil, "seed \(seed)")
      #expect(read.events == events, "seed \(seed)")
      var metadata = Example.metadata
      metadata.duration = events.last?.relativeTime ?? 0
      metadata.eventCount = Int64(events.count)
      #expect(read.metadata == metadata, "seed \(seed)")

      // Foundation parses the same numbers.
      let whole = try #require(
        try JSONSerialization.jsonObject(with: Data(store.bytes)) as? [String: Any])
      #expect((whole["events"] as? [Any])?.count == events.count)
      // Each event has a line.
      #expect(store.bytes.count { $0 == 10 } == events.count + (events.isEmpty ? 2 : 2))
    }
  }

  @Test func streamsAreRead() throws {
    var generator = SeededGenerator(seed: 3)
    let events = Example.events(20, using: &generator)
    var buffer = OutputBuffer(capacity: 100)
    let line = EventText.line(of: Example.metadata)
    buffer.append(line.span)
    buffer.append("\n")
    for event in events {
      EventText.put(event, to: &buffer)
      buffer.append("\n")
    }
    let bytes = buffer.bytes
    let read = try Example.read(bytes)
    #expect(read.fault == nil && read.events == events && read.metadata == Example.metadata)
  }

  /// After every call, the file is complete, or readable up to the last flush.
  @Test func isCompleteAfterEachFlush() throws {
    var generator = SeededGenerator(seed: 5)
    let events = Example.events(35, using: &generator)
    let store = MemoryStore()
    _ = Example.recording(events, to: store)
    var flushed = 0
    for state in store.states {
      let read = try Example.read(state)
      #expect(read.fault == nil)
      #expect(read.events.count >= flushed)
      #expect(read.events == Array(events[..<read.events.count]))
      flushed = read.events.count
    }
    #expect(flushed == 35)
  }

  /// Wherever a crash cut off a write, all complete events can be read, and the position of the
  /// damage is reported.
  @Test func cutFilesAreReadToTheirLastEvent() throws {
    var generator = SeededGenerator(seed: 6)
    let events = Example.events(12, using: &generator)
    let store = MemoryStore()
    _ = Example.recording(events, to: store)
    var ends: [Int] = []
    for (index, byte) in store.bytes.enumerated() where byte == 10 { ends.append(index) }
    // After the first line, and at the end of each event, with or without its comma.
    let cuts = (ends[0] + 1)..<store.bytes.count - 2
    // All positions around the ends, and some in between.
    for cut in cuts
    where cut % TestScale.each(1) == 0 || ends.contains(where: { abs($0 - cut) < 4 }) {
      let read = try Example.read(Array(store.bytes[..<cut]))
      let isCut = ends.dropFirst().filter { end in
        let hasComma = store.bytes[end - 1] == UInt8(ascii: ",")
        return cut >= (hasComma ? end - 1 : end)
      }
      #expect(read.events == Array(events[..<isCut.count]), "cut at \(cut)")
      guard let fault = try read.fault.flatMap(Example.fault) else {
        Issue.record("no fault at \(cut)")
        continue
      }
      #expect(fault.events == isCut.count && fault.byte <= cut + 1 && fault.line >= 1)
    }
  }

  @Test func fullDiskKeepsWrittenEvents() throws {
    var generator = SeededGenerator(seed: 7)
    let events = Example.events(30, using: &generator)
    let whole = MemoryStore()
    _ = Example.recording(events, to: whole)
    for room in stride(from: 0, to: whole.bytes.count + 1, by: TestScale.each(4)) {
      let store = MemoryStore()
      store.room = room
      let writer = RecordingWriter(Example.metadata, to: store)
      var lost = 0
      var isFull = false
      func flush() {
        switch writer.flush(duration: 1) {
        case .full(_, let count):
          lost += count
          isFull = true
        case .failed: Issue.record("no passing failure")
        case .done: break
        }
      }
      flush()
      var given = 0
      for event in events where !isFull {
        writer.add(event, at: 0)
        given += 1
        if writer.isDue(at: 0) { flush() }
      }
      if !isFull { flush() }
      #expect(store.bytes.count <= room)
      guard let read = try? Example.read(store.bytes) else {
        // There was no room even for the head.
        #expect(writer.written == 0)
        continue
      }
      if writer.written == 0, read.fault != nil { continue }
      #expect(read.fault == nil, "room \(room)")
      #expect(read.events.count + lost == given, "room \(room)")
      #expect(read.events == Array(events[..<read.events.count]))
      #expect(Int64(read.events.count) == writer.written)
    }
  }

  @Test func failedFlushesAreRetried() throws {
    var generator = SeededGenerator(seed: 8)
    let events = Example.events(9, using: &generator)
    let store = MemoryStore()
    let writer = RecordingWriter(Example.metadata, to: store)
    #expect(writer.flush(duration: 0) == .done)
    for event in events { writer.add(event, at: 0) }
    store.failure = .inputOutput
    #expect(writer.flush(duration: 1) == .failed(.inputOutput))
    #expect(writer.waiting == 9)
    store.failure = nil
    #expect(writer.flush(duration: 1) == .done)
    #expect(try Example.read(store.bytes).events == events)
    #expect(!writer.isDue(at: .max))
  }

  @Test func flushesAfterTenEventsOrThirtySeconds() {
    var generator = SeededGenerator(seed: 8)
    let events = Example.events(10, using: &generator)
    let writer = RecordingWriter(Example.metadata, to: MemoryStore())
    #expect(writer.deadline == nil && !writer.isDue(at: .max))
    for event in events[..<9] { writer.add(event, at: 5) }
    #expect(writer.deadline == 30_000_000_005)
    #expect(!writer.isDue(at: 30_000_000_004) && writer.isDue(at: 30_000_000_005))
    writer.add(events[9], at: 6)
    #expect(writer.isDue(at: 6))
  }

  @Test func namesContainTheTime() {
    func name(_ number: Int) -> String {
      String(decoding: RecordingName.of(seconds: 1_767_623_400, number: number), as: UTF8.self)
    }
    #expect(name(1) == "geo_log_2026-01-05_14-30-00.json")
    #expect(name(2) == "geo_log_2026-01-05_14-30-00-2.json")
    #expect(RecordingName.isValid(Array("a.json".utf8)))
    for bad in ["", ".", "..", "a/b", "/a", "a\0"] {
      #expect(!RecordingName.isValid(Array(bad.utf8)))
    }
  }
}
