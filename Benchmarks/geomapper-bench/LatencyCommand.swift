/// `latency DIR`: runs the tool with more and more threads on an artificially slow file system.
enum LatencyCommand {
  static let usage = """
    latency DIR [--tool PATH] [--delay MICROSECONDS] [--threads LIST] [--files N] [--runs N]
            [--json FILE]
    """

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(
      list, options: ["tool", "delay", "threads", "files", "runs", "json"])
    let tool = try CompareCommand.tool(arguments.text("tool"))
    let files = try arguments.number("files") ?? usualFiles
    var threads = usualThreads
    if let list = arguments.list("threads") {
      threads = list.compactMap { Arguments.number($0) }.filter { 1...1024 ~= $0 }
      guard threads.count == list.count else { throw Failure("--threads is a list of numbers") }
    }
    var store = try TreeStore(at: try arguments.positional(0, "DIR"))
    defer { store.remove() }
    let tree = try store.tree(.home, files: files, folders: folders(for: files))
    let report = try measure(
      tree, tool: tool, output: store.output,
      delay: try arguments.number("delay") ?? usualDelay, threads: threads,
      runs: max(1, try arguments.number("runs") ?? 5))
    try report.publish(arguments)
  }

  static let usualThreads = [1, 2, 4, 8, 16, 32]
  static let usualDelay = 200
  static let usualFiles = 4_000

  /// The number of folders: more than elsewhere, because each folder causes waits.
  static func folders(for files: Int) -> Int { max(1, files / 10) }

  /// - Parameter delay: Microseconds that each system call waits first.
  static func measure(
    _ tree: TreeStore.Tree, tool: String, output: String, delay: Int, threads: [Int], runs: Int
  ) throws(Failure) -> Report {
    let library = CompiledProgram("latency/delay.c", options: ["-fPIC", "-shared", "-ldl"])
    defer { library.remove() }
    guard let path = library.path else { throw Failure(library.trouble ?? "no delay.c") }
    guard let env = System.which("env") else { throw Failure("there is no env") }
    let version = Subject.versionLine(tool)
    let subjects = threads.map { count in
      Subject(
        name: "\(count) thread\(count == 1 ? "" : "s")", program: env,
        arguments: [
          "LD_PRELOAD=\(path)", "GEOMAPPER_DELAY=\(delay)", tool, "map", "--threads",
          String(count), "-o", "{out}", "{dir}",
        ], version: version)
    }
    let runner = Runner(folder: tree.path, output: output, runs: runs, isQuiet: true)
    defer { runner.removeOutputs(subjects.count) }
    var report = Report(.latency, on: tree.path)
    report.delay = delay
    report.trees = [
      .init(files: tree.files, folders: tree.folders, series: try runner.measure(subjects))
    ]
    return report
  }
}
