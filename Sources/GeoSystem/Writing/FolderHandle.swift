import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open folder in which files are made, renamed and removed by their names.
///
/// The names stay right when a folder above is renamed meanwhile.
public final class FolderHandle: Sendable {
  private let descriptor: Descriptor

  /// Opens the folder at a path, which may lead through links.
  ///
  /// - Throws: ``Errno/notDirectory`` and ``Errno/noEntry`` as the system has them.
  public init(at path: [UInt8]) throws(Errno) {
    self.descriptor = try Self.open(path, from: AT_FDCWD)
  }

  /// Opens the folder at a path that starts at another one.
  public init(at path: [UInt8], from other: FolderHandle) throws(Errno) {
    self.descriptor = try Self.open(path, from: other.descriptor.rawValue)
  }

  private static func open(_ path: [UInt8], from start: Int32) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try FileSystem.withCString(path) { (path) throws(Errno) in
        try retrying { openat(start, path, csystem_folder_access | O_DIRECTORY | O_CLOEXEC) }
      })
  }

  /// The number that the system knows it by.
  var rawValue: Int32 { descriptor.rawValue }

  /// What the folder itself is.
  public func facts() throws(Errno) -> FileSystem.Facts { try FileSystem.facts(of: rawValue) }

  /// What the entry of a name is, or what it leads to.
  public func facts(of name: [UInt8], following: Bool) throws(Errno) -> FileSystem.Facts {
    try FileSystem.facts(of: name, in: rawValue, following: following)
  }

  /// Whether a name is a symbolic link that only its owner should follow: somebody else put it into
  /// a folder where everybody may put things, and that folder isn't theirs.
  ///
  /// It is what Linux refuses where `fs.protected_symlinks` is set.
  public func isForeignLink(_ name: [UInt8]) throws(Errno) -> Bool {
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

  /// What a symbolic link holds.
  public func target(ofLink name: [UInt8]) throws(Errno) -> [UInt8] {
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

  /// The longest name that the folder takes, in bytes, as far as the system says.
  public func longestName() -> Int? {
    let limit = fpathconf(descriptor.rawValue, Int32(_PC_NAME_MAX))
    return limit > 0 ? limit : nil
  }
}

extension FolderHandle {
  /// Makes a file of a name that nobody has, for writing.
  ///
  /// - Parameter permissions: What it may be used for, less what the process's mask takes away.
  public func create(_ name: [UInt8], permissions: UInt32) throws(Errno) -> Descriptor {
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

  /// Makes a folder.
  ///
  /// - Parameter permissions: Who may do what in it, less what the process's mask takes away.
  /// - Throws: ``Errno/exists`` if there is something of that name.
  public func makeFolder(_ name: [UInt8], permissions: UInt32 = 0o777) throws(Errno) {
    let number = rawValue
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try retrying { mkdirat(number, name, mode_t(permissions)) }
    }
  }

  /// Removes a folder that nothing is in.
  public func removeFolder(_ name: [UInt8]) throws(Errno) {
    let number = rawValue
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try retrying { unlinkat(number, name, AT_REMOVEDIR) }
    }
  }

  /// Whether nothing is in the folder.
  ///
  /// - Parameter isNothing: Tells of the name of a file whether it doesn't count.
  public func isEmpty(but isNothing: ([UInt8]) -> Bool = { _ in false }) throws(Errno) -> Bool {
    // A folder that is only held can't be read.
    let folder = try FileSystem.openFolder([UInt8(ascii: ".")], in: rawValue)
    var reader = DirectoryReader()
    var files = NameTable()
    var folders = NameTable()
    if let error = reader.read(folder.rawValue, files: &files, folders: &folders) { throw error }
    return folders.isEmpty && files.records.indices.allSatisfy { isNothing(files.name(at: $0)) }
  }

  /// Opens what exists for writing, emptied if it is a regular file; waits for a reader if it is a
  /// pipe.
  public func openExisting(_ name: [UInt8]) throws(Errno) -> Descriptor {
    let number = rawValue
    return Descriptor(
      owning: try FileSystem.withCString(name) { (name) throws(Errno) in
        try retrying { openat(number, name, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC) }
      })
  }

  /// Gives an entry another name, in the place of whoever has that name.
  ///
  /// - Parameter folder: Where it goes, if that is another folder, on the same file system.
  public func rename(
    _ name: [UInt8], to other: [UInt8], in folder: FolderHandle? = nil
  ) throws(Errno) {
    let (number, target) = (rawValue, folder?.rawValue ?? rawValue)
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try FileSystem.withCString(other) { (other) throws(Errno) in
        try retrying { renameat(number, name, target, other) }
      }
    }
  }

  /// Removes a file.
  public func remove(_ name: [UInt8]) throws(Errno) {
    let number = rawValue
    _ = try FileSystem.withCString(name) { (name) throws(Errno) in
      try retrying { unlinkat(number, name, 0) }
    }
  }

  /// Has a file removed if a signal ends the process, until ``forgetTemporary()`` is called.
  ///
  /// There is one such file at a time, and the folder has to stay open.
  ///
  /// - Parameter name: At most 255 bytes.
  public func rememberTemporary(_ name: [UInt8]) {
    let number = rawValue
    _ = try? FileSystem.withCString(name) { (name) throws(Errno) in
      csystem_temporary_set(number, name)
    }
  }

  /// A signal is to remove nothing any more.
  public static func forgetTemporary() { csystem_temporary_clear() }
}

