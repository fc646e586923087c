import CSystem
import GeoCore

/// A file to be written: a name in an open folder.
package struct FileTarget: Sendable {
  /// The folder.
  package let folder: FolderHandle
  /// The name in it.
  package let name: [UInt8]

  /// Maximum length of a chain of links, as in Linux.
  private static let mostLinks = 40

  /// Makes a target from its parts.
  package init(folder: FolderHandle, name: [UInt8]) {
    self.folder = folder
    self.name = name
  }

  /// Opens the folder of a path.
  ///
  /// - Throws: ``Errno/isDirectory`` if it can only be the path of a folder.
  package init(_ path: [UInt8]) throws(Errno) {
    let (folder, name) = try Self.split(path)
    self.init(folder: try FolderHandle(at: folder), name: name)
  }

  /// Splits a path into its folder and the name in it.
  ///
  /// - Throws: ``Errno/isDirectory`` if it can only be the path of a folder.
  package static func split(_ path: [UInt8]) throws(Errno) -> (folder: [UInt8], name: [UInt8]) {
    let name = path.lastComponent
    if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      throw .isDirectory
    }
    let folder = path[..<name.startIndex]
    return (folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder), Array(name))
  }

  /// The metadata of the file; nil if it doesn't exist.
  package func facts(following: Bool) throws(Errno) -> FileSystem.Facts? {
    do throws(Errno) {
      return try folder.facts(of: name, following: following)
    } catch .noEntry {
      return nil
    }
  }

  /// The target at the end of a chain of links. It need not exist; its folder must.
  package func end() throws(Errno) -> FileTarget {
    var target = self
    for _ in 0..<Self.mostLinks {
      guard let next = try target.next() else { return target }
      target = next
    }
    throw .linkLoop
  }

  /// The target of a link; nil if the name is not a link.
  private func next() throws(Errno) -> FileTarget? {
    guard try facts(following: false)?.kind == .symlink else { return nil }
    let (path, name) = try Self.split(try folder.target(ofLink: name))
    return FileTarget(folder: try FolderHandle(at: path, from: folder), name: name)
  }

  /// Whether a chain of links has one of another user in a folder that all users can write to.
  ///
  /// Such a link could redirect the output. Linux can refuse to follow it (`protected_symlinks`),
  /// but not every system does.
  package var leadsThroughForeignLink: Bool {
    var target = self
    for _ in 0..<Self.mostLinks {
      if (try? target.folder.isForeignLink(target.name)) == true { return true }
      // Errors of following are reported when the link is followed.
      guard let next = try? target.next() else { return false }
      target = next
    }
    return false
  }

  /// A new name for a temporary file next to the target.
  package func temporaryName() -> [UInt8] {
    // With 64 random bits, a name that exists already is too unlikely to handle.
    let tail = Array(
      (".geomapper-\(ThisProcess.number)-" + String(UInt64.random(in: 0...(.max)), radix: 36)
        + ".tmp").utf8)
    let room = min(255, folder.longestName() ?? 255) - tail.count - 1
    var stem = name.prefix(max(0, room))
    if stem.count < name.count {
      // Don't cut inside a character: some systems refuse names that are not UTF-8.
      while let last = stem.last, last & 0xC0 == 0x80 { stem.removeLast() }
      if let last = stem.last, last >= 0xC0 { stem.removeLast() }
    }
    return [UInt8(ascii: ".")] + stem + tail
  }

  /// Makes a temporary file that is to replace the target.
  ///
  /// - Parameter permissions: Those of the target; nil if it doesn't exist.
  package func makeTemporary(
    _ temporary: [UInt8], permissions: UInt32?
  ) throws(Errno) -> Descriptor {
    // A file that replaces a private one must never be readable by others.
    let descriptor = try folder.create(
      temporary, permissions: permissions == nil ? 0o666 : 0o600)
    // Some file systems have no permissions and refuse: keep the default ones there.
    if let permissions { try? descriptor.setPermissions(permissions) }
    return descriptor
  }
}

