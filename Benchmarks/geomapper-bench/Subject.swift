/// A command that is measured.
struct Subject {
  let name: String
  /// Where the program lies.
  let program: String
  /// Its arguments, `{dir}` and `{out}` in them for the tree and the output file.
  let arguments: [String]
  let version: String

  /// Whether it opens its output itself; else its standard output is sent there.
  var writesItself: Bool { arguments.contains("{out}") }

  func command(folder: String, output: String) -> [String] {
    [program]
      + arguments.map { $0 == "{dir}" ? folder : $0 == "{out}" ? output : $0 }
  }

  /// The tool itself, in the ways that matter.
  static func tool(at path: String, prefix: String = "geomapper") -> [Subject] {
    let version = versionLine(path)
    let ways: [(suffix: String, arguments: [String])] = [
      ("", ["map", "-o", "{out}", "{dir}"]),
      (" --no-stat", ["map", "--no-stat", "-o", "{out}", "{dir}"]),
      (" --zoom 4", ["map", "--zoom", "4", "-o", "{out}", "{dir}"]),
      (" --threads 1", ["map", "--threads", "1", "-o", "{out}", "{dir}"]),
      (" --version", ["--version"]),
    ]
    return ways.map {
      Subject(name: prefix + $0.suffix, program: path, arguments: $0.arguments, version: version)
    }
  }

  /// The first line that a program says about its version.
  static func versionLine(_ program: String) -> String {
    let text = Launcher.output(of: [program, "--version"], withErrors: true) ?? ""
    return String(text.split(separator: "\n").first ?? "unknown")
  }
}

/// A program that does something of the kind, to be measured beside the tool.
struct Peer {
  let name: String
  /// What it is called, here or there.
  let programs: [String]
  let arguments: [String]
  /// What its version has to contain; other programs have the same name.
  let mark: String
  /// How it is got.
  let source: String

  static let all = [
    Peer(
      name: "find", programs: ["find", "gfind"],
      arguments: ["{dir}", "-printf", "%s %T@ %y %p\\n"], mark: "GNU",
      source: "apt install findutils, brew install findutils"),
    Peer(
      name: "bfs", programs: ["bfs"], arguments: ["{dir}", "-printf", "%s %T@ %y %p\\n"],
      mark: "bfs", source: "apt install bfs, brew install bfs"),
    Peer(
      name: "fd", programs: ["fd", "fdfind"],
      arguments: ["--unrestricted", "--color=never", ".", "{dir}"], mark: "fd",
      source: "apt install fd-find, brew install fd"),
    Peer(
      name: "du", programs: ["du", "gdu"],
      arguments: [
        "-a", "--apparent-size", "--block-size=1", "--time", "--time-style=+%s", "{dir}",
      ], mark: "coreutils", source: "apt install coreutils, brew install coreutils"),
    Peer(
      name: "ncdu", programs: ["ncdu"], arguments: ["-0", "-e", "-o", "{out}", "{dir}"],
      mark: "ncdu", source: "apt install ncdu, brew install ncdu"),
    Peer(
      name: "gdu", programs: ["gdu", "gdu-go"],
      arguments: ["--non-interactive", "--no-progress", "--output-file", "{out}", "{dir}"],
      mark: "Version", source: "apt install gdu, brew install gdu"),
    Peer(
      name: "tree", programs: ["tree"],
      arguments: ["-a", "-J", "-s", "-D", "--timefmt", "%s", "{dir}"], mark: "tree",
      source: "apt install tree, brew install tree"),
    Peer(
      name: "ls", programs: ["ls", "gls"], arguments: ["-lARn", "--time-style=+%s", "{dir}"],
      mark: "coreutils", source: "apt install coreutils, brew install coreutils"),
  ]

  /// The peer as it is installed here, if it is.
  func subject() -> Subject? {
    for program in programs {
      guard let path = System.which(program) else { continue }
      let version = Subject.versionLine(path)
      guard version.contains(mark) else { continue }
      return Subject(name: name, program: path, arguments: arguments, version: version)
    }
    return nil
  }
}
