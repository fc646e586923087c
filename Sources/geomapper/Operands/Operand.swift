import GeoCore
import GeoSources
import GeoSystem

/// An operand that names a source: `[LABEL=]PATH`, `[LABEL=]git:REVISION`, `[LABEL=]kept:WHEN`, or
/// with `--git` a revision.
struct Operand: Sendable, Equatable {
  let text: [UInt8]
  let label: [UInt8]?
  /// The text after the label, including any `git:` or `kept:`.
  private(set) var path: [UInt8]
  /// The revision's name; nil for a path.
  private(set) var revision: [UInt8]?
  /// The time of a kept state; nil for other operands.
  private(set) var keptTime: [UInt8]?
  /// With ``keptTime``: the folders that the state is of; empty for the current folder.
  private(set) var folders: [Operand] = []

  static let revisionPrefix = Array("git:".utf8)
  static let keptPrefix = Array("kept:".utf8)

  /// Parses a single operand, without `--git`.
  init(_ text: [UInt8]) throws(RootError) {
    let argument = try RootArgument(parsing: text)
    self.text = text
    label = argument.label
    path = argument.directory
    if hasRevisionPrefix { revision = Array(path.dropFirst(Self.revisionPrefix.count)) }
    if path.starts(with: Self.keptPrefix) {
      keptTime = Array(path.dropFirst(Self.keptPrefix.count))
    }
  }

  /// Parses the operands of a command.
  ///
  /// With `--git` all are revisions, unless one has the prefix `git:`. Then an operand without the
  /// prefix is a path if that file or folder exists, else a revision. Kept states are those of the
  /// folders among the operands.
  static func all(_ texts: [[UInt8]], _ repository: [UInt8]?) throws(Failure) -> [Operand] {
    var operands = try wording { try texts.map { try Operand($0) } }
    if let repository { try findRevisions(among: &operands, repository) }
    if operands.contains(where: { $0.keptTime != nil }) {
      let folders = operands.filter(\.isFolder)
      for index in operands.indices where operands[index].keptTime != nil {
        operands[index].folders = folders
      }
    }
    return operands
  }

  private static func findRevisions(
    among operands: inout [Operand], _ repository: [UInt8]
  ) throws(Failure) {
    let areMixed = operands.contains(where: \.hasRevisionPrefix)
    for index in operands.indices
    where !operands[index].hasRevisionPrefix && operands[index].keptTime == nil {
      let name = operands[index].path
      if areMixed {
        if operands[index].isThere { continue }
        try expectRevision(name, in: repository)
        operands[index].path = revisionPrefix + name
      }
      operands[index].revision = name
    }
  }

  private var isFolder: Bool {
    isPath && (try? FileSystem.rootFacts(path))?.kind == .directory
  }

  var isPath: Bool { revision == nil && keptTime == nil }

  var hasRevisionPrefix: Bool { path.starts(with: Self.revisionPrefix) }

  /// Whether it can only be a path (`/…`, `./…` or `../…`), or the path exists.
  private var isThere: Bool {
    let first = path.firstComponent
    return first.isEmpty || first.elementsEqual(".".utf8) || first.elementsEqual("..".utf8)
      || (try? FileSystem.rootFacts(path)) != nil
  }

  private static func expectRevision(_ name: [UInt8], in repository: [UInt8]) throws(Failure) {
    do throws(GitError) {
      _ = try GitRevision.commit(name.prefix { $0 != UInt8(ascii: ":") }, of: repository)
    } catch {
      throw .wrong(
        name,
        "is not a file or folder here, nor a revision in the repository \(repository.quoted)")
    }
  }

  var impliedLabel: [UInt8]? { label ?? RootArgument.lastName(of: path) }
}

extension [[UInt8]] {
  func expect(
    _ count: some RangeExpression<Int>, or refusal: @autoclosure () -> String
  ) throws(Failure) {
    if !count.contains(self.count) { throw .usage(refusal()) }
  }
}
