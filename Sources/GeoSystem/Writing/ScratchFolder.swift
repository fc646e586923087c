import CSystem

/// A folder of files for other programs, that nobody else may look into. It is gone with the value, or
/// when a signal ends the process.
public final class ScratchFolder {
  private let parent: FolderHandle
  private let name: [UInt8]
  private let folder: FolderHandle
  private let files: [[UInt8]]
  /// Where it is.
  public let path: [UInt8]

  /// Makes an empty folder in the one that `TMPDIR` names, else in `/tmp`.
  ///
  /// - Parameter files: The names of all files that there will be in it.
  public init(for files: [[UInt8]]) throws(Errno) {
    var above = ThisProcess.environment("TMPDIR") ?? []
    if above.isEmpty { above = Array("/tmp".utf8) }
    let digits = String(UInt64.random(in: 0...(.max)), radix: 36)
    name = Array(".geomapper-\(ThisProcess.number)-\(digits).tmp".utf8)
    parent = try FolderHandle(at: above)
    path = try ThisProcess.realPath(above) + [UInt8(ascii: "/")] + name
    self.files = files
    try parent.makeFolder(name, permissions: 0o700)
    do throws(Errno) {
      folder = try FolderHandle(at: name, from: parent)
    } catch {
      try? parent.removeFolder(name)
      throw error
    }
    Self.list([name]).withUnsafeBufferPointer {
      csystem_temporary_folders_set(
        CSYSTEM_TEMPORARY_SCRATCH, parent.rawValue, $0.baseAddress, $0.count)
    }
    Self.list(files).withUnsafeBufferPointer {
      csystem_temporary_files_set(
        CSYSTEM_TEMPORARY_SCRATCH, folder.rawValue, $0.baseAddress, $0.count)
    }
  }

  deinit {
    for file in files { try? folder.remove(file) }
    try? parent.removeFolder(name)
    csystem_temporary_files_set(CSYSTEM_TEMPORARY_SCRATCH, -1, nil, 0)
    csystem_temporary_folders_set(CSYSTEM_TEMPORARY_SCRATCH, -1, nil, 0)
  }

  /// Where a file of it is.
  public func path(of file: [UInt8]) -> [UInt8] { path + [UInt8(ascii: "/")] + file }

  /// Writes one of its files.
  public func write(_ bytes: Span<UInt8>, as file: [UInt8]) throws(Errno) {
    let descriptor = try folder.create(file, permissions: 0o600)
    try descriptor.write(bytes)
    try descriptor.finish()
  }

  /// Removes one of its files, if it is there.
  public func remove(_ file: [UInt8]) { try? folder.remove(file) }

  private static func list(_ names: [[UInt8]]) -> [CChar] {
    (names.flatMap { $0 + [0] } + [0]).map { CChar(bitPattern: $0) }
  }
}
