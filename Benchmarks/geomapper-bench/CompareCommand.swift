/// `compare DIR`: measures the tool and its peers.
enum CompareCommand {
  static let usage = """
    compare DIR [--tool PATH] [--bfs PATH] [--runs N] [--output FILE] [--only NAMES]
            [--json FILE] [--chart FILE] [--cold]
    """

  /// The options of a comparison.
  struct Options {
    var tool: String?
    /// The path of a second bfs to measure, in addition to the installed one.
    var bfs: String?
    var runs = 7
    var output: String?
    var only: [String]?
    var isCold = false
  }

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(
      list, options: ["tool", "bfs", "runs", "output", "only", "json", "chart"], flags: ["cold"])
    let folder = try existingFolder(try arguments.positional(0, "DIR"))
    let options = Options(
      tool: arguments.text("tool"), bfs: arguments.text("bfs"),
      runs: max(1, try arguments.number("runs") ?? 7), output: arguments.text("output"),
      only: arguments.list("only"), isCold: arguments.has("cold"))
    let report = try measure(folder, options)
    try report.publish(arguments)
  }

  static func measure(_ folder: String, _ options: Options) throws(Failure) -> Report {
    let floor = Floor()
    defer { floor.remove() }
    let tool = try tool(options.tool)
    let peers = try Peer.here(bfs: options.bfs)
    let subjects = try select(
      Subject.tool(at: tool) + Subject.toolVariations(at: tool) + floor.subjects + peers.subjects,
      only: options.only)
    let runner = Runner(
      folder: folder, output: options.output ?? outputPath(for: folder), runs: options.runs,
      isCold: options.isCold)
    defer { runner.removeOutputs(subjects.count) }
    let series = try runner.measure(subjects)
    let whole = subjects.firstIndex { subject in
      subject.name == "geomapper" || subject.name.hasPrefix("geomapper --threads ")
    }
    let counts = whole.flatMap { Runner.counts(in: runner.path($0)) }
    var report = Report(.compare, on: folder)
    report.isCold = runner.isCold
    report.trees = [.init(files: counts?.files, folders: counts?.folders, series: series)]
    report.missing = (floor.trouble.map { [("floor", $0)] } ?? []) + peers.missing
    return report
  }

  /// The path of the given tool; by default the tool built together with this program.
  static func toolPath(_ path: String?) -> String? {
    if let path { return System.realPath(path) ?? System.which(path) }
    let own = System.ownPath()
    let beside = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return System.which(beside.joined(separator: "/") + "/geomapper")
  }

  /// The path of the tool; fails if it doesn't exist.
  static func tool(_ path: String?) throws(Failure) -> String {
    guard let tool = toolPath(path) else {
      throw Failure("the tool is not found: swift build -c release --product geomapper")
    }
    return tool
  }

  /// The subjects with the given names; a name that ends in `*` matches all that begin with it.
  static func select(_ subjects: [Subject], only: [String]?) throws(Failure) -> [Subject] {
    guard let only else { return subjects }
    for name in only where !subjects.contains(where: { matches($0.name, name) }) {
      throw Failure("--only: there is no \(name) here")
    }
    return subjects.filter { subject in only.contains { matches(subject.name, $0) } }
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    if pattern.hasSuffix("*") { return name.hasPrefix(pattern.dropLast()) }
    return name == pattern || name.split(separator: ",").first.map(String.init) == pattern
  }

  static func existingFolder(_ path: String) throws(Failure) -> String {
    guard let real = System.realPath(path), System.isFolder(real) else {
      throw Failure("\(path) is not a folder")
    }
    return real
  }

  /// The path of outputs: next to the tree, so that they are on its file system but not in it.
  static func outputPath(for folder: String) -> String { "\(folder).bench-output" }
}
