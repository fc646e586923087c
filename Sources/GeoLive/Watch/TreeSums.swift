/// What the files below a folder come to, each name counted.
///
/// Sums are kept modulo 2^64, so that what is added and taken away again leaves nothing behind.
package struct TreeSums: BitwiseCopyable, Hashable, Sendable {
  /// Names of all that is no folder.
  package var files: Int64 = 0
  /// Sub-folders at any depth.
  package var folders: Int64 = 0
  package var bytes: Int64 = 0
  /// Bytes that the file system has given them.
  package var allocated: Int64 = 0

  /// Nothing.
  package init() {}

  /// What one file adds: nothing, if the selection hasn't it.
  init(_ file: KnownFile) {
    guard file.isShown else { return }
    (files, bytes, allocated) = (1, file.size, file.allocated)
  }

  static func += (sums: inout TreeSums, more: TreeSums) {
    sums.files &+= more.files
    sums.folders &+= more.folders
    sums.bytes &+= more.bytes
    sums.allocated &+= more.allocated
  }

  static prefix func - (sums: TreeSums) -> TreeSums {
    var negative = TreeSums()
    negative.files = 0 &- sums.files
    negative.folders = 0 &- sums.folders
    negative.bytes = 0 &- sums.bytes
    negative.allocated = 0 &- sums.allocated
    return negative
  }
}