/// A file that replaces another of its name when it is complete, or leaves it alone.
package final class FileDraft {
  private let target: FileTarget
  /// The name until the file is complete.
  package let temporary: [UInt8]
  /// The facts about its folder before the temporary file was made.
  package let folder: FileSystem.Facts
  private var descriptor: Descriptor?
  private var isComplete = false

  /// Makes the temporary file. Links are followed; what is not a regular file is refused.
  package init(_ path: [UInt8]) throws(Errno) {
    let start = try FileTarget(path)
    if start.leadsThroughForeignLink { throw .accessDenied }
    target = try start.end()
    let existing = try target.facts(following: false)
    if existing?.kind == .directory { throw .isDirectory }
    if let existing, existing.kind != .regular { throw .notSupported }
    temporary = target.temporaryName()
    folder = try target.folder.facts()
    descriptor = try target.makeTemporary(temporary, permissions: existing?.permissions)
  }

  deinit {
    if !isComplete { try? target.folder.remove(temporary) }
  }

  /// Writes bytes at the end.
  package func write(_ bytes: Span<UInt8>) throws(Errno) { try descriptor?.write(bytes) }

  /// Closes the file and gives it its name.
  package func complete() throws(Errno) {
    try descriptor.take()?.finish()
    try target.folder.rename(temporary, to: target.name)
    isComplete = true
  }
}

/// A folder whose files appear all at once, or not at all.
///
/// A new folder is created empty, so that readers of its parent already find it. Its files are
/// written to a temporary folder next to it, which then replaces it. In an existing folder the
/// files are written directly. On failure, or if a signal ends the process, the written files are
/// removed, and so is the folder if it is new.
package final class FolderDraft {
  private let parent: FolderHandle
  private let name: [UInt8]
  /// Whether the folder was created here.
  private let isNew: Bool
  /// The folder to which the files are written.
  private var folder: FolderHandle?
  private var temporary: [UInt8]?
  private var files: [[UInt8]] = []

  /// Creates the folder if it doesn't exist.
  ///
  /// - Parameters:
  ///   - name: Its name; `.` is the parent itself.
  ///   - parent: The folder that contains it.
  /// - Throws: ``Errno/exists`` if it isn't empty.
  package init(_ name: [UInt8], in parent: FolderHandle) throws(Errno) {
    self.parent = parent
    self.name = name
    do throws(Errno) {
      try parent.makeFolder(name)
      isNew = true
      remember([name])
    } catch {
      if error != .exists { throw error }
      isNew = false
      let folder = try FolderHandle(at: name, from: parent)
      if try !folder.isEmpty() { throw .exists }
      self.folder = folder
    }
  }

  /// Writes all files.
  ///
  /// - Parameters:
  ///   - files: Their names.
  ///   - temporary: An unused name in the parent.
  ///   - content: Returns the bytes of a file; if it throws, no file is kept.
  package func write(
    _ files: [[UInt8]], temporary: [UInt8], _ content: (Int) throws(Errno) -> [UInt8]
  ) throws(Errno) {
    do throws(Errno) {
      if isNew {
        try parent.makeFolder(temporary)
        self.temporary = temporary
        remember([temporary, name])
        folder = try FolderHandle(at: temporary, from: parent)
      }
      guard let folder else { return }
      rememberFiles(files, in: folder)
      for (index, file) in files.enumerated() {
        let bytes = try content(index)
        let descriptor = try folder.create(file, permissions: 0o666)
        self.files.append(file)
        try descriptor.write(bytes.span)
        try descriptor.finish()
      }
      if isNew { try parent.rename(temporary, to: name) }
    } catch {
      discard()
      throw error
    }
    forget()
  }

  /// Removes all that was created, as far as possible.
  package func discard() {
    for file in files { try? folder?.remove(file) }
    if let temporary { try? parent.removeFolder(temporary) }
    if isNew { try? parent.removeFolder(name) }
    forget()
  }

  private func remember(_ folders: [[UInt8]]) {
    let names = Self.list(folders)
    names.withUnsafeBufferPointer {
      csystem_draft_folders_set(parent.rawValue, $0.baseAddress, $0.count)
    }
  }

  private func rememberFiles(_ files: [[UInt8]], in folder: FolderHandle) {
    let names = Self.list(files)
    names.withUnsafeBufferPointer {
      csystem_draft_files_set(folder.rawValue, $0.baseAddress, $0.count)
    }
  }

  private func forget() {
    csystem_draft_files_set(-1, nil, 0)
    csystem_draft_folders_set(-1, nil, 0)
  }

  private static func list(_ names: [[UInt8]]) -> [CChar] {
    (names.flatMap { $0 + [0] } + [0]).map { CChar(bitPattern: $0) }
  }
}
