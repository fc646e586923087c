/// `cliffs DIR`: runs the tool on trees of difficult shapes, with each kind of output.
enum CliffsCommand {
  static let usage = """
    cliffs DIR [--tool PATH] [--scale FACTOR] [--size SHAPE=N]… [--only SHAPES] [--runs N]
           [--slow SECONDS] [--json FILE]
    """

  /// A shape with its numbers of files and folders.
  typealias Size = (shape: TreeShape, files: Int, folders: Int)

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(
      list, options: ["tool", "scale", "size", "only", "runs", "slow", "json"])
    let tool = try CompareCommand.tool(arguments.text("tool"))
    let sizes = try sizes(
      factor: try arguments.decimal("scale") ?? 1, own: arguments.texts("size"),
      only: arguments.list("only"))
    var store = try TreeStore(at: try arguments.positional(0, "DIR"))
    defer { store.remove() }
    // Make all trees before the first measurement, as `scale` does.
    var trees: [(shape: TreeShape, tree: TreeStore.Tree)] = []
    for (shape, files, folders) in sizes {
      trees.append((shape, try store.tree(shape, files: files, folders: folders)))
    }
    let report = try measure(
      trees, tool: tool, output: store.output, runs: max(1, try arguments.number("runs") ?? 3),
      slow: try arguments.decimal("slow") ?? 3)
    try report.publish(arguments)
  }

  static func measure(
    _ trees: [(shape: TreeShape, tree: TreeStore.Tree)], tool: String, output: String, runs: Int,
    slow: Double
  ) throws(Failure) -> Report {
    var report = Report(.cliffs, on: output)
    let version = Subject.versionLine(tool)
    let arguments = ["map", "-o", "{out}", "{dir}"]
    let sinks: [(name: String, sink: Subject.Sink)] = [
      ("file", .file), ("/dev/null", .null), ("pipe", .pipe),
    ]
    let subjects = sinks.map {
      Subject(
        name: $0.name, program: tool, arguments: arguments, version: version, sink: $0.sink)
    }
    for (shape, tree) in trees {
      let runner = Runner(folder: tree.path, output: output, runs: runs, isQuiet: true)
      var series = try runner.measure(subjects)
      runner.removeOutputs(subjects.count)
      series.append(
        try measureSlowly(
          Subject(
            name: Report.slow, program: tool, arguments: arguments, version: version,
            sink: .pipe), tree.path, seconds: slow))
      report.trees.append(
        .init(name: shape.rawValue, files: tree.files, folders: tree.folders, series: series))
      System.note("measured \(shape.rawValue)")
    }
    return report
  }

  /// Runs the tool once into a pipe that is read at 1 MiB/s for some seconds, then at full speed.
  private static func measureSlowly(
    _ subject: Subject, _ folder: String, seconds: Double
  ) throws(Failure) -> Series {
    var series = Series(
      name: subject.name, command: Runner.text(of: subject, folder: folder),
      version: subject.version)
    let reader = PipeReader(bytesPerSecond: 1 << 20, seconds: seconds)
    let command = subject.command(folder: folder, output: "-")
    let measurement = try Launcher.measure(command) { (descriptor) throws(Failure) in
      try reader.drain(descriptor)
    }
    series.runs = [.init(round: 1, measurement: measurement, outputBytes: reader.total)]
    return series
  }

  /// The requested shapes, with their numbers of files and folders.
  static func sizes(
    factor: Double = 1, own texts: [String] = [], only: [String]? = nil
  ) throws(Failure) -> [Size] {
    var own: [TreeShape: Int] = [:]
    for text in texts {
      let parts = text.split(separator: "=").map(String.init)
      guard parts.count == 2, let shape = TreeShape(rawValue: parts[0]),
        let number = Arguments.number(parts[1]), number > 0
      else { throw Failure("--size is SHAPE=N, not \(text)") }
      own[shape] = number
    }
    var shapes = TreeShape.allCases.filter { $0 != .home }
    if let only {
      shapes = try only.map { (name) throws(Failure) in
        guard let shape = TreeShape(rawValue: name) else { throw Failure("no shape \(name)") }
        return shape
      }
    }
    return shapes.map { shape in
      let usual = max(shape.files, shape.folders)
      let factor = own[shape].map { Double($0) / Double(usual) } ?? factor
      let scaled = shape.scaled(by: factor)
      return (shape, scaled.files, scaled.folders)
    }
  }
}
