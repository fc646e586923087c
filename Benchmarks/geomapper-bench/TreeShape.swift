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

  var files: Int {
    switch self {
    case .home, .flat: 1_000_000
    case .wide, .empty: 0
    case .deep: 3_000
    case .lopsided: 520_000
    case .long: 20_000
    }
  }

  var folders: Int {
    switch self {
    case .home: 60_000
    case .flat: 1
    case .wide: 300_001
    case .deep: 3_000
    case .empty: 100_000
    case .lopsided: 5_001
    case .long: 2_000
    }
  }

  var rootStyle: FolderStyle {
    switch self {
    case .home: .home
    case .long: .long
    default: .mixed
    }
  }

  /// The numbers of files and folders that make this shape `factor` times its usual size.
  func scaled(by factor: Double) -> (files: Int, folders: Int) {
    (Int(Double(files) * factor), max(1, Int(Double(folders) * factor)))
  }

  var explanation: String {
    switch self {
    case .home: "like a home folder: skewed, nested, hidden folders, packages in packages"
    case .flat: "one folder with all the files"
    case .wide: "one folder with all the others, which are empty unless --files is given"
    case .deep: "a chain of folders"
    case .empty: "nested folders without files"
    case .lopsided: "one huge folder beside thousands of small ones"
    case .long: "names of 255 bytes, paths of more than 4,096"
    }
  }
}
