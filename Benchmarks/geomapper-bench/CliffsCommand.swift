/// `cliffs DIR`: runs the tool on trees of awkward shapes, into files, nothing and a slow pipe.
enum CliffsCommand {
  static let usage = """
    cliffs DIR [--tool PATH] [--scale FACTOR] [--size SHAPE=N]… [--only SHAPES] [--runs N]
           [--slow SECONDS] [--json FILE]
    """

  /// What becomes of the output.
  private enum Sink: String, CaseIterable {
    case file
    case null = "/dev/null"
    case slow = "slow pipe"
  }

  private struct Case {
    let shape: TreeShape
    let path: String
    let made: TreeMaker.Made
    var series: [(sink: Sink, series: Series)] = []

    var entries: Int { made.folders + made.files }
  }

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(
      list, options: ["tool", "scale", "size", "only", "runs", "slow", "json"])
    guard let tool = CompareCommand.toolPath(arguments.text("tool")) else {
      throw Failure("the tool is not found: swift build -c release --product geomapper")
    }
    let sizes = try sizes(arguments)
    let folder = try WorkFolder(at: try arguments.positional(0, "DIR"))
    defer { folder.remove() }
    // All are made first, for the reason that `scale` has too.
    var cases: [Case] = []
    for (shape, files, folders) in sizes {
      let path = "\(folder.path)/\(shape.rawValue)"
      let made = try TreeCommand.make(shape, at: path, files: files, folders: folders)
      cases.append(Case(shape: shape, path: path, made: made))
      System.note("made \(shape.rawValue): \(Text.grouped(made.folders + made.files)) entries")
    }
    let runs = max(1, try arguments.number("runs") ?? 3)
    let slow = try arguments.decimal("slow") ?? 3
    for index in cases.indices {
      for sink in Sink.allCases {
        let series = try measure(
          tool, cases[index].path, output: "\(folder.path)/output", sink, runs: runs, slow: slow)
        cases[index].series.append((sink, series))
      }
      System.note("measured \(cases[index].shape.rawValue)")
    }
    let machine = Machine.current(folder: folder.path)
    System.print("\(machine.text)\n\n\(table(cases).text)")
    if let path = arguments.text("json") {
      try System.replace(path, with: json(cases, machine).text() + "\n")
    }
  }

  /// The shapes asked for, with their numbers of files and folders.
  private static func sizes(
    _ arguments: Arguments
  ) throws(Failure) -> [(shape: TreeShape, files: Int, folders: Int)] {
    let factor = try arguments.decimal("scale") ?? 1
    var own: [TreeShape: Int] = [:]
    for text in arguments.texts("size") {
      let parts = text.split(separator: "=").map(String.init)
      guard parts.count == 2, let shape = TreeShape(rawValue: parts[0]),
        let number = Arguments.number(parts[1]), number > 0
      else { throw Failure("--size is SHAPE=N, not \(text)") }
      own[shape] = number
    }
    var shapes = TreeShape.allCases.filter { $0 != .home }
    if let only = arguments.list("only") {
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

  private static func measure(
    _ tool: String, _ folder: String, output: String, _ sink: Sink, runs: Int, slow: Double
  ) throws(Failure) -> Series {
    let arguments: [String]
    switch sink {
    case .file: arguments = ["map", "-o", "{out}", "{dir}"]
    case .null: arguments = ["map", "-o", "/dev/null", "{dir}"]
    case .slow: arguments = ["map", "-o", "-", "{dir}"]
    }
    let subject = Subject(name: sink.rawValue, program: tool, arguments: arguments, version: "")
    if sink != .slow {
      let runner = Runner(folder: folder, output: output, runs: runs, isQuiet: true)
      defer { runner.removeOutputs(1) }
      if let series = try runner.measure([subject]).first { return series }
      return Series(name: subject.name, command: "failed", version: "")
    }
    let command = subject.command(folder: folder, output: "-")
    var series = Series(
      name: subject.name, command: command.joined(separator: " "), version: "")
    let reader = SlowReader(bytesPerSecond: 1 << 20, seconds: slow)
    let measurement = try Launcher.measure(command) { (descriptor) throws(Failure) in
      try reader.drain(descriptor)
    }
    series.runs = [.init(round: 1, measurement: measurement, outputBytes: reader.total)]
    return series
  }

  private static func table(_ cases: [Case]) -> Table {
    var table = Table([
      "shape", "files", "folders", "output", "median s", "min–max s", "ns/entry", "MiB written",
      "peak MiB", "status",
    ])
    for one in cases {
      for (sink, series) in one.series {
        guard let time = Summary(series.seconds) else {
          table.add([one.shape.rawValue, "", "", sink.rawValue, "failed"])
          continue
        }
        let peak = series.summary { Double($0.measurement.peak) }?.median ?? 0
        let written = series.summary { Double($0.outputBytes) }?.median ?? 0
        table.add([
          one.shape.rawValue, Text.grouped(one.made.files), Text.grouped(one.made.folders),
          sink.rawValue, Text.significant(time.median),
          "\(Text.significant(time.least))–\(Text.significant(time.most))",
          sink == .slow ? "–" : Text.significant(time.median / Double(one.entries) * 1e9),
          sink == .null ? "–" : Text.mebibytes(Int(written)), Text.mebibytes(Int(peak)),
          String(series.worstStatus),
        ])
      }
    }
    return table
  }

  private static func json(_ cases: [Case], _ machine: Machine) -> JSON {
    let list = cases.map { one in
      JSON.object([
        ("shape", .string(one.shape.rawValue)), ("files", .number(Double(one.made.files))),
        ("folders", .number(Double(one.made.folders))),
        ("series", .array(one.series.map(\.series.json))),
      ])
    }
    return .object([
      ("kind", .string("cliffs")), ("schema", .number(1)), ("date", .string(System.date())),
      ("machine", machine.json), ("cases", .array(list)),
    ])
  }
}
