#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

/// A file or a pipe that is read from its beginning, and a file also at any place.
public final class InputFile: Sendable {
  private let descriptor: Descriptor
  /// Where a regular file is read from; nil if what is read can't be read again.
  package let start: Int64?
  /// Bytes of a regular file from there on, when it was opened.
  package let size: Int64?
  /// How many bytes were read in all, and who hears of it.
  private let reach = Mutex((bytes: Int64(0), listener: Listener?.none))

  /// Hears how many bytes were read in all, those that were read again counted again.
  package typealias Listener = @Sendable (Int64) -> Void

  /// Opens what a path leads to; waits for a writer if it is a pipe.
  ///
  /// - Throws: ``Errno/isDirectory`` if it is a folder, and as the system has it.
  package convenience init(at path: [UInt8]) throws(Errno) {
    try self.init(try FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, in: AT_FDCWD))
  }

  /// What stands on standard input, from where the last reader stopped.
  package static func standardInput() throws(Errno) -> InputFile {
    try InputFile(try Descriptor.duplicate(Descriptor.standardInput))
  }

  init(_ descriptor: consuming Descriptor) throws(Errno) {
    let facts = try FileSystem.facts(of: descriptor.rawValue)
    if facts.kind == .directory { throw .isDirectory }
    if facts.kind == .regular {
      let number = descriptor.rawValue
      let here = Int64(try retrying { lseek(number, 0, SEEK_CUR) })
      start = here
      size = max(0, facts.size - here)
    } else {
      (start, size) = (nil, nil)
    }
    self.descriptor = descriptor
  }

  /// Adds the next bytes to some others.
  ///
  /// - Returns: How many there were, at most `count`; 0 at the end.
  package func read(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    told(try descriptor.read(upTo: count, appendingTo: &bytes))
  }

  /// Adds the bytes at some place of a regular file to others.
  ///
  /// - Returns: How many there were, at most `count`; 0 at the end.
  package func read(
    upTo count: Int, at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(Errno) -> Int {
    told(try descriptor.read(upTo: count, at: offset, appendingTo: &bytes))
  }

  /// Has each reading from now on told.
  package func tellReach(to listener: @escaping Listener) {
    reach.withLock { $0.listener = listener }
  }

  private func told(_ count: Int) -> Int {
    let (bytes, listener) = reach.withLock { reach in
      reach.bytes += Int64(count)
      return reach
    }
    listener?(bytes)
    return count
  }
}

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
