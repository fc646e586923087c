import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

/// The place of the output, resolved before anything is written.
enum OutputPlace: Sendable {
  case standardOutput
  /// An existing pipe or device, which is opened and written.
  case inPlace(Target)
  /// A file that replaces the target when it is complete.
  case replacing(Target, permissions: UInt32?, temporary: TemporaryEntry)

  /// A name in an open folder.
  struct Target: Sendable {
    let file: FileTarget
    /// The output as typed, for messages.
    let shown: String

    var folder: FolderHandle { file.folder }
    var name: [UInt8] { file.name }

    init(_ file: FileTarget, shown: String) {
      self.file = file
      self.shown = shown
    }

    init(folder: FolderHandle, name: [UInt8], shown: String) {
      self.init(FileTarget(folder: folder, name: name), shown: shown)
    }
  }

  /// The temporary file, which the scanner leaves out.
  var temporary: TemporaryEntry? {
    if case .replacing(_, _, let temporary) = self { temporary } else { nil }
  }

  /// Whether the output is a terminal.
  var isTerminal: Bool {
    if case .standardOutput = self {
      Terminal.isTerminal(Descriptor.standardOutput)
    } else {
      false
    }
  }

  /// Refuses a terminal for output that is not text.
  func refuseTerminal(_ thing: String) throws(Failure) {
    if isTerminal {
      throw .usage("not writing \(thing) to the terminal; use --output FILE")
    }
  }

  /// Resolves a path: follows links, opens the folder, and detects the kind of file.
  init(_ path: [UInt8]) throws(Failure) {
    if path.elementsEqual("-".utf8) || path.elementsEqual("/dev/stdout".utf8) {
      self = .standardOutput
      return
    }
    let shown = TerminalText.escaped(path)
    var isForeign = false
    do throws(Errno) {
      let start = Target(try FileTarget(path), shown: shown)
      isForeign = Self.leadsThroughForeignLink(start)
      if isForeign { throw Errno.accessDenied }
      let found = try Self.facts(of: start, following: true)
      if found?.kind == .directory { throw Errno.isDirectory }
      if let found, found.kind != .regular {
        self = .inPlace(start)
        return
      }
      let target = Target(try start.file.end(), shown: shown)
      let existing = try Self.facts(of: target, following: false)
      if existing?.kind == .directory { throw Errno.isDirectory }
      if let found, existing?.identity != found.identity {
        // Some links in /proc lead to a file that their text doesn't name.
        self = .inPlace(start)
        return
      }
      self = .replacing(
        target, permissions: existing?.permissions, temporary: try Self.temporary(for: target))
    } catch .isDirectory {
      throw Self.isFolder(path, shown)
    } catch .noEntry {
      throw .usage("the parent folder of '\(shown)' does not exist; make it first")
    } catch .notDirectory {
      throw .usage("can't write '\(shown)': its parent is not a folder")
    } catch {
      throw isForeign
        ? Self.foreignLink(shown) : .output("can't write '\(shown)': \(error)")
    }
  }

  /// The error for another user's link, which isn't followed.
  static func foreignLink(_ shown: String) -> Failure {
    .output(
      "can't write '\(shown)': it goes through a symbolic link of another user in a "
        + "shared folder; give the real path")
  }

  /// The error for a link to a missing folder.
  static func danglingLink(_ shown: String) -> Failure {
    .usage(
      "'\(shown)' is a symbolic link to a folder that does not exist; make that folder, or remove the link"
    )
  }

  /// The error for a folder whose parent is missing.
  static func missingParent(_ shown: String) -> Failure {
    .usage("the parent folder of '\(shown)' does not exist; make it first")
  }

  private static func isFolder(_ path: [UInt8], _ shown: String) -> Failure {
    do throws(Errno) {
      _ = try FolderHandle(at: path)
    } catch {
      if error == .noEntry || error == .notDirectory {
        return .usage(
          "the output '\(shown)' is the name of a folder that does not exist; give the "
            + "name of a file")
      }
    }
    return .usage("the output '\(shown)' is a folder; give the name of a file in it")
  }
}

extension OutputPlace {
  /// A folder as a name in its parent, without trailing slashes.
  static func folder(_ path: [UInt8], _ shown: String) throws(Errno) -> Target {
    var path = path
    while path.count > 1, path.last == .slash { path.removeLast() }
    do throws(Errno) {
      return Target(try FileTarget(path), shown: shown)
    } catch .isDirectory {
      return Target(folder: try FolderHandle(at: path), name: [UInt8(ascii: ".")], shown: shown)
    }
  }
}

