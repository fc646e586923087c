#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder that keeps made trees: those that are there are used again, those that were made by
/// this process can be removed.
///
/// A tree's folder says its shape and its numbers of files and folders, `home-1000000-60000`. While
/// it is made it has another name, so what has this name is complete.
struct TreeStore {
  struct Tree {
    let path: String
    let files: Int
    let folders: Int

    var entries: Int { files + folders }
  }

  let path: String
  private let wasThere: Bool
  private var made: [String] = []

  init(at path: String) throws(Failure) {
    wasThere = mkdir(path, 0o755) != 0
    if wasThere, errno != EEXIST { throw Failure(call: "mkdir", path) }
    self.path = try CompareCommand.existingFolder(path)
  }

  /// Where outputs go: on the same file system as the trees, and in none of them.
  var output: String { "\(path)/output" }

  /// Finds a tree or makes it.
  mutating func tree(
    _ shape: TreeShape, files: Int, folders: Int
  ) throws(Failure) -> Tree {
    let place = "\(path)/\(shape.rawValue)-\(files)-\(folders)"
    let tree = Tree(path: place, files: files, folders: folders)
    if System.isFolder(place) { return tree }
    let draft = "\(place).part"
    guard System.size(of: draft) == nil else {
      throw Failure("\(draft) was not completed, or is being made: remove it, or wait")
    }
    made.append(draft)
    let begin = System.now()
    let result = try TreeCommand.make(shape, at: draft, files: files, folders: folders)
    guard result.files == files, result.folders == folders else {
      throw Failure("\(place) has \(result.files) files in \(result.folders) folders")
    }
    guard rename(draft, place) == 0 else { throw Failure(call: "rename", draft) }
    made[made.count - 1] = place
    let seconds = Text.decimals(System.now() - begin, 1)
    System.note("made \(shape.rawValue), \(Text.grouped(tree.entries)) entries, in \(seconds) s")
    return tree
  }

  /// Removes what was made, and the folder itself if it was not there before and is empty.
  func remove() {
    if !made.isEmpty, let program = System.which("rm") {
      _ = Launcher.output(of: [program, "-rf", "--"] + made)
    }
    if !wasThere { rmdir(path) }
  }
}
