import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file without a name, for data that doesn't fit into memory. It is gone when the value is
/// destroyed or the process ends, in whatever way.
@usableFromInline package final class ScratchFile: @unchecked Sendable {
  // Sendable: one thread writes, and others read only after it has finished.
  private let descriptor: Descriptor
  @usableFromInline package private(set) var count: Int64 = 0

  @usableFromInline package init() throws(Errno) {
    descriptor = try Self.openUnnamed(in: ThisProcess.temporaryFolder)
  }

  private static func openUnnamed(in folder: [UInt8]) throws(Errno) -> Descriptor {
    if csystem_unnamed_file != 0 {
      do throws(Errno) {
        return try open(folder, csystem_unnamed_file)
      } catch .notSupported, .isDirectory {
        // The file system or an old kernel doesn't support it.
      }
    }
    let name = folder.appending(component: ThisProcess.temporaryName())
    let descriptor = try open(name, O_CREAT | O_NOFOLLOW)
    // Without a name, nothing has to be cleaned up.
    try? FileSystem.withCString(name) { (path) throws(Errno) in _ = unlink(path) }
    return descriptor
  }

  private static func open(_ path: [UInt8], _ flags: Int32) throws(Errno) -> Descriptor {
    try FileSystem.open(path, O_RDWR | O_EXCL | flags, permissions: 0o600)
  }

  var rawValue: Int32 { descriptor.rawValue }

  /// Moves to the beginning, for another program that reads the file.
  func rewind() throws(Errno) {
    if lseek(descriptor.rawValue, 0, SEEK_SET) < 0 { throw .current }
  }

  @usableFromInline package func append(_ bytes: Span<UInt8>) throws(Errno) {
    try descriptor.write(bytes)
    count += Int64(bytes.count)
  }

  /// The file with its present size, for reading at any offset. The file exists as long as either
  /// value.
  package func readable() throws(Errno) -> ReadableFile {
    ReadableFile(try Descriptor.duplicate(descriptor.rawValue), size: Int(count))
  }

  /// Reads up to `count` bytes from the beginning, such as other programs have written.
  package func beginning(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try? read(upTo: count, at: 0, appendingTo: &bytes)
    return bytes
  }

  /// The number of bytes that any program has written.
  package var size: Int64 { (try? FileSystem.facts(of: descriptor.rawValue).size) ?? 0 }

  /// The last line that isn't empty, such as other programs have written, or its last 4,096 bytes;
  /// nil without one.
  package var lastLine: [UInt8]? {
    var bytes: [UInt8] = []
    _ = try? read(upTo: 4096, at: max(0, size - 4096), appendingTo: &bytes)
    return bytes.split { $0 == 10 || $0 == 13 }.last { !$0.allSatisfy { $0 == 0x20 } }
      .map { Array($0) }
  }

  @usableFromInline package func read(
    upTo count: Int, at offset: Int64, appendingTo bytes: inout [UInt8]
  ) throws(Errno) -> Int {
    try descriptor.read(upTo: count, at: offset, appendingTo: &bytes)
  }
}
