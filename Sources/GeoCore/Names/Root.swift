/// A root as it is given in words: `[LABEL=]DIR`.
public struct RootArgument: Hashable, Sendable {
  /// The label that is given, if one is.
  public let label: [UInt8]?
  /// The path of the folder.
  public let directory: [UInt8]

  /// Takes an argument apart.
  ///
  /// What stands before the first `=` is a label, unless it is empty or holds a `/`: `./a=b` and
  /// `=a` are folders.
  ///
  /// - Throws: ``RootError/noDirectory(label:)`` and ``RootError/refusedLabel(_:directory:)``.
  public init(parsing argument: [UInt8]) throws(RootError) {
    guard let sign = argument.firstIndex(of: UInt8(ascii: "=")),
      sign > 0, !argument[..<sign].contains(.slash)
    else {
      if argument.isEmpty { throw .noDirectory(label: nil) }
      self.label = nil
      self.directory = argument
      return
    }
    let label = Array(argument[..<sign])
    let directory = Array(argument[(sign + 1)...])
    if directory.isEmpty { throw .noDirectory(label: label) }
    if !EntryName.isValid(label) { throw .refusedLabel(label, directory: directory) }
    self.label = label
    self.directory = directory
  }

  /// The label that is given or that the path implies: its last component, trailing slashes
  /// dropped; `nil` where that is empty, `.` or `..`, and only the real path can tell.
  public var impliedLabel: [UInt8]? { label ?? Self.lastName(of: directory) }

  /// The label of a folder that is known by its real path: the last component, `root` for `/`.
  public static func label(ofRealPath path: [UInt8]) -> [UInt8] {
    lastName(of: path) ?? Array("root".utf8)
  }

  /// The last component of a path, trailing slashes dropped; nil where that is no name.
  package static func lastName(of path: [UInt8]) -> [UInt8]? {
    let slash = UInt8.slash
    guard let end = path.lastIndex(where: { $0 != slash }) else { return nil }
    let start = path[...end].lastIndex(of: slash).map { $0 + 1 } ?? 0
    let name = Array(path[start...end])
    return EntryName.isValid(name) ? name : nil
  }
}

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

extension RootError: GroupedError {
  package var group: ErrorGroup { .usage }

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

/// The names that roots have on a map.
public enum RootLabel {
  /// Looks whether some folders can stand on one map: each label can be a name, no two are alike,
  /// and no path is empty or holds a zero.
  ///
  /// - Throws: What is wrong with the first of them that is at fault.
  /// - Complexity: O(n) hashes.
  public static func validate(
    _ roots: some Sequence<(label: [UInt8], directory: [UInt8])>
  ) throws(RootError) {
    var seen: [[UInt8]: [UInt8]] = [:]
    for (label, directory) in roots {
      if !EntryName.isValid(label) { throw .refusedLabel(label, directory: directory) }
      if directory.isEmpty { throw .noDirectory(label: label) }
      if directory.contains(0) { throw .refusedDirectory(directory) }
      if let first = seen.updateValue(directory, forKey: label) {
        throw .doubledLabel(label, first: first, second: directory)
      }
    }
  }
}
