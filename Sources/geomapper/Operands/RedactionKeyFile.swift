import GeoCore
import GeoPipeline
import GeoSystem

/// The file with the key that replaces hidden names.
struct RedactionKeyFile {
  let path: [UInt8]
  /// Whether it is the default file, whose folders are made if missing.
  private let isDefault: Bool

  /// Maximum number of bytes to read; a key is shorter.
  private static let limit = 4096

  init(_ arguments: RedactionArguments) throws(Failure) {
    isDefault = arguments.keyFile == nil
    if let file = arguments.keyFile {
      path = file
    } else {
      path = try UserFolder.settings.path(
        of: "redact.key", or: "give the key's file with --redact-key FILE")
    }
  }

  private var shown: String { path.shown }

  func key(isQuiet: Bool) throws(Failure) -> RedactionKey {
    if let key = try read() { return key }
    if try make(), !isQuiet {
      Messages.note(
        "made the key '\(shown)'; keep it, and to yourself: with it a path has the same name every "
          + "time")
    }
    if let key = try read() { return key }
    throw .usage(
      "can't read the key '\(shown)': it is a symbolic link that leads nowhere, or has just been "
        + "removed")
  }

  /// Reads the key; nil if the file doesn't exist.
  private func read() throws(Failure) -> RedactionKey? {
    let text: [UInt8]
    let isOpen: Bool
    do throws(Errno) {
      let facts = try FileSystem.rootFacts(path)
      // The permissions of a pipe don't matter.
      isOpen = facts.kind == .regular && facts.permissions & 0o077 != 0
      text = try FileSystem.readInput(path, limit: Self.limit)
    } catch {
      if error == .noEntry { return nil }
      throw .usage("can't read the key '\(shown)': \(error)")
    }
    if isOpen {
      throw .usage("others can read the key '\(shown)': 'chmod 600' it, or take another one")
    }
    guard let key = RedactionKey(parsing: text) else {
      throw .wrong(
        path, "is not a key: a key has 64 hexadecimal digits (try 'openssl rand -hex 32')")
    }
    return key
  }

  /// Makes the file with a random key, readable by the user only; false if another run made it just
  /// now.
  private func make() throws(Failure) -> Bool {
    let name = Array(path.lastComponent)
    let parent = path.parentPath.map { $0.isEmpty ? [UInt8.slash] : Array($0) }
    do throws(Errno) {
      if isDefault, let parent { try FolderHandle.makeFolders(parent) }
      let folder = try FolderHandle(at: parent ?? [UInt8(ascii: ".")])
      let key = try RedactionKey.random()
      let output = try folder.create(name, permissions: 0o600)
      do throws(Errno) {
        try output.write(key.text.span)
        try output.finish()
      } catch {
        // Don't leave an incomplete key for the next run.
        try? folder.remove(name)
        throw error
      }
      return true
    } catch {
      if error == .exists { return false }
      if error == .noEntry, !isDefault {
        throw .usage("the folder of the key '\(shown)' does not exist; make it first")
      }
      throw .usage("can't make the key '\(shown)': \(error); give a file with --redact-key FILE")
    }
  }

  func lies(in folder: [UInt8]) -> Bool {
    guard let file = try? ThisProcess.realPath(path),
      let folder = try? ThisProcess.realPath(folder)
    else { return false }
    return file.isPath(atOrBelow: folder)
  }
}
