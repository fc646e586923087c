import GeoCore

/// Why a path can't be written.
extension Failure {
  /// - Parameter shown: The path, safe for a terminal.
  package static func missingParent(of shown: String) -> Failure {
    Failure(
      .usage, "the parent folder of '\(shown)' does not exist; make it first", cause: Errno.noEntry)
  }

  package static func danglingLink(_ shown: String) -> Failure {
    Failure(
      .usage,
      "'\(shown)' is a symbolic link to a folder that does not exist; make that folder, or remove "
        + "the link", cause: Errno.noEntry)
  }
}

/// A file to be written: a name in an open folder.
package struct FileTarget: Sendable {
  package let folder: FolderHandle
  package let name: [UInt8]

  /// Maximum length of a chain of links, as in Linux.
  private static let maximumLinks = 40

  package init(folder: FolderHandle, name: [UInt8]) {
    self.folder = folder
    self.name = name
  }

  /// Opens the folder of a path. Throws ``Errno/isDirectory`` if it can only be the path of a folder.
  package init(_ path: [UInt8]) throws(Errno) {
    let (folder, name) = try Self.split(path)
    self.init(folder: try FolderHandle(at: folder), name: name)
  }

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
    for _ in 0..<Self.maximumLinks {
      guard let next = try target.next() else { return target }
      target = next
    }
    throw .linkLoop
  }

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
    for _ in 0..<Self.maximumLinks {
      if (try? target.folder.isForeignLink(target.name)) == true { return true }
      // Errors of following are reported when the link is followed.
      guard let next = try? target.next() else { return false }
      target = next
    }
    return false
  }

  package func temporaryName() -> [UInt8] {
    let tail = ThisProcess.temporaryName()
    let longest = min(255, folder.longestName() ?? 255) - tail.count - 1
    var stem = name.prefix(max(0, longest))
    if stem.count < name.count {
      // Don't cut inside a character: some systems refuse names that are not UTF-8.
      while let last = stem.last, last & 0xC0 == 0x80 { stem.removeLast() }
      if let last = stem.last, last >= 0xC0 { stem.removeLast() }
    }
    return [UInt8(ascii: ".")] + stem + tail
  }

  /// Makes a temporary file that is to replace the target.
  /// `permissions` are those of the target; nil if it doesn't exist.
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
