import Foundation
import GeoSystem
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc

  /// Locks on folders.
  @Suite struct FolderLockTests {
    /// A child process between fork and exec has copies of all descriptors.
    @Test func unlocksDespiteCopiedDescriptors() throws {
      let folder = try TemporaryFolder()
      let handle = try FolderHandle(at: Array(folder.path.utf8))
      var copies: [Int32] = []
      defer { for copy in copies { close(copy) } }
      do {
        let lock = try FolderLock(on: handle)
        #expect(throws: Errno.wouldBlock) { try FolderLock(on: handle) }
        let place = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(name)")
          if target == place, let number = Int32(name) { copies.append(dup(number)) }
        }
        withExtendedLifetime(lock) {}
      }
      #expect(copies.count >= 2)
      #expect(throws: Never.self) { try FolderLock(on: handle) }
    }
  }
#endif
