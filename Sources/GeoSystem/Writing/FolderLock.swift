#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock on a folder, without a lock file. It is released when the value is destroyed, or when the
/// process ends.
package final class FolderLock: Sendable {
  private let descriptor: Descriptor

  /// Locks a folder.
  ///
  /// On a file system without locks it always succeeds.
  ///
  /// - Throws: ``Errno/wouldBlock`` if another process, or another value in this one, has the lock.
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
