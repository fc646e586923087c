import CSystem
import GeoCore

/// A folder that gets some files all at once, or stays as it was.
///
/// If it isn't there it is made, and empty at first, so that whoever reads the folder around it finds
/// what will be there. The files are written into another folder beside it, which then takes its
/// place. Into a folder that is there they are written as they come. Where that fails, or a signal
/// ends the process, what was written is removed, and the folder with it if it is new.
public final class FolderDraft {
  private let parent: FolderHandle
  private let name: [UInt8]
  /// Whether the folder was made here.
  private let isNew: Bool
  /// Where the files are written, once they are.
  private var folder: FolderHandle?
  private var temporary: [UInt8]?
  private var files: [[UInt8]] = []

  /// Makes the folder if it isn't there.
  ///
  /// - Parameters:
  ///   - name: Its name; `.` is the other folder itself.
  ///   - parent: The folder that it is in.
  /// - Throws: ``Errno/exists`` if there is something in it.
  public init(_ name: [UInt8], in parent: FolderHandle) throws(Errno) {
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

  /// Writes all files.
  ///
  /// - Parameters:
  ///   - files: Their names.
  ///   - temporary: A name that nobody in the folder around has.
  ///   - content: Makes the bytes of one of them; if it can't, none are written.
  public func write(
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

  /// Leaves everything as it was, as far as it can be.
  public func discard() {
    for file in files { try? folder?.remove(file) }
    if let temporary { try? parent.removeFolder(temporary) }
    if isNew { try? parent.removeFolder(name) }
    forget()
  }

  private func remember(_ folders: [[UInt8]]) {
    let names = Self.list(folders)
    names.withUnsafeBufferPointer {
      csystem_temporary_folders_set(
        CSYSTEM_TEMPORARY_DRAFT, parent.rawValue, $0.baseAddress, $0.count)
    }
  }

  private func rememberFiles(_ files: [[UInt8]], in folder: FolderHandle) {
    let names = Self.list(files)
    names.withUnsafeBufferPointer {
      csystem_temporary_files_set(
        CSYSTEM_TEMPORARY_DRAFT, folder.rawValue, $0.baseAddress, $0.count)
    }
  }

  private func forget() {
    csystem_temporary_files_set(CSYSTEM_TEMPORARY_DRAFT, -1, nil, 0)
    csystem_temporary_folders_set(CSYSTEM_TEMPORARY_DRAFT, -1, nil, 0)
  }

  private static func list(_ names: [[UInt8]]) -> [CChar] {
    (names.flatMap { $0 + [0] } + [0]).map { CChar(bitPattern: $0) }
  }
}
