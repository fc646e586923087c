import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open folder in which files are created, renamed and removed by name.
///
/// It stays valid if a folder above it is renamed.
package final class FolderHandle: Sendable {
  private let descriptor: Descriptor

  /// Opens the folder at a path, following links.
  package init(at path: [UInt8]) throws(Errno) {
    self.descriptor = try Self.open(path, from: AT_FDCWD)
  }

  package init(at path: [UInt8], from other: FolderHandle) throws(Errno) {
    self.descriptor = try Self.open(path, from: other.descriptor.rawValue)
  }

  private static func open(_ path: [UInt8], from start: Int32) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try FileSystem.withCString(path) { (path) throws(Errno) in
        try retrying { openat(start, path, csystem_folder_access | O_DIRECTORY | O_CLOEXEC) }
      })
  }

  var rawValue: Int32 { descriptor.rawValue }

  package func facts() throws(Errno) -> FileSystem.Facts { try FileSystem.facts(of: rawValue) }

  /// The facts about an entry, or about the target of a link.
  package func facts(of name: [UInt8], following: Bool) throws(Errno) -> FileSystem.Facts {
    try FileSystem.facts(of: name, in: rawValue, following: following)
  }

  /// Whether a name is a symbolic link that may be a trap: the folder is sticky and writable by all
  /// users, and the link belongs neither to this user nor to the folder's owner.
  ///
  /// Linux refuses such links if `fs.protected_symlinks` is set.
  package func isForeignLink(_ name: [UInt8]) throws(Errno) -> Bool {
    let number = descriptor.rawValue
    var folder = stat()
    _ = try retrying { fstat(number, &folder) }
    let shared = mode_t(S_ISVTX) | mode_t(S_IWOTH)
    if folder.st_mode & shared != shared { return false }
    var link = stat()
    try FileSystem.withCString(name) { (name) throws(Errno) in
      _ = try retrying { fstatat(number, name, &link, AT_SYMLINK_NOFOLLOW) }
    }
    return link.st_mode & S_IFMT == S_IFLNK && link.st_uid != geteuid()
      && link.st_uid != folder.st_uid
  }

  package func target(ofLink name: [UInt8]) throws(Errno) -> [UInt8] {
    let number = descriptor.rawValue
    return try FileSystem.withCString(name) { (name) throws(Errno) in
      var capacity = 256
      while true {
        var buffer = [CChar](repeating: 0, count: capacity)
        let count = try retrying { readlinkat(number, name, &buffer, capacity) }
        if count < capacity { return buffer[..<count].map { UInt8(bitPattern: $0) } }
        capacity *= 2
      }
    }
  }

  /// The length of the longest name in the folder, in bytes; nil if unknown.
  package func longestName() -> Int? {
    let limit = fpathconf(descriptor.rawValue, Int32(_PC_NAME_MAX))
    return limit > 0 ? limit : nil
  }
}

extension FolderHandle {
  /// Creates a file for writing; it must not exist. The umask applies to `permissions`.
  package func create(_ name: [UInt8], permissions: UInt32) throws(Errno) -> Descriptor {
    let number = rawValue
    return Descriptor(
      owning: try FileSystem.withCString(name) { (name) throws(Errno) in
        try retrying {
          openat(
            number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
            mode_t(permissions))
        }
      })
  }

  /// Creates a folder. Throws ``Errno/exists`` if the name is in use. The umask applies.
  package func makeFolder(_ name: [UInt8], permissions: UInt32 = 0o777) throws(Errno) {
    let number = rawValue
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try retrying { mkdirat(number, name, mode_t(permissions)) }
    }
  }

  package func removeFolder(_ name: [UInt8]) throws(Errno) {
    let number = rawValue
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try retrying { unlinkat(number, name, AT_REMOVEDIR) }
    }
  }

  /// Whether the folder is empty but for files that `isNothing` accepts.
  package func isEmpty(but isNothing: ([UInt8]) -> Bool = { _ in false }) throws(Errno) -> Bool {
    // The folder's descriptor may be O_PATH, which can't be read.
    let folder = try FileSystem.openFolder([UInt8(ascii: ".")], in: rawValue)
    var reader = DirectoryReader()
    var files = NameTable()
    var folders = NameTable()
    if let error = reader.read(folder.rawValue, files: &files, folders: &folders) { throw error }
    return folders.isEmpty && files.records.indices.allSatisfy { isNothing(files.name(at: $0)) }
  }

  /// Opens an existing entry for writing; truncates a regular file, and waits for a reader of a
  /// pipe.
  package func openExisting(_ name: [UInt8]) throws(Errno) -> Descriptor {
    let number = rawValue
    return Descriptor(
      owning: try FileSystem.withCString(name) { (name) throws(Errno) in
        try retrying { openat(number, name, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC) }
      })
  }

  /// Renames an entry, and replaces an existing entry of the new name. `folder` has to be on the same
  /// file system.
  package func rename(
    _ name: [UInt8], to other: [UInt8], in folder: FolderHandle? = nil
  ) throws(Errno) {
    let (number, target) = (rawValue, folder?.rawValue ?? rawValue)
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try FileSystem.withCString(other) { (other) throws(Errno) in
        try retrying { renameat(number, name, target, other) }
      }
    }
  }

  package func remove(_ name: [UInt8]) throws(Errno) {
    let number = rawValue
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try retrying { unlinkat(number, name, 0) }
    }
  }

  /// Registers a file to be removed if a signal ends the process, until ``forgetTemporary()`` is
  /// called. There is one such file at a time, with a name of at most 255 bytes, and the folder has to
  /// stay open.
  package func rememberTemporary(_ name: [UInt8]) {
    let number = rawValue
    _ = try? FileSystem.withCString(name) { (name) throws(Errno) in
      csystem_temporary_set(number, name)
    }
  }

  package static func forgetTemporary() { csystem_temporary_clear() }
}

