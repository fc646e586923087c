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
    let file = Descriptor(
      owning: try withCString(path) { (path) throws(Errno) in
        try retrying { openat(directory ?? AT_FDCWD, path, access) }
      })
    let facts = try facts(of: file.rawValue)
    if facts.kind != .regular { return nil }
    var bytes: [UInt8] = []
    var room = Int(clamping: min(max(facts.size, 0), 1 << 20)) + 1
    while true {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: room))
      let number = file.rawValue
      let count = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(Errno) in
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[start...])
        return try retrying { read(number, rest.baseAddress, rest.count) }
      }
      bytes.removeLast(room - count)
      if count == 0 { return bytes }
      if bytes.count > limit { throw .fileTooLarge }
      room = 64 * 1024
    }
  }
}
