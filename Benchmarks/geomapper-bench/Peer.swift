/// A similar program to compare the tool with.
struct Peer {
  let name: String
  /// The possible names of the program.
  let programs: [String]
  let arguments: [String]
  /// Text that its version must contain, because other programs have the same name.
  let mark: String
  /// How to install it.
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

  /// The installed peer; nil if it is not installed.
  func subject() -> Subject? {
    for program in programs {
      if let path = System.which(program), let subject = subject(at: path) { return subject }
    }
    return nil
  }

  /// The peer at a path; nil if another program is there.
  func subject(at path: String, name: String? = nil) -> Subject? {
    let version = Subject.versionLine(path)
    guard version.contains(mark) else { return nil }
    return Subject(name: name ?? self.name, program: path, arguments: arguments, version: version)
  }

  /// The installed peers, and the missing ones with how to install them.
  ///
  /// - Parameter bfs: A second bfs to measure; that of distributions is often much older.
  static func here(
    bfs path: String?
  ) throws(Failure) -> (subjects: [Subject], missing: [(name: String, source: String)]) {
    var subjects: [Subject] = []
    var missing: [(name: String, source: String)] = []
    for peer in all {
      if let subject = peer.subject() {
        subjects.append(subject)
      } else {
        missing.append((peer.name, peer.source))
      }
      guard peer.name == "bfs" else { continue }
      if let path {
        guard let program = System.realPath(path), let given = peer.subject(at: program) else {
          throw Failure("--bfs: \(path) is no bfs")
        }
        let number = given.version.split(separator: " ").dropFirst().first.map(String.init)
        subjects.append(
          Subject(
            name: "bfs, \(number ?? "own build")", program: program, arguments: given.arguments,
            version: given.version))
      } else if (subjects.last { $0.name == "bfs" }?.majorVersion ?? 0) < 4 {
        missing.append(("bfs 4", bfsSource))
      }
    }
    return (subjects, missing)
  }

  private static let bfsSource = """
    git clone https://github.com/tavianator/bfs && cd bfs && ./configure --enable-release && \
    make, then --bfs bin/bfs
    """
}
