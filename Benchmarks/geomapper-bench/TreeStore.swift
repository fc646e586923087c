#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of made trees: existing trees are reused, and those that this process made can be
/// removed.
///
/// The name of a tree's folder has its shape and its numbers of files and folders, such as
/// `home-1000000-60000`. An incomplete tree has another name.
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

  /// The path of outputs: on the file system of the trees, but in none of them.
  var output: String { "\(path)/output" }

  /// Finds a tree, or makes it.
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

  /// Removes the trees made by this process, and the folder if it is new and empty.
  func remove() {
    if !made.isEmpty, let program = System.which("rm") {
      _ = Launcher.output(of: [program, "-rf", "--"] + made)
    }
    if !wasThere { rmdir(path) }
  }
}
