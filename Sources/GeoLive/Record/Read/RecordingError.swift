import GeoSystem

/// Why a recording can't be read, or not to its end.
package enum RecordingError: Error, Hashable, Sendable {
  /// The system refused to read.
  case unreadable(Errno)
  /// It is no recording, or not one of a version that is known here; with the line and the byte, counted
  /// from 1, and the reason.
  case notRecording(line: Int, byte: UInt64, reason: String)
  /// It breaks off, or is not what a recording has to be. What stands before can be used.
  case broken(line: Int, byte: UInt64, events: Int, reason: String)

  /// How many events before the fault can be used.
  package var events: Int {
    if case .broken(_, _, let events, _) = self { events } else { 0 }
  }
}

extension RecordingError: CustomStringConvertible {
  /// What is wrong and where, in one line that is fit for a terminal.
  package var description: String {
    switch self {
    case .unreadable(let reason): return "\(reason)"
    case .notRecording(let line, let byte, let reason):
      return "it is no recording: line \(line), byte \(byte): \(reason)"
    case .broken(let line, let byte, let events, let reason):
      let usable =
        events == 0
        ? "no event before that"
        : events == 1 ? "the event before that" : "\(events) events before that"
      return "line \(line), byte \(byte): \(reason); \(usable) can be used"
    }
  }
}
