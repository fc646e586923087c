/// The shapes of trees that can be made.
enum TreeShape: String, CaseIterable {
  /// Like a home folder.
  case home
  /// One folder with all files.
  case flat
  /// One folder with all other folders.
  case wide
  /// A chain of folders.
  case deep
  /// Folders without files, a few in each.
  case empty
  /// One huge folder next to thousands of small ones.
  case lopsided
  /// Names of 255 bytes, in folders nested deeper than the longest path.
  case long

  var rootStyle: FolderStyle {
    switch self {
    case .home: .home
    case .long: .long
    default: .mixed
    }
  }
}
