import GeoFormats
import GeoSystem

/// Writes a recording to a file that is valid JSON after each flush.
///
/// A flush is due after ten events or thirty seconds. It overwrites the end of the file, then the
/// two counts in the metadata.
package final class RecordingWriter {
  private let store: any RecordingStore
  private let fields: EventText.Fields
  /// After the last event.
  private var tail: Int64
  /// Unflushed events, each after its separator.
  private var pending = OutputBuffer(capacity: 4096)
  /// Of the unflushed events, with their ends in `pending`.
  private var events: [(end: Int, time: Double)] = []
  private var isHeadWritten = false
  private var head: [UInt8]
  private var lastTime = 0.0
  /// When the oldest unflushed event was added.
  private var oldest: Int64 = 0

  package private(set) var written: Int64 = 0
  package var waiting: Int { events.count }

  /// A flush is due after this number of events, or this time in nanoseconds.
  package static let maximumWaiting = 10
  package static let longestWait: Int64 = 30_000_000_000
  /// Of unflushed events while writing fails.
  private static let maximumBytes = 16 << 20
  private static let end = Array("\n]}\n".utf8)

  package enum Outcome: Hashable, Sendable {
    case done
    /// Perhaps temporarily; the unflushed events are kept.
    case failed(Errno)
    /// No space is left. The file is valid and has the events that fitted; the others are lost.
    case full(Errno, lost: Int)
  }

  /// Nothing is written before the first flush.
  package init(_ metadata: RecordingMetadata, to store: any RecordingStore) {
    self.store = store
    var buffer = OutputBuffer(capacity: 1024)
    buffer.append("{\"metadata\":")
    fields = EventText.put(metadata, hasCounts: true, to: &buffer)
    buffer.append(",\"events\":[")
    head = buffer.bytes
    tail = Int64(head.count)
  }

  /// The time is on the clock of ``ThisProcess/nanoseconds``.
  package func add(_ event: RecordedEvent, at now: Int64) {
    if events.isEmpty { oldest = now }
    pending.append(written == 0 && events.isEmpty ? "\n" : ",\n")
    EventText.put(event, to: &pending)
    events.append((pending.count, event.relativeTime))
  }

  package func isDue(at now: Int64) -> Bool {
    events.count >= Self.maximumWaiting || !events.isEmpty && now - oldest >= Self.longestWait
  }

  package var deadline: Int64? { events.isEmpty ? nil : oldest + Self.longestWait }

  /// No more should be added.
  package var isOverfull: Bool { pending.count > Self.maximumBytes }

  package func flush(duration: Double) -> Outcome {
    if !isHeadWritten {
      if let failure = store.write(head + Self.end, at: 0).failure {
        return failure.meansFull ? full(failure) : .failed(failure)
      }
      isHeadWritten = true
    }
    if !events.isEmpty {
      let (count, failure) = store.write(pending.bytes + Self.end, at: tail)
      if let failure {
        let kept = events.lastIndex { $0.end + Self.end.count <= count }.map { $0 + 1 } ?? 0
        mend(keeping: kept)
        return failure.meansFull ? full(failure) : .failed(failure)
      }
      keep(events.count)
    }
    lastTime = max(lastTime, duration)
    return writeCounts()
  }

  private func writeCounts() -> Outcome {
    for (field, place) in [
      (EventText.field(seconds: lastTime), fields.duration),
      (EventText.field(count: written), fields.eventCount),
    ] {
      let (_, failure) = store.write(field, at: Int64(place))
      // This only overwrites existing bytes, so it can't run out of space.
      if let failure { return .failed(failure) }
    }
    return .done
  }

  /// Makes the file valid again after a flush that has written only some events completely.
  private func mend(keeping kept: Int) {
    keep(kept)
    _ = store.write(Self.end, at: tail)
    try? store.truncate(to: tail + Int64(Self.end.count))
  }

  private func full(_ reason: Errno) -> Outcome {
    let lost = events.count
    forgetWaiting()
    if isHeadWritten { _ = writeCounts() }
    return .full(reason, lost: lost)
  }

  private func keep(_ kept: Int) {
    if kept == 0 { return }
    let (start, time) = events[kept - 1]
    written += Int64(kept)
    lastTime = max(lastTime, time)
    tail += Int64(start)
    pending.remove(0..<start)
    events = events[kept...].map { ($0.end - start, $0.time) }
  }

  private func forgetWaiting() {
    pending.removeAll()
    events = []
  }

  package func synchronize() { try? store.synchronize() }
}

package protocol RecordingStore: AnyObject {
  /// As many of the bytes as possible.
  func write(_ bytes: [UInt8], at offset: Int64) -> (count: Int, failure: Errno?)

  func truncate(to count: Int64) throws(Errno)

  /// To the disk.
  func synchronize() throws(Errno)
}

extension KeptFile: RecordingStore {}
