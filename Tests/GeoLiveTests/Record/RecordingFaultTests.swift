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
      guard let failure = error as? Failure, let fault = try Example.fault(failure),
        failure.message.hasPrefix("not a recording: ")
      else { return false }
      return fault.reason.contains(reason) && fault.byte <= text.utf8.count + 1
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
    let fault = try #require(try read.fault.flatMap(Example.fault))
    #expect(fault.reason.contains(reason), "\(fault.reason)")
    #expect(fault.line == 3 && fault.events == 1)
    let start = Self.head.utf8.count + Self.pause.utf8.count + 2
    #expect(start...(start + event.utf8.count + 2) ~= fault.byte)
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
          guard let failure = read.fault else { return nil }
          guard let fault = try Example.fault(failure) else { return "\(failure)" }
          let (count, usable) = (read.events.count, fault.events)
          if usable != count { return "\(usable) usable of \(count)" }
          let isPlaced = fault.line >= 1 && fault.byte <= bytes.count + 1
          return fault.reason.isEmpty || !isPlaced ? "no place" : nil
        } catch let failure as Failure {
          guard let fault = try Example.fault(failure) else { return "\(failure)" }
          return fault.line < 1 || fault.byte > bytes.count + 1 ? "no place" : nil
        }
      })
    #expect(try property.counterexample(cases: 1500) == nil)
  }
}
