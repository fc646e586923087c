/// Why folders can't be roots of a map.
public enum RootError: Error, Hashable, Sendable {
  /// There is no path, with or without a label.
  case noDirectory(label: [UInt8]?)
  /// The label can be no name: it is empty, `.` or `..`, holds `/` or a zero, or is longer than
  /// ``NameRecord/longestName``.
  case refusedLabel([UInt8], directory: [UInt8])
  /// The path holds a zero, which no path does: the system would take what stands before it.
  case refusedDirectory([UInt8])
  /// Two roots have one label.
  case doubledLabel([UInt8], first: [UInt8], second: [UInt8])
}

extension RootError: CustomStringConvertible {
  /// What is wrong and what to do, in one line that is fit for a terminal.
  public var description: String {
    // What is too long for a name is too long for a message.
    func text(_ bytes: [UInt8]) -> String {
      bytes.count > NameRecord.longestName
        ? TerminalText.escaped(Array(bytes.prefix(100))) + "..." : TerminalText.escaped(bytes)
    }
    switch self {
    case .noDirectory(nil):
      return "the path of a folder is empty; for the current folder, give '.'"
    case .noDirectory(let label?):
      return "no folder follows the '=' in '\(text(label))='; "
        + "for a folder of that name, give './\(text(label))='"
    case .refusedLabel(let label, let directory) where label.count > NameRecord.longestName:
      return "'\(text(label))' can't be a label: it has \(label.count) bytes, and a name has "
        + "\(NameRecord.longestName) at most; give a shorter one, such as NAME=\(text(directory))"
    case .refusedLabel(let label, let directory):
      return "'\(text(label))' can't be a label; "
        + "give another one, such as NAME=\(text(directory))"
    case .refusedDirectory(let directory):
      return "'\(text(directory))' can't be the path of a folder: it holds a zero byte"
    case .doubledLabel(let label, let first, let second):
      return "two folders have the label '\(text(label))': '\(text(first))' and '\(text(second))'; "
        + "give one of them another, such as NAME=\(text(second))"
    }
  }
}
