import GeoFormats
import GeoSystem

/// Writes a recording into a file that is whole after each flush.
///
/// Events are kept until they are flushed: after ten of them, or thirty seconds. A flush writes over the
/// end of the last one, then over the two numbers of the metadata.
package final class RecordingWriter {
  private let store: any RecordingStore
  private let fields: EventText.Fields
  /// Where the next flush writes: after the last event.
  private var tail: Int64
  /// Events that wait, with what separates each from the one before it.
  private var pending = OutputBuffer(capacity: 4096)
  /// Where each of them ends.
  private var ends: [Int] = []
  private var isHeadWritten = false
  private var head: [UInt8]
  private var lastTime = 0.0
  /// Of each event that waits, its time.
  private var times: [Double] = []
  /// When the oldest event that waits came.
  private var oldest: Int64 = 0

  /// How many events are in the file.
  package private(set) var written: Int64 = 0
  /// How many events wait.
  package var waiting: Int { ends.count }

  /// After how many events a flush is due, and after which time, in nanoseconds.
  package static let mostWaiting = 10
  package static let longestWait: Int64 = 30_000_000_000
  /// How many bytes may wait while nothing can be written.
  private static let mostBytes = 16 << 20
  private static let end = Array("\n]}\n".utf8)

  /// What came of a flush.
  package enum Outcome: Hashable, Sendable {
    case done
    /// Something failed that may pass; what waits is still there.
    case failed(Errno)
    /// There is no more room. What there was room for is in the file, which is whole; the rest is lost.
    case full(Errno, lost: Int)
  }

  /// Begins a recording; nothing is written before the first flush.
  package init(_ metadata: RecordingMetadata, to store: any RecordingStore) {
    self.store = store
    var buffer = OutputBuffer(capacity: 1024)
    buffer.append("{\"metadata\":")
    fields = EventText.put(metadata, hasCounts: true, to: &buffer)
    buffer.append(",\"events\":[")
    head = buffer.bytes
    tail = Int64(head.count)
  }

  /// Takes an event in.
  ///
  /// - Parameter now: On the clock of ``ThisProcess/nanoseconds``.
  package func add(_ event: RecordedEvent, at now: Int64) {
    if ends.isEmpty { oldest = now }
    pending.append(written == 0 && ends.isEmpty ? "\n" : ",\n")
    EventText.put(event, to: &pending)
    ends.append(pending.count)
    times.append(event.relativeTime)
  }

  /// Whether so much waits that it has to be flushed.
  package func isDue(at now: Int64) -> Bool {
    ends.count >= Self.mostWaiting || !ends.isEmpty && now - oldest >= Self.longestWait
  }

  /// When a flush is due; nil if nothing waits.
  package var deadline: Int64? { ends.isEmpty ? nil : oldest + Self.longestWait }

  /// Whether so much waits that no more should be taken in.
  package var isOverfull: Bool { pending.count > Self.mostBytes }

  /// Writes what waits.
  ///
  /// - Parameter duration: How long it has been going on, in seconds.
  package func flush(duration: Double) -> Outcome {
    if !isHeadWritten {
      let (count, failure) = store.write(head + Self.end, at: 0)
      if let failure {
        _ = count
        return failure.meansFull ? full(failure) : .failed(failure)
      }
      isHeadWritten = true
    }
    if !ends.isEmpty {
      let (count, failure) = store.write(pending.bytes + Self.end, at: tail)
      if let failure {
        let kept = ends.lastIndex { $0 + Self.end.count <= count }.map { $0 + 1 } ?? 0
        mend(keeping: kept)
        return failure.meansFull ? full(failure) : .failed(failure)
      }
      keep(ends.count)
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
      // It writes over what is there already.
      if let failure { return .failed(failure) }
    }
    return .done
  }

  /// Makes the file whole again after a flush has failed.
  ///
  /// - Parameter kept: How many of the events that wait were written with all that belongs to them.
  private func mend(keeping kept: Int) {
    keep(kept)
    _ = store.write(Self.end, at: tail)
    try? store.truncate(to: tail + Int64(Self.end.count))
  }

  private func full(_ reason: Errno) -> Outcome {
    let lost = ends.count
    forgetWaiting()
    if isHeadWritten { _ = writeCounts() }
    return .full(reason, lost: lost)
  }

  /// Takes the first events that wait for written.
  private func keep(_ kept: Int) {
    if kept == 0 { return }
    written += Int64(kept)
    lastTime = max(lastTime, times[kept - 1])
    tail += Int64(ends[kept - 1])
    if kept == ends.count { return forgetWaiting() }
    let start = ends[kept - 1]
    let rest = pending.bytes[start...]
    pending.removeAll()
    pending.append(rest.span)
    ends = ends[kept...].map { $0 - start }
    times.removeFirst(kept)
  }

  private func forgetWaiting() {
    pending.removeAll()
    ends = []
    times = []
  }

  /// Has what was flushed survive the system.
  package func synchronize() { try? store.synchronize() }
}

/// Where the bytes of a recording are kept.
package protocol RecordingStore: AnyObject {
  /// Writes some bytes, or as many of them as there is room for.
  func write(_ bytes: [UInt8], at offset: Int64) -> (count: Int, failure: Errno?)

  /// Cuts it off.
  func truncate(to count: Int64) throws(Errno)

  /// Has what was written survive the system.
  func synchronize() throws(Errno)
}

extension KeptFile: RecordingStore {}
