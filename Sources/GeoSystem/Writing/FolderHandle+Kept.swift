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
