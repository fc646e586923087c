import CSystem

/// A folder whose files appear all at once, or not at all.
///
/// A new folder is created empty, so that readers of its parent already find it. Its files are
/// written to a temporary folder next to it, which then replaces it. In an existing folder the
/// files are written directly. On failure, or if a signal ends the process, the written files are
/// removed, and so is the folder if it is new.
package final class FolderDraft {
  private let parent: FolderHandle
  private let name: [UInt8]
  private let isNew: Bool
  private var folder: FolderHandle?
  private var temporary: [UInt8]?
  private var files: [[UInt8]] = []

  /// Creates the folder if it doesn't exist. Throws ``Errno/exists`` if it isn't empty. The name `.` is
  /// the parent itself.
  package init(_ name: [UInt8], in parent: FolderHandle) throws(Errno) {
    self.parent = parent
    self.name = name
    do throws(Errno) {
      try parent.makeFolder(name)
      isNew = true
      remember([name])
    } catch {
      if error != .exists { throw error }
      isNew = false
      let folder = try FolderHandle(at: name, from: parent)
      if try !folder.isEmpty() { throw .exists }
      self.folder = folder
    }
  }

  /// Writes all files; if `content` throws for one, none is kept. `temporary` is an unused name in the
  /// parent.
  package func write(
    _ files: [[UInt8]], temporary: [UInt8], _ content: (Int) throws(Errno) -> [UInt8]
  ) throws(Errno) {
    do throws(Errno) {
      if isNew {
        try parent.makeFolder(temporary)
        self.temporary = temporary
        remember([temporary, name])
        folder = try FolderHandle(at: temporary, from: parent)
      }
      guard let folder else { return }
      rememberFiles(files, in: folder)
      for (index, file) in files.enumerated() {
        let bytes = try content(index)
        let descriptor = try folder.create(file, permissions: 0o666)
        self.files.append(file)
        try descriptor.write(bytes.span)
        try descriptor.finish()
      }
      if isNew { try parent.rename(temporary, to: name) }
    } catch {
      discard()
      throw error
    }
    forget()
  }

  /// Removes all that was created, as far as possible.
  package func discard() {
    for file in files { try? folder?.remove(file) }
    if let temporary { try? parent.removeFolder(temporary) }
    if isNew { try? parent.removeFolder(name) }
    forget()
  }

  private func remember(_ folders: [[UInt8]]) {
    Self.list(folders).withUnsafeBufferPointer {
      csystem_draft_folders_set(parent.rawValue, $0.baseAddress, $0.count)
    }
  }

  private func rememberFiles(_ files: [[UInt8]], in folder: FolderHandle) {
    Self.list(files).withUnsafeBufferPointer {
      csystem_draft_files_set(folder.rawValue, $0.baseAddress, $0.count)
    }
  }

  private func forget() {
    csystem_draft_files_set(-1, nil, 0)
    csystem_draft_folders_set(-1, nil, 0)
  }

  private static func list(_ names: [[UInt8]]) -> [CChar] {
    (names.flatMap { $0 + [0] } + [0]).map { CChar(bitPattern: $0) }
  }
}
