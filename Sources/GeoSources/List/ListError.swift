import GeoCore
import GeoSystem

/// Why a list can't be mapped at all.
public enum ListError: Error, Hashable, Sendable {
  /// It can't be opened, or be read to its end.
  case unreadable(list: String, Errno)
  /// What doesn't fit into memory can't be kept in a scratch file.
  case noScratch(Errno)
  /// Its bytes are not the same as when they were read before.
  case changed(list: String)
  /// There are more folders, or bytes in their names, than 32 bits can count.
  case tooLarge(list: String)
}

extension ListError: CustomStringConvertible {
  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    switch self {
    case .unreadable(let list, let reason): return "can't read the list '\(list)': \(reason)"
    case .noScratch(let reason):
      return "can't keep a part of the list on disk: \(reason); "
        + "set TMPDIR to a folder that has room for it"
    case .changed(let list):
      return "the list '\(list)' was changed while it was read; try again when it is complete"
    case .tooLarge(let list): return "the list '\(list)' has too many folders for one map"
    }
  }
}
