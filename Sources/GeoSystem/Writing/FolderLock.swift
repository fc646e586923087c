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

  /// Throws ``Errno/wouldBlock`` if another process, or another value in this one, has the lock. On a
  /// file system without locks it always succeeds.
  package init(on folder: FolderHandle) throws(Errno) {
    descriptor = try FileSystem.openFolder([UInt8(ascii: ".")], in: folder.rawValue)
    do throws(Errno) {
      try descriptor.lock()
    } catch {
      if error == .wouldBlock { throw error }
    }
  }

  // Explicitly: a child process between fork and exec still has a copy of the descriptor.
  deinit { _ = flock(descriptor.rawValue, LOCK_UN) }
}

/// A lock on a file. It is released when the value is destroyed, or when the process ends.
package final class FileLock: Sendable {
  private let descriptor: Descriptor

  /// Opens a file, or creates it with permissions 0600, and locks it. Throws ``Errno/wouldBlock`` if
  /// another process still has the lock after the given time, and any other reason if the file system
  /// has no locks.
  package init(
    on name: [UInt8], in folder: FolderHandle, waiting milliseconds: Int64
  ) throws(Errno) {
    descriptor = try FileSystem.open(
      name, O_RDWR | O_CREAT | O_NOFOLLOW, in: folder.rawValue, permissions: 0o600)
    let end = ThisProcess.nanoseconds + milliseconds * 1_000_000
    while true {
      do throws(Errno) {
        try descriptor.lock()
        return
      } catch {
        let now = ThisProcess.nanoseconds
        if error != .wouldBlock || now >= end { throw error }
        ThisMachine.sleep(until: min(end, now + 20_000_000))
      }
    }
  }

  deinit { _ = flock(descriptor.rawValue, LOCK_UN) }

  package func beginning(_ count: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try descriptor.read(upTo: count, at: 0, appendingTo: &bytes)
    return bytes
  }

  package func write(_ bytes: [UInt8]) throws(Errno) {
    let number = descriptor.rawValue
    _ = try retrying { ftruncate(number, 0) }
    if lseek(number, 0, SEEK_SET) < 0 { throw .current }
    try descriptor.write(bytes.span)
    try descriptor.synchronize()
  }
}

extension Descriptor {
  /// Locks the file without waiting, until all duplicates of the descriptor are closed. Throws
  /// ``Errno/wouldBlock`` if another process has the lock.
  package borrowing func lock() throws(Errno) {
    let number = rawValue
    _ = try retrying { flock(number, LOCK_EX | LOCK_NB) }
  }

  /// Makes what was written survive a crash of the system.
  package borrowing func synchronize() throws(Errno) {
    let number = rawValue
    _ = try retrying { fsync(number) }
  }
}

extension FolderHandle {
  /// Whether a process has locked a file of the folder; false if the file can't be opened.
  package func isLocked(_ name: [UInt8]) -> Bool {
    guard let file = try? FileSystem.open(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, in: rawValue)
    else { return false }
    do throws(Errno) {
      try file.lock()
      return false
    } catch {
      return error == .wouldBlock
    }
  }

  /// Makes created, renamed and removed names survive a crash of the system.
  package func synchronize() throws(Errno) {
    // The folder's descriptor may be O_PATH, which can't be synchronized.
    try FileSystem.openFolder([UInt8(ascii: ".")], in: rawValue).synchronize()
  }
}

extension Errno {
  /// Whether the file system, or the connection to it, has no locks.
  package var meansNoLocks: Bool {
    [ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL, EBADF, EIO].contains(rawValue)
  }
}
