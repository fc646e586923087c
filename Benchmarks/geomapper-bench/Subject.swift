/// A command to measure.
struct Subject {
  /// The kinds of output.
  enum Sink {
    case file
    /// `/dev/null`
    case null
    /// A pipe that is read at full speed.
    case pipe
  }

  let name: String
  /// The path of the program.
  let program: String
  /// The arguments, with `{dir}` and `{out}` for the tree and the output file.
  let arguments: [String]
  let version: String
  var sink = Sink.file

  /// Whether it opens its output itself; else its standard output is redirected.
  var writesItself: Bool { arguments.contains("{out}") }

  /// - Parameter output: The path of the output, for the sink `file`.
  func command(folder: String, output: String) -> [String] {
    let target =
      switch sink {
      case .file: output
      case .null: "/dev/null"
      case .pipe: "-"
      }
    return [program] + arguments.map { $0 == "{dir}" ? folder : $0 == "{out}" ? target : $0 }
  }

  /// The tool with the most important options.
  static func tool(at path: String) -> [Subject] {
    tool(
      at: path,
      [
        ("", ["map", "-o", "{out}", "{dir}"], .file),
        (" --no-stat", ["map", "--no-stat", "-o", "{out}", "{dir}"], .file),
        (" --zoom 4", ["map", "--zoom", "4", "-o", "{out}", "{dir}"], .file),
        (" --threads 1", threads(1), .file),
        (" --version", ["--version"], .file),
      ])
  }

  /// The tool with other numbers of threads, and other kinds of output.
  static func toolVariations(at path: String) -> [Subject] {
    tool(
      at: path,
      [2, 4, 16].map { (" --threads \($0)", threads($0), .file) } + [
        (" to /dev/null", ["map", "-o", "{out}", "{dir}"], .null),
        (" to a pipe", ["map", "-o", "{out}", "{dir}"], .pipe),
      ])
  }

  private static func threads(_ count: Int) -> [String] {
    ["map", "--threads", String(count), "-o", "{out}", "{dir}"]
  }

  private static func tool(
    at path: String, _ ways: [(suffix: String, arguments: [String], sink: Sink)]
  ) -> [Subject] {
    let version = versionLine(path)
    return ways.map {
      Subject(
        name: "geomapper" + $0.suffix, program: path, arguments: $0.arguments, version: version,
        sink: $0.sink)
    }
  }

  /// The major version: the first number after the program's name.
  var majorVersion: Int? {
    version.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// The first line of a program's `--version`.
  static func versionLine(_ program: String) -> String {
    let text = Launcher.output(of: [program, "--version"], withErrors: true) ?? ""
    let line = text.split(separator: "\n").first ?? "unknown"
    return line.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }
}
