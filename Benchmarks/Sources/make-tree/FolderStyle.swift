/// The style of a folder in a made tree: its number of sub-folders and their styles, its share of
/// the files, and their names.
enum FolderStyle: UInt8 {
  case home
  case papers
  case pictures
  case year
  case event
  case music
  case artist
  case album
  case videos
  case downloads
  case projects
  case project
  case source
  case modules
  case module
  case git
  case objects
  case bucket
  case cache
  case settings
  case mixed
  case long

  /// A sub-folder's style and its share of all folders.
  typealias Share = (style: FolderStyle, share: Double)

  /// Sub-folders with fixed names; if there are too few, the first names are used.
  struct Named {
    let names: [String]
    let styles: [Share]
  }

  /// The style of each named folder at the top of a home, and its share of all folders.
  private static let inHome: [Share] = [
    (.projects, 50), (.cache, 10), (.settings, 8), (.pictures, 4), (.papers, 8), (.music, 4),
    (.settings, 4), (.cache, 4), (.modules, 3), (.downloads, 0.4), (.videos, 0.3), (.papers, 0.2),
    (.settings, 0.6), (.modules, 1), (.settings, 0.01), (.papers, 0.01), (.papers, 0.01),
    (.source, 0.01), (.modules, 0.8), (.settings, 0.01),
  ]

  /// The same for a project.
  private static let inProject: [Share] = [
    (.modules, 60), (.source, 14), (.git, 12), (.source, 5), (.papers, 2), (.source, 3),
    (.source, 1), (.source, 1), (.source, 0.5), (.papers, 0.5), (.settings, 0.3), (.project, 1),
    (.source, 0.3), (.modules, 1),
  ]

  /// The same for a package in `node_modules`.
  private static let inModule: [Share] = [
    (.source, 3), (.source, 2), (.source, 2), (.source, 1), (.modules, 9), (.source, 1),
    (.source, 1), (.source, 1), (.source, 1), (.source, 1), (.papers, 0.5), (.source, 0.2),
    (.source, 1), (.source, 1),
  ]

  /// The same for a repository's `.git` folder.
  private static let inGit: [Share] = [
    (.objects, 20), (.settings, 2), (.settings, 2), (.settings, 0), (.settings, 0), (.settings, 0),
  ]

  /// The sub-folders with fixed names, with their styles; nil if the style has none.
  var named: Named? {
    switch self {
    case .home: Named(names: Words.home, styles: Self.inHome)
    case .project: Named(names: Words.project, styles: Self.inProject)
    case .module: Named(names: Words.module, styles: Self.inModule)
    case .git: Named(names: Words.git, styles: Self.inGit)
    default: nil
    }
  }

  /// The style of sub-folders without a fixed name.
  var child: FolderStyle {
    switch self {
    case .pictures: .year
    case .year: .event
    case .music: .artist
    case .artist: .album
    case .projects: .project
    case .modules: .module
    case .objects: .bucket
    default: self
    }
  }

  /// The number of sub-folders of a folder, if it has `budget` folders below it at any depth.
  func fanOut(budget: Int, random: inout Random) -> Int {
    let drawn: Int
    switch self {
    case .home, .project, .module, .git: drawn = budget
    case .pictures: drawn = 18
    case .year: drawn = min(60, max(12, budget / 2))
    case .music: drawn = max(3, budget / 4)
    case .artist, .event, .album, .objects: drawn = 256
    case .projects: drawn = max(3, budget / 350)
    case .modules: drawn = max(2, budget / 9)
    case .long: drawn = 1 + random.below(3)
    case .cache: drawn = 1 + random.powerOfTwo(around: 4, spread: 1.5)
    default: drawn = 1 + random.powerOfTwo(around: 1.8, spread: 1.3)
    }
    return max(1, min(budget, drawn))
  }

  /// The share of files of a folder of this style, relative to others.
  func fileWeight(random: inout Random) -> Double {
    let middle: Double
    switch self {
    case .home, .project, .module, .settings: middle = 2.6
    case .projects, .modules, .music, .artist, .pictures, .git, .objects: return random.unit()
    case .year: middle = 3
    case .event, .downloads: middle = 5.5
    case .album: middle = 3.6
    case .bucket: middle = 2.5
    case .cache: middle = 3.6
    default: middle = 3.2
    }
    if random.oneIn(12) { return 0 }
    return Double(random.powerOfTwo(around: middle, spread: 1.4))
  }

  /// The mean and the deviation of file sizes, as powers of two.
  var sizes: (middle: Double, spread: Double) {
    switch self {
    case .event, .year, .pictures: (21.5, 1)
    case .album, .artist: (22.5, 1)
    case .videos: (27, 1.5)
    case .downloads: (20, 2.5)
    case .source, .module, .modules, .project: (11, 2.2)
    case .bucket, .objects: (9, 2)
    case .papers: (16, 2)
    default: (12, 2.5)
    }
  }
}
