import CSystem
import GeoCore

/// A private folder of files for other programs. It is removed with all that is in it when the value
/// is destroyed, or when a signal ends the process. There is one at a time.
package final class ScratchFolder: Sendable {
  private let parent: FolderHandle
  private let name: [UInt8]
  private let folder: FolderHandle
  /// Its absolute path.
  package let path: [UInt8]

  package init() throws(Errno) {
    let above = ThisProcess.temporaryFolder
    name = ThisProcess.temporaryName()
    parent = try FolderHandle(at: above)
    path = try ThisProcess.realPath(above).appending(component: name)
    // Register the name first: a signal may come at any moment.
    parent.rememberScratch(name)
    do throws(Errno) {
      try parent.makeFolder(name, permissions: 0o700)
      folder = try FolderHandle(at: name, from: parent)
    } catch {
      parent.removeScratch(name)
      throw error
    }
  }

  deinit { parent.removeScratch(name) }

  package func path(of file: [UInt8]) -> [UInt8] { path.appending(component: file) }

  package func write(_ bytes: Span<UInt8>, as file: [UInt8]) throws(Errno) {
    let descriptor = try folder.create(file, permissions: 0o600)
    try descriptor.write(bytes)
    try descriptor.finish()
  }

  package func open(_ file: [UInt8]) throws(Errno) -> InputFile { try folder.openRegular(file) }

  /// The size of one of its files in bytes; 0 if it isn't there.
  package func size(of file: [UInt8]) -> Int64 {
    (try? FileSystem.facts(of: file, in: folder.rawValue).size) ?? 0
  }

  package func remove(_ file: [UInt8]) { try? folder.remove(file) }
}

extension FolderHandle {
  fileprivate func rememberScratch(_ name: [UInt8]) {
    let number = rawValue
    _ = try? FileSystem.withCString(name) { (name) throws(Errno) in
      csystem_scratch_set(number, name)
    }
  }

  fileprivate func removeScratch(_ name: [UInt8]) {
    let number = rawValue
    _ = try? FileSystem.withCString(name) { (name) throws(Errno) in
      csystem_remove_tree(number, name)
    }
    csystem_scratch_set(-1, nil)
  }
}