extension OutputPlace {
  /// The metadata of a target; nil if it doesn't exist.
  static func facts(of target: Target, following: Bool) throws(Errno) -> FileSystem.Facts? {
    try target.file.facts(following: following)
  }

  /// Whether a chain of links has one of another user in a folder that all users can write to.
  static func leadsThroughForeignLink(_ start: Target) -> Bool {
    start.file.leadsThroughForeignLink
  }

  /// Splits a path into its folder and the name in it.
  ///
  /// - Throws: ``Errno/isDirectory`` if it can only be the path of a folder.
  static func split(_ path: [UInt8]) throws(Errno) -> (folder: [UInt8], name: [UInt8]) {
    try FileTarget.split(path)
  }

  /// The temporary file next to a target, and the modification time of its folder without it.
  static func temporary(for target: Target) throws(Errno) -> TemporaryEntry {
    let folder = try target.folder.facts()
    return TemporaryEntry(
      name: target.file.temporaryName(), folder: folder.identity,
      folderModified: folder.modified, folderNanoseconds: folder.modifiedNanoseconds)
  }
}

extension LowArguments {
  /// The output file; `-` by default.
  var outputPath: [UInt8] { output ?? [UInt8(ascii: "-")] }

  /// The output place, resolved in the file system.
  var place: OutputPlace {
    get throws(Failure) { try OutputPlace(outputPath) }
  }

  /// The format to write: of `--format`, else of the output file's extension, else the default.
  ///
  /// - Parameters:
  ///   - made: The formats to choose from.
  ///   - usual: The default.
  ///   - subject: The command or action, for messages.
  func format(
    among made: [FileFormat], usual: FileFormat, of subject: String
  ) throws(Failure) -> FileFormat {
    if let format, !made.contains(format) {
      throw .usage(
        "--format \(format.rawValue) is not a format of \(subject); \(Self.choice(of: made))")
    }
    guard let output, let ending = endingThatCounts(output) else { return format ?? usual }
    let shown = TerminalText.escaped(output)
    if let format {
      if format.goes(with: ending) { return format }
      throw .usage(
        "--format \(format.rawValue) contradicts the ending of '\(shown)'; drop --format, or "
          + "choose another name")
    }
    guard let format = FileFormat.named(by: ending, among: made) else {
      throw .usage(
        "can't write '\(shown)': .\(ending) is not a format of this command; "
          + "\(Self.choice(of: made))")
    }
    return format
  }

  /// The format that a command is to write; its first format is the default.
  func format(of command: Command.Name) throws(Failure) -> FileFormat {
    let made = Self.formats(of: command)
    return try format(among: made, usual: made.first ?? .text, of: command.rawValue)
  }

  /// The output format of a command, not checked for conflicts; nil if the command has no formats.
  func expectedFormat(of command: Command.Name) -> FileFormat? {
    if let format { return format }
    let made = Self.formats(of: command)
    let named = output.flatMap(endingThatCounts).flatMap { FileFormat.named(by: $0, among: made) }
    return named ?? made.first
  }

  /// The formats of a command, from the choices of its option.
  private static func formats(of command: Command.Name) -> [FileFormat] {
    let option = Option.options(of: command).first { $0.name == "format" }
    return option?.choices.compactMap(FileFormat.init) ?? []
  }

  /// Refuses an output file whose extension is that of another format.
  ///
  /// - Parameter format: The format to write; nil if it is not in the list of formats.
  func checkEnding(against format: FileFormat?, _ what: String) throws(Failure) {
    guard let output, let ending = endingThatCounts(output) else { return }
    if let format, format.goes(with: ending) { return }
    throw .usage(
      "'\(TerminalText.escaped(output))' ends in .\(ending), and \(what); choose another name")
  }

  /// The extension of a regular or new output file; names of pipes and devices don't matter.
  private func endingThatCounts(_ output: [UInt8]) -> String? {
    guard let ending = FileFormat.ending(of: output) else { return nil }
    if let facts = try? FileSystem.rootFacts(output), facts.kind != .regular { return nil }
    return ending
  }

  private static func choice(of made: [FileFormat]) -> String {
    let words = made.map(\.rawValue)
    return (words.count == 1 ? "there is " : "choose ") + words.listed(by: "or")
  }
}
