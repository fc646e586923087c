/// The totals of a folder's contents at all depths; a file with several hard links counts once.
@frozen public struct FolderTotals: BitwiseCopyable, Sendable, Hashable, Codable {
  /// Files of any kind.
  public var files: Int64
  /// The sum of the files' sizes in bytes, at most 2^63 − 1; nil if some sizes are unknown, as in a
  /// list of names.
  public var bytes: Int64?
  /// The sum of the files' allocated bytes, at most 2^63 − 1; nil if some are unknown, as in a
  /// revision of a repository.
  public var allocated: Int64?

  @inlinable
  package init(files: Int64, bytes: Int64?, allocated: Int64?) {
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
  }

  /// Whether room on disk is known. Some file systems report none for any file, which says nothing.
  package var knowsRoom: Bool { allocated.map { $0 > 0 || bytes == 0 } ?? false }
}
