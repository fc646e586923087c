#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The floor program, compiled for the occasion.
struct Floor {
  let subjects: [Subject]
  /// What there is to say if it could not be compiled.
  let trouble: String?
  private let folder: String?

  /// Compiles the program with the C compiler of the machine, into a temporary folder.
  init() {
    guard let source = Self.source() else {
      self.init(trouble: "floor.c is not found: run it from the repository")
      return
    }
    guard let compiler = System.which("cc") else {
      self.init(trouble: "there is no cc: apt install gcc")
      return
    }
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/geomapper-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      self.init(trouble: "no temporary folder in \(base)")
      return
    }
    let folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    let program = "\(folder ?? base)/floor"
    let command = [compiler, "-std=c11", "-O2", "-pthread", source, "-o", program]
    guard Launcher.output(of: command) != nil else {
      if let folder { rmdir(folder) }
      self.init(trouble: "floor.c does not compile here; it is for Linux")
      return
    }
    let version = Subject.versionLine(compiler)
    let subjects = [1, 2].map { threads in
      Subject(
        name: "floor, \(threads) thread\(threads == 1 ? "" : "s")", program: program,
        arguments: [String(threads), "{out}", "{dir}"], version: version)
    }
    self.init(subjects: subjects, folder: folder)
  }

  private init(subjects: [Subject] = [], trouble: String? = nil, folder: String? = nil) {
    self.subjects = subjects
    self.trouble = trouble
    self.folder = folder
  }

  /// Removes the program.
  func remove() {
    guard let folder else { return }
    unlink("\(folder)/floor")
    rmdir(folder)
  }

  /// Where the source lies: below the current folder, or beside where this file was compiled.
  private static func source() -> String? {
    let near = "Benchmarks/floor/floor.c"
    if let path = System.realPath(near) { return path }
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return System.realPath(parts.joined(separator: "/") + "/floor/floor.c")
  }
}
