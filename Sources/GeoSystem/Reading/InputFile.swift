#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

/// A file or a pipe that is read from its beginning; a file also at any offset.
package final class InputFile: Sendable {
  private let descriptor: Descriptor
  /// The offset at which reading a regular file starts; nil if the input can't be read again.
  package let start: Int64?
  /// The bytes of a regular file from ``start`` on, when it was opened.
  package let size: Int64?
  /// The number of bytes read so far, and the listener.
  private let reach = Mutex((bytes: Int64(0), listener: Listener?.none))

  /// Receives the number of bytes read so far; bytes that are read again count again.
  package typealias Listener = @Sendable (Int64) -> Void

  /// Opens the target of a path; waits for a writer of a pipe. Throws ``Errno/isDirectory`` for a folder.
  package convenience init(at path: [UInt8]) throws(Errno) {
    try self.init(FileSystem.open(path, O_RDONLY | O_NOCTTY))
  }

  /// Standard input, from its current position.
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

  /// Reads the next bytes, at most `count`, and appends them; 0 at the end.
  package func read(upTo count: Int, appendingTo bytes: inout [UInt8]) throws(Errno) -> Int {
    counted(try descriptor.read(upTo: count, appendingTo: &bytes))
  }

  /// Reads bytes of a regular file likewise.
  package func read(
    upTo count: Int, at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(Errno) -> Int {
    counted(try descriptor.read(upTo: count, at: offset, appendingTo: &bytes))
  }

  package func reportReads(to listener: @escaping Listener) {
    reach.withLock { $0.listener = listener }
  }

  private func counted(_ count: Int) -> Int {
    let (bytes, listener) = reach.withLock { reach in
      reach.bytes += Int64(count)
      return reach
    }
    listener?(bytes)
    return count
  }
}

/// A regular file that is read at any offset.
package struct ReadableFile: ~Copyable, Sendable {
  private let descriptor: Descriptor
  /// The size of the file in bytes, when it was opened.
  package let size: Int

  /// Opens a file, following links; nil if it isn't a regular one.
  package static func open(_ path: [UInt8]) throws(Errno) -> ReadableFile? {
    // Non-blocking, because opening a pipe would wait for a writer.
    let descriptor = try FileSystem.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    let facts = try FileSystem.facts(of: descriptor.rawValue)
    if facts.kind != .regular { return nil }
    return ReadableFile(descriptor, size: Int(clamping: facts.size))
  }

  init(_ descriptor: consuming Descriptor, size: Int) {
    self.descriptor = descriptor
    self.size = size
  }

  /// Replaces `bytes` by those from an offset on; there are fewer than `count` at the end of the file.
  package borrowing func read(
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
