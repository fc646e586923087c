/// What is added up of files. No sum of 2^26 sizes or more is too large for it.
@frozen package struct FileSums: Sendable {
  package var files: Int
  package var bytes: Int128
  package var allocated: Int128
  /// Unix time of the last change of any; the least number if none is known.
  package var newest: Int64

  /// What is added in place of an amount that nobody knows. It is so far below zero that no amounts make
  /// up for it, so that a sum with any of it tells that it is none; and it costs a sum nothing.
  @inlinable package static var unknown: Int128 { -(1 << 90) }

  @inlinable
  package init(
    files: Int = 0, bytes: Int128 = 0, allocated: Int128 = 0, newest: Int64 = .min
  ) {
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
    self.newest = newest
  }

  /// A sum as far as it fits; nil if some of what it consists of is not known.
  @inlinable
  package static func known(_ sum: Int128) -> Int64? { sum < 0 ? nil : Int64(clamping: sum) }

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
