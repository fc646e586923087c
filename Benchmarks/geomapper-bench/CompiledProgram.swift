#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A C file of the benchmarks, compiled with the machine's C compiler.
struct CompiledProgram {
  /// The path of the program; nil if compiling failed.
  let path: String?
  /// The reason if compiling failed.
  let trouble: String?
  /// The compiler's version.
  let compiler: String

  /// Compiles a file into a temporary folder.
  ///
  /// - Parameter source: The file's path below `Benchmarks`.
  init(_ source: String, options: [String]) {
    guard let file = Self.find(source) else {
      self.init(trouble: "\(source) is not found: run it from the repository")
      return
    }
    guard let compiler = System.which("cc") else {
      self.init(trouble: "there is no cc: apt install gcc")
      return
    }
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/geomapper-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil,
      let folder = template.withUnsafeBufferPointer({ $0.baseAddress.map { String(cString: $0) } })
    else {
      self.init(trouble: "no temporary folder in \(base)")
      return
    }
    let path = "\(folder)/program"
    guard
      Launcher.output(of: [compiler, "-std=c11", "-O2"] + options + [file, "-o", path]) != nil
    else {
      rmdir(folder)
      self.init(trouble: "\(source) does not compile here; it is for Linux")
      return
    }
    self.init(path: path, compiler: Subject.versionLine(compiler))
  }

  private init(path: String? = nil, trouble: String? = nil, compiler: String = "") {
    self.path = path
    self.trouble = trouble
    self.compiler = compiler
  }

  /// Removes the program.
  func remove() {
    guard let path else { return }
    unlink(path)
    rmdir(
      path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    )
  }

  /// The path of a source file: below the current folder, or in the repository that this file was
  /// compiled from.
  private static func find(_ source: String) -> String? {
    if let path = System.realPath("Benchmarks/\(source)") { return path }
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return System.realPath(parts.joined(separator: "/") + "/" + source)
  }
}
