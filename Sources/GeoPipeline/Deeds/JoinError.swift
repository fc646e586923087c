import GeoCore
import GeoSystem

/// Why parts can't be joined.
public enum JoinError: Error, Hashable, Sendable {
  /// A file can't be read.
  case unreadable(file: [UInt8], Errno)
  /// It is a folder, a pipe or something else that can't be read at any place.
  case notRegular(file: [UInt8])
  /// It is no part, or not as it was written.
  case refused(file: [UInt8], DeedError)
  /// Two files are of different worlds, or of different splits of one.
  case foreign(file: [UInt8], other: [UInt8])
  /// Two parts were made with different options.
  case otherOptions(file: [UInt8], other: [UInt8])
  /// Two files hold the same part.
  case doubled(file: [UInt8], other: [UInt8])
  /// Parts are missing, of so many in all.
  case missing(numbers: [Int], count: Int)
  /// The only part is of a deed that was made for one folder, not for a whole world.
  case single(file: [UInt8], path: [UInt8])
  /// Two parts saw different trees.
  case disagreement(file: [UInt8], path: [UInt8])
}

extension JoinError: CustomStringConvertible {
  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    func text(_ bytes: [UInt8]) -> String { TerminalText.escaped(bytes) }
    switch self {
    case .unreadable(let file, let reason): return "can't read '\(text(file))': \(reason)"
    case .notRegular(let file):
      return "'\(text(file))' is no regular file; save the part to one and give that"
    case .refused(let file, .foreign):
      return "'\(text(file))' is no part of a map; parts are made by 'map --deed'"
    case .refused(let file, let reason): return "the part '\(text(file))' is \(reason)"
    case .foreign(let file, let other):
      return "'\(text(file))' is no part of the map that '\(text(other))' belongs to; their deeds "
        + "come from different splits"
    case .otherOptions(let file, let other):
      return "'\(text(file))' and '\(text(other))' were mapped with different options; "
        + "give all parts the same"
    case .doubled(let file, let other):
      return "'\(text(file))' and '\(text(other))' are the same part; give one of them"
    case .missing(let numbers, let count):
      let shown = numbers.prefix(10).map { "\($0)" }.joined(separator: ", ")
      return "\(numbers.count) of \(count) parts missing: those of the deeds "
        + shown + (numbers.count > 10 ? " and more" : "")
    case .single(let file, let path):
      return "'\(text(file))' is the part of '\(text(path))' alone; a map takes the parts of all "
        + "deeds of a split"
    case .disagreement(let file, let path):
      return "'\(text(path))' was another one when '\(text(file))' was mapped than it was for the "
        + "other parts; make the deeds and the parts again"
    }
  }
}
