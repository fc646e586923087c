import GeoCore
import GeoTree
import GeoSystem

/// Where the output goes, found before anything is written.
enum OutputPlace: Sendable {
  case standardOutput
  /// What is there is no regular file: it is opened and written.
  case inPlace(Target)
  /// A file takes the place of the target when it is complete.
  case replacing(Target, permissions: UInt32?, temporary: TemporaryEntry)

  /// A name in an open folder.
  struct Target: Sendable {
    let folder: FolderHandle
    let name: [UInt8]
    /// The output as it was given, for messages.
    let shown: String
  }

  /// The temporary file that the scanner is not to see.
  var temporary: TemporaryEntry? {
    if case .replacing(_, _, let temporary) = self { temporary } else { nil }
  }

  /// Whether the output can be seen at once.
  var isTerminal: Bool {
    if case .standardOutput = self {
      Terminal.isTerminal(Descriptor.standardOutput)
    } else {
      false
    }
  }

  /// Finds where a path leads: the target of a link, the folder it is in, and what is there.
  init(_ path: [UInt8]) throws(Failure) {
    if path.elementsEqual("-".utf8) || path.elementsEqual("/dev/stdout".utf8) {
      self = .standardOutput
      return
    }
    let shown = TerminalText.escaped(path)
    if path.isEmpty { throw .usage("--output needs the name of a file; it is empty") }
    var isForeign = false
    do throws(Errno) {
      let (folder, name) = try Self.split(path)
      let start = Target(folder: try FolderHandle(at: folder), name: name, shown: shown)
      isForeign = Self.leadsThroughForeignLink(start)
      if isForeign { throw Errno.accessDenied }
      let found = try Self.facts(of: start, following: true)
      if found?.kind == .directory { throw Errno.isDirectory }
      if let found, found.kind != .regular {
        self = .inPlace(start)
        return
      }
      let target = try Self.follow(start)
      let existing = try Self.facts(of: target, following: false)
      if existing?.kind == .directory { throw Errno.isDirectory }
      if let found, existing?.identity != found.identity {
        // A link whose text leads elsewhere than the link, as some in /proc.
        self = .inPlace(start)
        return
      }
      self = .replacing(
        target, permissions: existing?.permissions, temporary: try Self.temporary(for: target))
    } catch .isDirectory {
      throw Self.isFolder(path, shown)
    } catch .noEntry {
      throw .usage("the folder of the output '\(shown)' does not exist; make it first")
    } catch .notDirectory {
      throw .usage("the output '\(shown)' can't be made: what is to be its folder is none")
    } catch {
      throw isForeign
        ? Self.foreignLink(shown) : .output("can't write '\(shown)': \(error)")
    }
  }

  /// What to say of a link that isn't followed.
  static func foreignLink(_ shown: String) -> Failure {
    .output(
      "can't write '\(shown)': a symbolic link of another user, in a folder where everybody may "
        + "put one, leads there; name the place that is meant")
  }

  /// What to say of a link to a folder that isn't there.
  static func danglingLink(_ shown: String) -> Failure {
    .usage(
      "'\(shown)' is a symbolic link to a folder that does not exist; make that folder, or remove the link"
    )
  }

  private static func isFolder(_ path: [UInt8], _ shown: String) -> Failure {
    do throws(Errno) {
      _ = try FolderHandle(at: path)
    } catch {
      if error == .noEntry || error == .notDirectory {
        return .usage(
          "the output '\(shown)' has the name of a folder, and there is none; "
            + "give the name of a file")
      }
    }
    return .usage("the output '\(shown)' is a folder; give the name of a file in it")
  }
}