extension Descriptor {
  /// Sets who may read, write and execute the file.
  public borrowing func setPermissions(_ permissions: UInt32) throws(Errno) {
    let number = rawValue
    _ = try retrying { fchmod(number, mode_t(permissions)) }
  }
}

extension FolderHandle {
  /// Gives an entry another name, unless somebody has that name.
  ///
  /// - Throws: ``Errno/exists`` if there is something of that name.
  public func rename(_ name: [UInt8], toNew other: [UInt8]) throws(Errno) {
    let number = rawValue
    let reason = try FileSystem.withCString(name) { (name) throws(Errno) in
      try FileSystem.withCString(other) { (other) throws(Errno) in
        csystem_rename_new(number, name, other)
      }
    }
    if reason != 0 { throw Errno(rawValue: reason) }
  }

  /// Makes a folder and those on the way to it that are missing; one that is there is fine.
  public static func makeFolders(_ path: [UInt8]) throws(Errno) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: .slash) ?? path.endIndex
      let part = Array(path[..<end])
      do throws(Errno) {
        _ = try FileSystem.withCString(part) { (part) throws(Errno) in
          try retrying { mkdir(part, 0o777) }
        }
      } catch {
        // Whatever is there already is looked at by whoever opens the folder.
        if error != .exists, end == path.endIndex { throw error }
      }
    }
  }

  /// Opens a regular file for reading, and nothing but one: no link, no pipe.
  public func openRegular(_ name: [UInt8]) throws(Errno) -> InputFile {
    let file = try FileSystem.open(
      name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, in: rawValue)
    let facts = try FileSystem.facts(of: file.rawValue)
    if facts.kind == .directory { throw .isDirectory }
    if facts.kind != .regular { throw Errno(rawValue: EINVAL) }
    return try InputFile(file)
  }

  /// The names of all that is no folder, in byte order.
  public func fileNames() throws(Errno) -> NameTable {
    // A folder that is only held can't be read.
    let folder = try FileSystem.openFolder([UInt8(ascii: ".")], in: rawValue)
    var reader = DirectoryReader()
    var files = NameTable()
    var folders = NameTable()
    if let error = reader.read(folder.rawValue, files: &files, folders: &folders) { throw error }
    files.sort()
    return files
  }
}

/// A file that is written at any place of it, and stays open while it is.
public final class KeptFile: Sendable {
  private let descriptor: Descriptor

  /// Makes a file of a name that nobody in a folder has.
  ///
  /// - Throws: ``Errno/exists`` if there is something of that name.
  public init(making name: [UInt8], in folder: FolderHandle) throws(Errno) {
    descriptor = try folder.create(name, permissions: 0o666)
  }

  /// What tells it from every other file.
  public func identity() throws(Errno) -> FileSystem.Identity {
    try FileSystem.facts(of: descriptor.rawValue).identity
  }

  /// Writes some bytes, or as many of them as there is room for.
  ///
  /// - Returns: How many were written before something failed, and what that was.
  public func write(_ bytes: [UInt8], at offset: Int64) -> (count: Int, failure: Errno?) {
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

  /// Cuts the file off.
  public func truncate(to count: Int64) throws(Errno) {
    let number = descriptor.rawValue
    _ = try retrying { ftruncate(number, off_t(count)) }
  }

  /// Has the system keep what was written even if it breaks down.
  public func synchronize() throws(Errno) {
    let number = descriptor.rawValue
    _ = try retrying { fsync(number) }
  }
}

extension Errno {
  /// There is no room left: on the device, in the user's share of it, or in what a file may have.
  public var meansFull: Bool {
    rawValue == ENOSPC || rawValue == EDQUOT || rawValue == EFBIG
  }
  /// No room is left on the device.
  public static let noSpace = Errno(rawValue: ENOSPC)
  /// A number is too large for its kind, or a queue for its room.
  public static let overflow = Errno(rawValue: EOVERFLOW)
}
