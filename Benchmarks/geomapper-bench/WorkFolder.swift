#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder that a command makes its trees in, and removes with all that is in it.
struct WorkFolder {
  let path: String
  private let wasThere: Bool

  /// Takes a folder that is new or empty; what it doesn't own it doesn't touch.
  init(at path: String) throws(Failure) {
    wasThere = mkdir(path, 0o755) != 0
    if wasThere, errno != EEXIST { throw Failure(call: "mkdir", path) }
    guard try TreeMaker.isEmpty(path) else { throw Failure("\(path) is not empty") }
    self.path = try CompareCommand.existingFolder(path)
  }

  /// Removes what was made; the folder itself too if it was not there before.
  func remove() {
    guard let stream = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append("\(path)/\(name)") }
    }
    closedir(stream)
    if !names.isEmpty, let program = System.which("rm") {
      _ = Launcher.output(of: [program, "-rf", "--"] + names)
    }
    if !wasThere { rmdir(path) }
  }
}
