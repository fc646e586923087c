#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileSystem {
  /// The bytes of a regular file.
  ///
  /// - Parameters:
  ///   - path: Where it is, relative to the folder unless it begins with `/`.
  ///   - directory: An open folder; the current one if it isn't given.
  ///   - following: Whether the last name may be a symbolic link; if not, it throws
  ///     ``Errno/linkLoop``.
  ///   - limit: How many bytes it may have; it throws ``Errno/fileTooLarge`` if it has more.
  /// - Returns: The bytes; nil if it is no regular file.
  public static func readFile(
    _ path: [UInt8], in directory: Int32? = nil, following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    // A pipe would let the call wait for a writer.
    let access = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (following ? 0 : O_NOFOLLOW)
    let file = try open(path, access, in: directory ?? AT_FDCWD)
    let facts = try facts(of: file.rawValue)
    if facts.kind != .regular { return nil }
    return try readAll(file, expecting: facts.size, limit: limit)
  }

  /// The bytes of a file or what comes through a pipe, to the end.
  ///
  /// - Parameters:
  ///   - path: Where it is; links are followed.
  ///   - limit: How many bytes there may be; it throws ``Errno/fileTooLarge`` if there are more.
  public static func readInput(_ path: [UInt8], limit: Int) throws(Errno) -> [UInt8] {
    let file = try open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, in: AT_FDCWD)
    return try readAll(file, expecting: 0, limit: limit)
  }

  static func open(
    _ path: [UInt8], _ access: Int32, in directory: Int32
  ) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try withCString(path) { (path) throws(Errno) in
        try retrying { openat(directory, path, access) }
      })
  }

  private static func readAll(
    _ file: borrowing Descriptor, expecting size: Int64, limit: Int
  ) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    // One more, so that the end is met without growing.
    var room = Int(clamping: min(max(size, 0), 1 << 20)) + 1
    while true {
      let count = try file.read(upTo: room, appendingTo: &bytes)
      if count == 0 { return bytes }
      if bytes.count > limit { throw .fileTooLarge }
      room = 64 * 1024
    }
  }
}
