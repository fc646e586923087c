import GeoCore
import GeoSources
import TestSupport
import Testing

@testable import GeoLive

@Suite struct RecordingFaultTests {
  private static let head =
    #"{"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00.000Z"},"events":["# + "\n"
  private static let pause =
    #"{"type":"pause","timestamp":"2026-01-05T14:30:01.000Z","relativeTime":1.0}"#

  @Test(arguments: [
    ("", "{"), ("[]", "{"), ("{}", "\""), (#"{"events":[]}"#, "metadata"),
    (#"{"metadata":{}}"#, "version"), (#"{"metadata":{"version":"2.0"}}"#, "2.0"),
    (#"{"metadata":{"version":"1.0"}}"#, "recordedAt"),
    (#"{"metadata":{"version":"1.0","recordedAt":"yesterday"}}"#, "RFC 3339"),
    (#"{"metadata":{"version":"1.0","recordedAt":null}}"#, "\""),
  ])
  func refusesOtherFiles(text: String, reason: String) throws {
    #expect {
      _ = try RecordingReader(JSONBytes(Array(text.utf8)))
    } throws: { error in
      guard case .notRecording(_, let byte, let found)? = error as? RecordingError else {
        return false
      }
      return found.contains(reason) && byte <= UInt64(text.utf8.count) + 1
    }
  }

  @Test(arguments: [
    (#"{"type":"walk"}"#, "walk"), (#"{"timestamp":"2026-01-05T14:30:01Z"}"#, "type"),
    (#"{"type":"pause"}"#, "timestamp"),
    (#"{"type":"pause","timestamp":"2026-01-05T14:30:01Z"}"#, "relativeTime"),
    (#"{"type":"pause","timestamp":"2026-01-05T14:30:01Z","relativeTime":-1}"#, "below 0"),
    (#"{"type":"pause","timestamp":"2026-01-05T14:30:01Z","relativeTime":0.5}"#, "earlier"),
    (#"{"type":"pause","timestamp":"2026-01-05T14:30:01Z","relativeTime":1e999}"#, "number"),
    (#"{"type":"location","timestamp":"2026-01-05T14:30:01Z","relativeTime":2}"#, "data"),
    (#"{"data":{},"type":"location"}"#, "first"),
    (
      #"{"type":"location","timestamp":"2026-01-05T14:30:01Z","relativeTime":2,"data":{}}"#,
      "coordinate"
    ),
    (#"{"type":"location","data":{"coordinate":{"latitude":90.5,"longitude":1}}}"#, "90 degrees"),
    (#"{"type":"location","data":{"kind":"planet"}}"#, "planet"),
    (#"{"type":"location","data":{"rawPath":"%4"}}"#, "percent"),
    (#"{"type":"sample","data":{"path":"usr","files":1.5}}"#, "whole"),
    (#"{"type":"alert","data":{"state":"angry"}}"#, "raised"),
    (#"{"type":"gap","data":{}}"#, "since"),
    ("null", "'{'"), ("nonsense", "'{'"),
  ])
  func reportsFaultsWithTheirPosition(event: String, reason: String) throws {
    let text = Self.head + Self.pause + ",\n" + event + "\n]}\n"
    let read = try Example.read(Array(text.utf8))
    #expect(read.events.count == 1)
    guard case .broken(let line, let byte, let usable, let found)? = read.fault else {
      Issue.record("it was read")
      return
    }
    #expect(found.contains(reason), "\(found)")
    #expect(line == 3 && usable == 1)
    let start = UInt64(Self.head.utf8.count + Self.pause.utf8.count + 2)
    #expect(start...(start + UInt64(event.utf8.count) + 2) ~= byte)
  }

  @Test func textAfterTheEndIsAFault() throws {
    let text = Self.head + Self.pause + "\n]}\n"
    #expect(try Example.read(Array(text.utf8)).fault == nil)
    #expect(try Example.read(Array((text + "x").utf8)).fault != nil)
    #expect(try Example.read(Array((text + "  \n").utf8)).fault == nil)
  }

  @Test func unknownMembersAreSkipped() throws {
    let text =
      #"{"metadata":{"x":[1,{"y":null}],"version":"1.0","recordedAt":"2026-01-05T14:30:00Z"},"#
      + #""events":[{"type":"pause","z":{},"timestamp":"2026-01-05T14:30:01Z","relativeTime":1}]}"#
    let read = try Example.read(Array(text.utf8))
    #expect(read.fault == nil && read.events.map(\.body) == [.pause])
  }

  /// A damaged recording is read up to some event. If that isn't the end, the position is reported,
  /// and no event before it is made up.
  @Test func anyBytesAreReadOrRefused() throws {
    let telling = Array(#"{}[]",:\0123456789eE+-.ntu"#.utf8) + [0, 10, 0x80, 0xFF]
    let property = Property<[UInt8]>(
      "mutated recordings",
      generate: { generator in
        let store = MemoryStore()
        _ = Example.recording(Example.events(12, using: &generator), to: store)
        var bytes = store.bytes
        bytes.mutate(1...6, inserting: telling, using: &generator)
        return bytes
      },
      fault: { bytes in
        do {
          let read = try Example.read(bytes)
          guard case .broken(let line, let byte, let events, let reason)? = read.fault else {
            return nil
          }
          if events != read.events.count { return "\(events) usable of \(read.events.count)" }
          if reason.isEmpty || line < 1 || byte > UInt64(bytes.count) + 1 { return "no place" }
          return nil
        } catch let error as RecordingError {
          guard case .notRecording(let line, let byte, _) = error else { return "\(error)" }
          return line < 1 || byte > UInt64(bytes.count) + 1 ? "no place" : nil
        }
      })
    #expect(try property.counterexample(cases: 1500) == nil)
  }
}
