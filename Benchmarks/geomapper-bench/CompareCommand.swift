#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `compare DIR`: measures the tool beside its peers.
enum CompareCommand {
  static let usage = """
    compare DIR [--tool PATH] [--runs N] [--output FILE] [--only NAMES] [--json FILE] [--cold]
    """

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(
      list, options: ["tool", "runs", "output", "only", "json"], flags: ["cold"])
    let folder = try existingFolder(try arguments.positional(0, "DIR"))
    let only = arguments.list("only")
    let floor = Floor()
    defer { floor.remove() }
    var missing: [(name: String, source: String)] = []
    if let trouble = floor.trouble { missing.append(("floor", trouble)) }
    var subjects = tool(arguments.text("tool"), missing: &missing) + floor.subjects
    for peer in Peer.all {
      if let subject = peer.subject() {
        subjects.append(subject)
      } else {
        missing.append((peer.name, peer.source))
      }
    }
    subjects = try select(subjects, only: only)
    let runner = Runner(
      folder: folder, output: arguments.text("output") ?? outputPath(for: folder),
      runs: max(1, try arguments.number("runs") ?? 7), isCold: arguments.has("cold"))
    defer { runner.removeOutputs(subjects.count) }
    let series = try runner.measure(subjects)
    let whole = subjects.firstIndex { $0.name == "geomapper" || $0.name.hasSuffix("--threads 1") }
    let counts = whole.flatMap { Runner.counts(in: runner.path($0)) }
    var report = Report(
      date: System.date(), machine: Machine.current(folder: folder), isCold: runner.isCold,
      folders: counts?.folders, files: counts?.files, series: series)
    report.missing = missing
    System.print("\(report.machine.text)\n\(report.treeText), \(runner.runs) rounds\n")
    System.print(report.table(base: "geomapper"))
    System.print("")
    for one in series where !one.version.isEmpty { System.print("\(one.name): \(one.version)") }
    for (name, source) in missing { System.print("missing: \(name) (\(source))") }
    if let path = arguments.text("json") {
      try System.replace(path, with: report.json.text() + "\n")
    }
  }

  /// The tool that is asked for, or the one that was built with this program.
  static func toolPath(_ path: String?) -> String? {
    if let path { return System.realPath(path) ?? System.which(path) }
    let own = System.ownPath()
    let beside = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return System.which(beside.joined(separator: "/") + "/geomapper")
  }

  private static func tool(
    _ path: String?, missing: inout [(name: String, source: String)]
  ) -> [Subject] {
    guard let tool = toolPath(path) else {
      missing.append(("geomapper", "swift build -c release --product geomapper"))
      return []
    }
    return Subject.tool(at: tool)
  }

  /// The subjects whose names are asked for; a name ending in `*` stands for all that begin so.
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
      throw Failure("\(path) is no folder")
    }
    return real
  }

  /// Beside the tree, so that it lies on the same file system and not in the tree.
  static func outputPath(for folder: String) -> String { "\(folder).bench-output" }
}
