/// A file that replaces another of its name when it is complete, or leaves it alone.
package final class FileDraft {
  private let target: FileTarget
  /// The name until the file is complete.
  package let temporary: [UInt8]
  /// The facts about its folder before the temporary file was made.
  package let folder: FileSystem.Facts
  private var descriptor: Descriptor?
  private var isComplete = false

  /// Makes the temporary file. Links are followed; what is not a regular file is refused.
  package init(_ path: [UInt8]) throws(Errno) {
    let start = try FileTarget(path)
    if start.leadsThroughForeignLink { throw .accessDenied }
    target = try start.end()
    let existing = try target.facts(following: false)
    if existing?.kind == .directory { throw .isDirectory }
    if let existing, existing.kind != .regular { throw .notSupported }
    temporary = target.temporaryName()
    folder = try target.folder.facts()
    descriptor = try target.makeTemporary(temporary, permissions: existing?.permissions)
  }

  deinit {
    if !isComplete { try? target.folder.remove(temporary) }
  }

  package func write(_ bytes: Span<UInt8>) throws(Errno) { try descriptor?.write(bytes) }

  /// Closes the file and gives it its name.
  package func complete() throws(Errno) {
    try descriptor.take()?.finish()
    try target.folder.rename(temporary, to: target.name)
    isComplete = true
  }
}
