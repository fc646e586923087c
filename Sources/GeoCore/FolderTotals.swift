/// All that is below a folder, each file counted once, however many names it has there.
@frozen public struct FolderTotals: BitwiseCopyable, Sendable, Hashable, Codable {
  /// Files of any kind.
  public var files: Int64
  /// Bytes of the files, as their metadata say; 2^63 − 1 if they are more, nil if some of the files come
  /// from where sizes are not known, such as a list of names.
  public var bytes: Int64?
  /// Bytes that the file system has given the files; 2^63 − 1 if they are more, nil if some of the files
  /// come from where that is not known, such as a revision of a repository.
  public var allocated: Int64?

  /// Totals of the given amounts.
  @inlinable
  public init(files: Int64, bytes: Int64?, allocated: Int64?) {
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
  }
}
