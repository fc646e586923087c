/// What is added up of files. No sum of 2^64 sizes is too large for it.
@frozen package struct FileSums: Sendable {
  package var files: Int
  package var bytes: Int128
  package var allocated: Int128
  /// Unix time of the last change of any; the least number if none is known.
  package var newest: Int64

  @inlinable
  package init(
    files: Int = 0, bytes: Int128 = 0, allocated: Int128 = 0, newest: Int64 = .min
  ) {
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
    self.newest = newest
  }

  @inlinable
  package static func += (sums: inout FileSums, more: FileSums) {
    sums.files += more.files
    sums.bytes += more.bytes
    sums.allocated += more.allocated
    sums.newest = max(sums.newest, more.newest)
  }

  /// Takes away what was counted twice; what is newest stays.
  @inlinable
  package static func -= (sums: inout FileSums, fewer: FileSums) {
    sums.files -= fewer.files
    sums.bytes -= fewer.bytes
    sums.allocated -= fewer.allocated
  }
}
