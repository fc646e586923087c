import GeoCore
import GeoSources
import GeoSystem

/// An operand that names a source: `[LABEL=]PATH`, `[LABEL=]git:REVISION`, or with `--git` a revision.
struct Operand: Sendable, Equatable {
  /// The operand as it was typed.
  let text: [UInt8]
  /// The label before the `=`.
  let label: [UInt8]?
  /// What follows the label; in front of a revision among paths, `git:`.
  private(set) var path: [UInt8]
  /// The revision's name; nil for a path.
  private(set) var revision: [UInt8]?

  /// What marks a revision among paths.
  static let mark = Array("git:".utf8)

  /// Reads an operand as if it were the only one, without `--git`.
  init(_ text: [UInt8]) throws(RootError) {
    let argument = try RootArgument(parsing: text)
    self.text = text
    label = argument.label
    path = argument.directory
    if isMarked { revision = Array(path.dropFirst(Self.mark.count)) }
  }

  /// Reads the operands of a command.
  ///
  /// With `--git` all are revisions, unless one is marked by `git:`. Then an operand without the mark is a path
  /// if there is such a file or folder, else a revision.
  static func all(_ texts: [[UInt8]], _ repository: [UInt8]?) throws(Failure) -> [Operand] {
    var operands = try wording { try texts.map { try Operand($0) } }
    guard let repository else { return operands }
    let areMixed = operands.contains(where: \.isMarked)
    for index in operands.indices where !operands[index].isMarked {
      let name = operands[index].path
      if areMixed {
        if operands[index].isThere { continue }
        try expectRevision(name, in: repository)
        operands[index].path = mark + name
      }
      operands[index].revision = name
    }
    return operands
  }

  /// Whether it is a revision because it says so.
  var isMarked: Bool { path.starts(with: Self.mark) }

  /// Whether it can only be a path (`/…`, `./…` or `../…`), or something has this path.
  private var isThere: Bool {
    let first = path.firstComponent
    return first.isEmpty || first.elementsEqual(".".utf8) || first.elementsEqual("..".utf8)
      || (try? FileSystem.rootFacts(path)) != nil
  }

  private static func expectRevision(
    _ name: [UInt8], in repository: [UInt8]
  ) throws(Failure) {
    do throws(GitError) {
      _ = try GitRevision.commit(name.prefix { $0 != UInt8(ascii: ":") }, of: repository)
    } catch {
      let shown = TerminalText.escaped(name)
      throw .usage(
        "'\(shown)' is not a file or folder here, nor a revision in the repository "
          + "'\(TerminalText.escaped(repository))'")
    }
  }

  /// The label that was given, or that the path's text implies.
  var impliedLabel: [UInt8]? { label ?? RootArgument.lastName(of: path) }
}

extension [[UInt8]] {
  /// Refuses the arguments if there are fewer or more than there have to be.
  func expect(
    _ count: some RangeExpression<Int>, or refusal: @autoclosure () -> String
  ) throws(Failure) {
    if !count.contains(self.count) { throw .usage(refusal()) }
  }
}

extension LowArguments {
  /// Refuses arguments that are read from standard input if the list is, too.
  ///
  /// - Parameter name: The arguments, as the help calls them.
  func refuseTwoReaders(of arguments: [[UInt8]], called name: String) throws(Failure) {
    let standard = [UInt8(ascii: "-")]
    if list.file == standard, arguments.contains(standard) {
      throw .usage("\(name) and --files-from can't both be standard input")
    }
  }
}
