import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
