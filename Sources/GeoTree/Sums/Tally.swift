/// Sums of folders and files while they are added up.
struct Tally: Sendable {
  var folders = 0
  var files = FileSums()

  static func += (tally: inout Tally, more: Tally) {
    tally.folders += more.folders
    tally.files += more.files
  }

  /// Takes away what was counted twice; what is newest stays.
  static func -= (tally: inout Tally, fewer: Tally) {
    tally.folders -= fewer.folders
    tally.files -= fewer.files
  }

  /// The sums, as far as they fit.
  var sums: TreeStats.Sums {
    TreeStats.Sums(
      folders: folders, files: files.files, bytes: FileSums.known(files.bytes),
      allocated: FileSums.known(files.allocated),
      newest: files.newest == .min ? nil : files.newest)
  }
}
