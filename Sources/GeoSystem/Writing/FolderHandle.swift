import CSystem

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
