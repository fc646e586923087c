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

  /// A name in an open folder.
  struct Target: Sendable {
    let folder: FolderHandle
    let name: [UInt8]
    /// The output as typed, for messages.
    let shown: String
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
      let (folder, name) = try split(path)
      return Target(folder: try FolderHandle(at: folder), name: name, shown: shown)
    } catch .isDirectory {
      return Target(folder: try FolderHandle(at: path), name: [UInt8(ascii: ".")], shown: shown)
    }
  }
}

extension OutputPlace {
  /// Maximum length of a chain of links, as in Linux.
  private static let mostLinks = 40

  /// The metadata of a target; nil if it doesn't exist.
  static func facts(of target: Target, following: Bool) throws(Errno) -> FileSystem.Facts? {
    do throws(Errno) {
      return try target.folder.facts(of: target.name, following: following)
    } catch .noEntry {
      return nil
    }
  }

  /// The target at the end of a chain of links. It need not exist; its folder must.
  static func follow(_ start: Target) throws(Errno) -> Target {
    var target = start
    for _ in 0..<mostLinks {
      guard let next = try next(after: target) else { return target }
      target = next
    }
    throw .linkLoop
  }

  /// The target of a link; nil if `target` is not a link.
  private static func next(after target: Target) throws(Errno) -> Target? {
    guard try facts(of: target, following: false)?.kind == .symlink else { return nil }
    let (folder, name) = try split(try target.folder.target(ofLink: target.name))
    return Target(
      folder: try FolderHandle(at: folder, from: target.folder), name: name, shown: target.shown)
  }

  /// Whether a chain of links has one of another user in a folder that all users can write to.
  ///
  /// Such a link could redirect the output. Linux can refuse to follow it (`protected_symlinks`),
  /// but not every system does.
  static func leadsThroughForeignLink(_ start: Target) -> Bool {
    var target = start
    for _ in 0..<mostLinks {
      if (try? target.folder.isForeignLink(target.name)) == true { return true }
      // Errors of following are reported when the link is followed.
      guard let next = try? next(after: target) else { return false }
      target = next
    }
    return false
  }

  /// Splits a path into its folder and the name in it.
  ///
  /// - Throws: ``Errno/isDirectory`` if it can only be the path of a folder.
  static func split(_ path: [UInt8]) throws(Errno) -> (folder: [UInt8], name: [UInt8]) {
    let name = path.lastComponent
    if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      throw .isDirectory
    }
    let folder = path[..<name.startIndex]
    return (folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder), Array(name))
  }

  /// The temporary file next to a target, and the modification time of its folder without it.
  static func temporary(for target: Target) throws(Errno) -> TemporaryEntry {
    // With 64 random bits, a name that exists already is too unlikely to handle.
    let tail = Array(
      (".geomapper-\(ThisProcess.number)-" + String(UInt64.random(in: 0...(.max)), radix: 36)
        + ".tmp").utf8)
    let room = min(255, target.folder.longestName() ?? 255) - tail.count - 1
    var stem = target.name.prefix(max(0, room))
    if stem.count < target.name.count {
      // Don't cut inside a character: some systems refuse names that are not UTF-8.
      while let last = stem.last, last & 0xC0 == 0x80 { stem.removeLast() }
      if let last = stem.last, last >= 0xC0 { stem.removeLast() }
    }
    let folder = try target.folder.facts()
    return TemporaryEntry(
      name: [UInt8(ascii: ".")] + stem + tail, folder: folder.identity,
      folderModified: folder.modified, folderNanoseconds: folder.modifiedNanoseconds)
  }
}
