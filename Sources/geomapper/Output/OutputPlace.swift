import GeoCore
import GeoSystem
import GeoTree

/// The place of the output, resolved before anything is written.
enum OutputPlace: Sendable {
  case standardOutput
  /// An existing pipe or device, which is opened and written.
  case inPlace(Target)
  /// A file that replaces the target when it is complete.
  case replacing(Target, permissions: UInt32?, temporary: TemporaryEntry)

  struct Target: Sendable {
    let file: FileTarget
    let shown: String

    var folder: FolderHandle { file.folder }
    var name: [UInt8] { file.name }
  }

  /// The temporary file, which the scanner leaves out.
  var temporary: TemporaryEntry? {
    if case .replacing(_, _, let temporary) = self { temporary } else { nil }
  }

  var isTerminal: Bool {
    if case .standardOutput = self { Terminal.isTerminal(Descriptor.standardOutput) } else { false }
  }

  /// Whether the output is a regular file, which is read only when it is complete.
  var isFile: Bool {
    switch self {
    case .standardOutput:
      (try? FileSystem.facts(of: Descriptor.standardOutput))?.kind == .regular
    case .inPlace: false
    case .replacing: true
    }
  }

  func refuseTerminal(_ thing: String) throws(Failure) {
    if isTerminal { throw .usage("not writing \(thing) to the terminal; use --output FILE") }
  }

  /// Resolves a path: follows links, opens the folder, and detects the kind of file.
  init(_ path: [UInt8]) throws(Failure) {
    if path.elementsEqual("-".utf8) || path.elementsEqual("/dev/stdout".utf8) {
      self = .standardOutput
      return
    }
    let shown = path.shown
    do {
      let start = Target(file: try FileTarget(path), shown: shown)
      if start.file.leadsThroughForeignLink { throw Failure.foreignLink(shown) }
      let found = try start.file.facts(following: true)
      if found?.kind == .directory { throw Errno.isDirectory }
      if let found, found.kind != .regular {
        self = .inPlace(start)
        return
      }
      let target = Target(file: try start.file.end(), shown: shown)
      let existing = try target.file.facts(following: false)
      if existing?.kind == .directory { throw Errno.isDirectory }
      if let found, existing?.identity != found.identity {
        // Some links in /proc lead to a file that their text doesn't name.
        self = .inPlace(start)
        return
      }
      self = .replacing(
        target, permissions: existing?.permissions, temporary: try Self.temporary(for: target))
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func failure(_ error: any Error, _ path: [UInt8]) -> Failure {
    if let failure = error as? Failure { return failure }
    let shown = path.shown
    switch error as? Errno {
    case .isDirectory? where isMissing(path):
      return .usage(
        "the output '\(shown)' is the name of a folder that does not exist; give the name of a file"
      )
    case .isDirectory?: return .folder(shown)
    case .noEntry?: return .missingParent(of: shown)
    case .notDirectory?: return .usage("can't write '\(shown)': its parent is not a folder")
    default: return .output("can't write '\(shown)': \(error)")
    }
  }

  private static func isMissing(_ path: [UInt8]) -> Bool {
    do throws(Errno) {
      _ = try FolderHandle(at: path)
      return false
    } catch {
      return error == .noEntry || error == .notDirectory
    }
  }
}

extension Failure {
  static func folder(_ shown: String) -> Failure {
    .usage("the output '\(shown)' is a folder; give the name of a file in it")
  }

  /// The path goes through another user's link, which isn't followed.
  static func foreignLink(_ shown: String) -> Failure {
    .output(
      "can't write '\(shown)': it goes through a symbolic link of another user in a shared folder; "
        + "give the real path")
  }
}

extension OutputPlace {
  /// A folder as a name in its parent, without trailing slashes.
  static func folder(_ path: [UInt8], _ shown: String) throws(Errno) -> Target {
    var path = path
    while path.count > 1, path.last == .slash { path.removeLast() }
    do throws(Errno) {
      return Target(file: try FileTarget(path), shown: shown)
    } catch .isDirectory {
      let folder = try FolderHandle(at: path)
      return Target(file: FileTarget(folder: folder, name: [UInt8(ascii: ".")]), shown: shown)
    }
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
  var outputPath: [UInt8] { output ?? [UInt8(ascii: "-")] }

  var place: OutputPlace {
    get throws(Failure) { try OutputPlace(outputPath) }
  }
}
