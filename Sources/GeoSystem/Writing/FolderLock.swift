#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock on a folder, which leaves no trace in it. It is let go with the value, or when the process ends.
package final class FolderLock: Sendable {
  private let descriptor: Descriptor

  /// Locks a folder.
  ///
  /// A file system that knows no locks has every process take one.
  ///
  /// - Throws: ``Errno/wouldBlock`` if another process has the lock, or another value of this one.
  package init(on folder: FolderHandle) throws(Errno) {
    descriptor = try FileSystem.openFolder([UInt8(ascii: ".")], in: folder.rawValue)
    let number = descriptor.rawValue
    do throws(Errno) {
      _ = try retrying { flock(number, LOCK_EX | LOCK_NB) }
    } catch {
      if error == .wouldBlock { throw error }
    }
  }
}
