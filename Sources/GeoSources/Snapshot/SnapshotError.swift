import GeoCore
import GeoSystem

/// Why a snapshot can't be read at all.
public enum SnapshotError: Error, Hashable, Sendable {
  /// It can't be opened or read.
  case unreadable(file: [UInt8], Errno)
  /// It is no regular file, so that it can't be read here and there.
  case notRegular(file: [UInt8])
  /// It is something else.
  case foreign(file: [UInt8])
  /// It was written by a later version.
  case version(file: [UInt8], UInt32)
  /// Its end is missing.
  case cutShort(file: [UInt8])
  /// What it says of itself, or where its index is, was changed.
  case damaged(file: [UInt8])
}

extension SnapshotError: CustomStringConvertible {
  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .unreadable(let file, let reason):
      return "can't read the snapshot '\(text(file))': \(reason)"
    case .notRegular(let file):
      return
        "'\(text(file))' is no regular file, and a snapshot is read here and there: save it in "
        + "one first"
    case .foreign(let file):
      return "'\(text(file))' is no snapshot; snapshots are made by 'geomapper snapshot'"
    case .version(let file, let version):
      return
        "the snapshot '\(text(file))' is of version \(version) of the format, and this program "
        + "reads version \(SnapshotFormat.version)"
    case .cutShort(let file):
      return
        "the snapshot '\(text(file))' is cut short: it was not written to its end, or not copied "
        + "whole"
    case .damaged(let file):
      return "the snapshot '\(text(file))' is damaged: what it says of itself was changed"
    }
  }
}
