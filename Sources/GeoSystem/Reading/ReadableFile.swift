#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A regular file that is read at any place.
public struct ReadableFile: ~Copyable, Sendable {
  private let descriptor: Descriptor
  /// Bytes of the file when it was opened.
  public let size: Int

  /// Opens a file; links are followed.
  ///
  /// - Returns: The file; nil if it is no regular file.
  public static func open(_ path: [UInt8]) throws(Errno) -> ReadableFile? {
    // A pipe would let the call wait for a writer.
    let descriptor = Descriptor(
      owning: try FileSystem.withCString(path) { (path) throws(Errno) in
        try retrying { openat(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
      })
    let facts = try FileSystem.facts(of: descriptor.rawValue)
    if facts.kind != .regular { return nil }
    return ReadableFile(descriptor, size: Int(clamping: facts.size))
  }

  init(_ descriptor: consuming Descriptor, size: Int) {
    self.descriptor = descriptor
    self.size = size
  }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - count: How many; fewer come if the file ends before.
  ///   - offset: Where they begin.
  ///   - bytes: Replaced by them.
  public borrowing func read(
    _ count: Int, at offset: Int, into bytes: inout [UInt8]
  ) throws(Errno) {
    let number = descriptor.rawValue
    if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
    var filled = 0
    while filled < count {
      let got = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(Errno) in
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        return try retrying { pread(number, rest.baseAddress, rest.count, off_t(offset + filled)) }
      }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
  }
}
