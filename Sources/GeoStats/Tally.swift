/// Sums while they are added up: no 2^64 sizes are too many for them.
struct Tally: Sendable {
  var folders = 0
  var files = 0
  var bytes: Int128 = 0
  var allocated: Int128 = 0
  var newest = Int64.min

  static func += (tally: inout Tally, more: Tally) {
    tally.folders += more.folders
    tally.files += more.files
    tally.bytes += more.bytes
    tally.allocated += more.allocated
    tally.newest = max(tally.newest, more.newest)
  }

  /// Takes away what was counted twice; what is newest stays.
  static func -= (tally: inout Tally, fewer: Tally) {
    tally.folders -= fewer.folders
    tally.files -= fewer.files
    tally.bytes -= fewer.bytes
    tally.allocated -= fewer.allocated
  }

  /// The sums, as far as they fit.
  var sums: TreeStats.Sums {
    TreeStats.Sums(
      folders: folders, files: files, bytes: Int64(clamping: bytes),
      allocated: Int64(clamping: allocated), newest: newest == .min ? nil : newest)
  }
}