extension Descriptor {
  package borrowing func setPermissions(_ permissions: UInt32) throws(Errno) {
    let number = rawValue
    _ = try retrying { fchmod(number, mode_t(permissions)) }
  }
}

extension FolderHandle {
  /// Renames an entry. Throws ``Errno/exists`` if the new name is in use.
  package func rename(_ name: [UInt8], toNew other: [UInt8]) throws(Errno) {
    let number = rawValue
    let reason = try FileSystem.withCString(name) { (name) throws(Errno) in
      try FileSystem.withCString(other) { (other) throws(Errno) in
        csystem_rename_new(number, name, other)
      }
    }
    if reason != 0 { throw Errno(rawValue: reason) }
  }

  /// Creates a folder and its missing parents, unless it exists.
  package static func makeFolders(_ path: [UInt8], permissions: UInt32 = 0o777) throws(Errno) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: .slash) ?? path.endIndex
      let part = Array(path[..<end])
      do throws(Errno) {
        _ = try FileSystem.withCString(part) { (part) throws(Errno) in
          try retrying { mkdir(part, mode_t(permissions)) }
        }
      } catch {
        // Other faults show when the folder is opened.
        if error != .exists, end == path.endIndex { throw error }
      }
    }
  }

  /// Opens a regular file for reading; refuses links, pipes and other kinds.
  package func openRegular(_ name: [UInt8]) throws(Errno) -> InputFile {
    let file = try FileSystem.open(
      name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, in: rawValue)
    let facts = try FileSystem.facts(of: file.rawValue)
    if facts.kind == .directory { throw .isDirectory }
    if facts.kind != .regular { throw Errno(rawValue: EINVAL) }
    return try InputFile(file)
  }

  /// The names of all entries that are not folders, in byte order.
  package func fileNames() throws(Errno) -> NameTable {
    // The folder's descriptor may be O_PATH, which can't be read.
    let folder = try FileSystem.openFolder([UInt8(ascii: ".")], in: rawValue)
    var reader = DirectoryReader()
    var files = NameTable()
    var folders = NameTable()
    if let error = reader.read(folder.rawValue, files: &files, folders: &folders) { throw error }
    files.sort()
    return files
  }
}

/// A file that is written at any offset and stays open.
package final class KeptFile: Sendable {
  private let descriptor: Descriptor

  /// Throws ``Errno/exists`` if the name is in use.
  package init(making name: [UInt8], in folder: FolderHandle) throws(Errno) {
    descriptor = try folder.create(name, permissions: 0o666)
  }

  package func identity() throws(Errno) -> FileSystem.Identity {
    try FileSystem.facts(of: descriptor.rawValue).identity
  }

  /// Writes bytes at an offset; returns how many, and the failure if these are not all.
  package func write(_ bytes: [UInt8], at offset: Int64) -> (count: Int, failure: Errno?) {
    var done = 0
    let number = descriptor.rawValue
    return bytes.withUnsafeBytes { buffer in
      while done < buffer.count {
        do throws(Errno) {
          let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
          let count = try retrying {
            pwrite(number, rest.baseAddress, rest.count, off_t(offset + Int64(done)))
          }
          if count == 0 { return (done, .inputOutput) }
          done += count
        } catch {
          return (done, error)
        }
      }
      return (done, nil)
    }
  }

  package func truncate(to count: Int64) throws(Errno) {
    let number = descriptor.rawValue
    _ = try retrying { ftruncate(number, off_t(count)) }
  }

  /// Makes what was written survive a crash of the system.
  package func synchronize() throws(Errno) {
    let number = descriptor.rawValue
    _ = try retrying { fsync(number) }
  }
}

extension Errno {
  /// Whether a limit is reached: of the device, of the user's quota, or of the size of a file.
  package var meansFull: Bool {
    rawValue == ENOSPC || rawValue == EDQUOT || rawValue == EFBIG
  }
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let overflow = Errno(rawValue: EOVERFLOW)
}
