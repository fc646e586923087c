/// A root as an argument: `[LABEL=]DIR`.
package struct RootArgument: Hashable, Sendable {
  package let label: [UInt8]?
  package let directory: [UInt8]

  /// The text before the first `=` is a label, unless it is empty or has a `/`: `./a=b` and `=a`
  /// are folders.
  package init(parsing argument: [UInt8]) throws(RootError) {
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

  /// The label implied by a real path: the last component, or `root` for `/`.
  package static func label(ofRealPath path: [UInt8]) -> [UInt8] {
    lastName(of: path) ?? Array("root".utf8)
  }

  /// The last component of a path, without trailing slashes; nil if it isn't a valid name.
  package static func lastName(of path: [UInt8]) -> [UInt8]? {
    let slash = UInt8.slash
    guard let end = path.lastIndex(where: { $0 != slash }) else { return nil }
    let start = path[...end].lastIndex(of: slash).map { $0 + 1 } ?? 0
    let name = Array(path[start...end])
    return EntryName.isValid(name) ? name : nil
  }
}

/// Why folders can't be roots of a map.
package enum RootError: Error, CustomStringConvertible, Hashable, Sendable {
  case noRoots
  case noDirectory(label: [UInt8]?)
  /// The label isn't a valid name: it is empty, `.` or `..`, has `/` or a zero, or is longer than
  /// 255 bytes.
  case refusedLabel([UInt8], directory: [UInt8])
  /// The path has a zero byte, at which the system would cut it off.
  case refusedDirectory([UInt8])
  case doubledLabel([UInt8], first: [UInt8], second: [UInt8])
  /// A root would have no land because of its label.
  case noLand([UInt8])

  package var description: String {
    // Invalid names can be too long for a message.
    func text(_ bytes: [UInt8]) -> String {
      bytes.count > NameRecord.longestName
        ? TerminalText.escaped(Array(bytes.prefix(100))) + "..." : TerminalText.escaped(bytes)
    }
    switch self {
    case .noRoots: return "a world needs a root: give at least one folder"
    case .noDirectory(nil):
      return "the path of a folder is empty; for the current folder, give '.'"
    case .noDirectory(let label?):
      return "no folder follows the '=' in '\(text(label))='; "
        + "for a folder of that name, give './\(text(label))='"
    case .refusedLabel(let label, _) where label.count > NameRecord.longestName:
      return "'\(text(label))' can't be a label: it has \(label.count) bytes, and a name has "
        + "\(NameRecord.longestName) at most; give a shorter one"
    case .refusedLabel(let label, _): return "'\(text(label))' can't be a label; give another one"
    case .refusedDirectory(let directory):
      return "'\(text(directory))' can't be the path of a folder: it holds a zero byte"
    case .doubledLabel(let label, let first, let second):
      return "two folders have the label '\(text(label))': '\(text(first))' and '\(text(second))'; "
        + "give one of them another"
    case .noLand(let label): return "no land is left for '\(text(label))'; give it another label"
    }
  }
}

extension RootError: GeoError {
  package var group: ErrorGroup { .usage }

  /// The folder that needs another label; nil if that is not the remedy.
  package var wronglyLabelled: [UInt8]? {
    switch self {
    case .refusedLabel(_, let directory), .doubledLabel(_, _, let directory): directory
    case .noRoots, .noDirectory, .refusedDirectory, .noLand: nil
    }
  }
}

package enum RootLabel {
  /// Checks that folders can be the roots of one map: labels are valid names and differ, and paths
  /// are neither empty nor have a zero.
  package static func validate(
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
