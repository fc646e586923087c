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
