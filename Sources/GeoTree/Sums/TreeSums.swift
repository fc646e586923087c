/// Running sums of folders and files.
///
/// 128 bits hold the sum of any 2^26 sizes.
@frozen @usableFromInline package struct TreeSums: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var folders: Int
  /// Files of any kind.
  @usableFromInline package var files: Int
  @usableFromInline package var bytes: Int128
  @usableFromInline package var allocated: Int128
  /// The latest modification time of a file in Unix seconds; `.min` if none is known.
  @usableFromInline package var newest: Int64
  /// An upper bound of the size and of the room on disk of each file.
  @usableFromInline package var largest: Int64

  /// The value to add for an unknown amount. It is so far below zero that no known amounts
  /// compensate it, so the sum shows that it is unknown.
  @inlinable package static var unknown: Int128 { -(1 << 90) }

  @inlinable
  package init(
    folders: Int = 0, files: Int = 0, bytes: Int128 = 0, allocated: Int128 = 0,
    newest: Int64 = .min, largest: Int64 = 0
  ) {
    self.folders = folders
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
    self.newest = newest
    self.largest = largest
  }

  /// The bytes, clamped to 64 bits; nil if some are unknown.
  package var knownBytes: Int64? { Self.known(bytes) }
  package var knownAllocated: Int64? { Self.known(allocated) }

  private static func known(_ sum: Int128) -> Int64? {
    sum < unknown / 2 ? nil : Int64(clamping: max(0, sum))
  }

  @inlinable
  package static func += (sums: inout TreeSums, more: TreeSums) {
    sums.folders += more.folders
    sums.files += more.files
    sums.bytes += more.bytes
    sums.allocated += more.allocated
    sums.newest = max(sums.newest, more.newest)
    sums.largest = max(sums.largest, more.largest)
  }

  /// Subtracts amounts that were added before; `newest` and `largest` stay.
  @inlinable
  package static func -= (sums: inout TreeSums, fewer: TreeSums) {
    sums.folders -= fewer.folders
    sums.files -= fewer.files
    sums.bytes -= fewer.bytes
    sums.allocated -= fewer.allocated
  }

  /// Replaces the amounts of a changed part. Unknown amounts stay unknown.
  mutating func replace(_ old: TreeSums, by new: TreeSums) {
    self += new
    folders -= old.folders
    files -= old.files
    bytes -= max(0, old.bytes)
    allocated -= max(0, old.allocated)
  }

  @inlinable
  package static func - (sums: TreeSums, fewer: TreeSums) -> TreeSums {
    var rest = sums
    rest -= fewer
    return rest
  }
}
