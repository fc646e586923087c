#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `all DIR`: runs every measurement, and writes tables, one JSON file and charts.
enum AllCommand {
  static let usage = """
    all DIR [--out FOLDER] [--tool PATH] [--bfs PATH] [--tree DIR] [--max N] [--runs N]
        [--quick] [--keep] [--cold]
    """

  /// The sizes of the trees and the numbers of runs.
  private struct Effort {
    var files = 1_000_000
    var folders = 60_000
    var runs = 7
    var scaleRuns: Int?
    var most = 1_000_000
    var cliffs = 1.0
    var cliffRuns = 3
    var slow = 3.0
    var latencyFiles = LatencyCommand.usualFiles
    var latencyRuns = 5

    /// Enough to test that everything works; the figures mean nothing.
    static let quick = Effort(
      files: 10_000, folders: 600, runs: 2, scaleRuns: 2, most: 10_000,
      cliffs: 0.01, cliffRuns: 1, slow: 0.3, latencyFiles: 500, latencyRuns: 2)
  }

  /// The trees, all made before the first measurement and removed after the last.
  ///
  /// For some minutes, ext4 avoids the inodes of removed files and takes ten times as long to find
  /// others.
  private struct Trees {
    var main: String
    var scale: [TreeStore.Tree] = []
    var cliffs: [(shape: TreeShape, tree: TreeStore.Tree)] = []
    var latency: TreeStore.Tree
  }

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(
      list, options: ["out", "tool", "bfs", "tree", "max", "runs"],
      flags: ["quick", "keep", "cold"])
    let begin = System.now()
    let place = try arguments.positional(0, "DIR")
    let tool = try CompareCommand.tool(arguments.text("tool"))
    var effort = arguments.has("quick") ? Effort.quick : Effort()
    if let runs = try arguments.number("runs") { effort.runs = max(1, runs) }
    if let most = try arguments.number("max") { effort.most = most }
    for (name, source) in try Peer.here(bfs: arguments.text("bfs")).missing {
      System.note("missing: \(name) (\(source))")
    }
    let out = arguments.text("out") ?? "Benchmarks/results"
    try System.makeFolders(out)
    var store = try TreeStore(at: place)
    defer { if !arguments.has("keep") { store.remove() } }
    let trees = try trees(
      effort, main: try arguments.text("tree").map(CompareCommand.existingFolder), in: &store)
    let options = CompareCommand.Options(
      tool: tool, bfs: arguments.text("bfs"), runs: effort.runs, output: store.output)
    let result = try measure(
      trees, by: tool, options, effort, cold: arguments.has("cold"), in: store)
    System.print("\n== in short\n\n\(result.machine.text)\n\n\(result.summary)")
    let names = try result.write(to: out)
    let minutes = Text.decimals((System.now() - begin) / 60, 1)
    System.print("\n\(names.joined(separator: ", ")) in \(out); it took \(minutes) minutes")
    if result.isIncomplete { throw Failure("a part could not be measured: see above") }
  }

  /// Measures all parts.
  ///
  /// - Parameters:
  ///   - tool: The path of the tool.
  ///   - options: The options of the comparison with other tools.
  ///   - cold: Whether to repeat that comparison with an empty cache.
  ///   - store: The folder of the trees.
  private static func measure(
    _ trees: Trees, by tool: String, _ options: CompareCommand.Options, _ effort: Effort,
    cold: Bool, in store: TreeStore
  ) throws(Failure) -> AllReport {
    var result = AllReport(date: System.date(), machine: Machine.current(folder: store.path))
    try part("compare") { () throws(Failure) in
      let report = try CompareCommand.measure(trees.main, options)
      result.compare = report
      System.print("\(report.treeText), \(options.runs) rounds\n\n\(report.text)")
    }
    if cold {
      try part("compare, cold") { () throws(Failure) in
        var options = options
        options.isCold = true
        options.runs = min(3, options.runs)
        let report = try CompareCommand.measure(trees.main, options)
        result.cold = report
        System.print("\(report.treeText), \(options.runs) rounds\n\n\(report.text)")
      }
    }
    try part("latency") { () throws(Failure) in
      let report = try LatencyCommand.measure(
        trees.latency, tool: tool, output: store.output, delay: LatencyCommand.usualDelay,
        threads: LatencyCommand.usualThreads, runs: effort.latencyRuns)
      result.latency = report
      System.print("\(report.treeText)\n\n\(report.text)")
    }
    try part("scale") { () throws(Failure) in
      let report = try ScaleCommand.measure(
        trees.scale, tool: tool, output: store.output, runs: effort.scaleRuns)
      result.scale = report
      System.print(report.text)
    }
    try part("cliffs") { () throws(Failure) in
      let report = try CliffsCommand.measure(
        trees.cliffs, tool: tool, output: store.output, runs: effort.cliffRuns, slow: effort.slow)
      result.cliffs = report
      System.print(report.text)
    }
    return result
  }

  /// Measures a part; if it fails, the others are still measured.
  private static func part(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
    System.print("\n== \(name)\n")
    do throws(Failure) {
      try body()
    } catch {
      System.note("\(name): \(error.message)")
    }
  }

  private static func trees(
    _ effort: Effort, main: String?, in store: inout TreeStore
  ) throws(Failure) -> Trees {
    let path: String
    if let main {
      path = main
    } else {
      path = try store.tree(.home, files: effort.files, folders: effort.folders).path
    }
    var trees = Trees(
      main: path,
      latency: try store.tree(
        .home, files: effort.latencyFiles,
        folders: LatencyCommand.folders(for: effort.latencyFiles)))
    for files in ScaleCommand.sizes(upTo: effort.most) {
      let folders = ScaleCommand.folders(for: files)
      if let main, files == effort.files {
        // Use the given tree in place of the one of its size.
        trees.scale.append(TreeStore.Tree(path: main, files: files, folders: folders))
      } else {
        trees.scale.append(try store.tree(.home, files: files, folders: folders))
      }
    }
    for (shape, files, folders) in try CliffsCommand.sizes(factor: effort.cliffs) {
      trees.cliffs.append((shape, try store.tree(shape, files: files, folders: folders)))
    }
    return trees
  }
}
