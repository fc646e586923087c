/// `diff A.json B.json`, or `diff --tool A --tool B DIR`: what got slower.
enum DiffCommand {
  static let usage = """
    diff A.json B.json [--by NAME] [--threshold PERCENT]
    diff --tool A --tool B DIR [--runs N] [--only NAMES] [--output FILE] [--threshold PERCENT]
    """

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(
      list, options: ["tool", "runs", "only", "output", "by", "threshold"])
    let threshold = (try arguments.decimal("threshold") ?? 1) / 100
    let tools = arguments.texts("tool")
    if tools.isEmpty {
      let first = try Report(reading: try arguments.positional(0, "A.json"))
      let second = try Report(reading: try arguments.positional(1, "B.json"))
      try compare(first, second, by: arguments.text("by"), threshold: threshold)
    } else {
      guard tools.count == 2 else { throw Failure("--tool is to be given twice") }
      try compareLive(tools, arguments, threshold: threshold)
    }
  }

  /// Compares two files. Their runs are no pairs: they were taken at different times.
  private static func compare(
    _ first: Report, _ second: Report, by base: String?, threshold: Double
  ) throws(Failure) {
    if first.machine.text != second.machine.text || first.treeText != second.treeText {
      System.note(
        """
        The two were not taken alike:
        A: \(first.machine.text); \(first.treeText)
        B: \(second.machine.text); \(second.treeText)
        """)
    }
    var table = Self.table
    for old in first.series {
      guard let new = second.series.first(where: { $0.name == old.name }) else { continue }
      let times = try (times(of: old, in: first, by: base), times(of: new, in: second, by: base))
      let comparison = Comparison(unpaired: times.0, times.1)
      add(old, new, comparison, threshold: threshold, to: &table)
    }
    System.print(table.text)
    if let base { System.print("\nratios are of times divided by \(base)'s in the same round") }
  }

  /// A series' times, or by how much they surpass another's of the same round, which takes out what
  /// the machine did to both.
  private static func times(
    of series: Series, in report: Report, by base: String?
  ) throws(Failure) -> [Double] {
    guard let base else { return series.seconds }
    guard let other = report.series.first(where: { $0.name == base }) else {
      throw Failure("--by: \(base) was not measured in both")
    }
    return series.ratios(to: other)
  }

  /// Measures two tools in alternation and compares them pair by pair.
  private static func compareLive(
    _ tools: [String], _ arguments: Arguments, threshold: Double
  ) throws(Failure) {
    let folder = try CompareCommand.existingFolder(try arguments.positional(0, "DIR"))
    var subjects: [Subject] = []
    var ways: [(first: Int, second: Int)] = []
    let sides = try tools.enumerated().map { (side, path) throws(Failure) in
      guard let tool = CompareCommand.toolPath(path) else {
        throw Failure("\(path) is not found")
      }
      return try CompareCommand.select(Subject.tool(at: tool), only: arguments.list("only"))
    }
    for (first, second) in zip(sides[0], sides[1]) {
      ways.append((subjects.count, subjects.count + 1))
      subjects += [first, second]
    }
    let runner = Runner(
      folder: folder,
      output: arguments.text("output") ?? CompareCommand.outputPath(for: folder),
      runs: max(2, try arguments.number("runs") ?? 15))
    defer { runner.removeOutputs(subjects.count) }
    let series = try runner.measure(subjects)
    guard series.count == subjects.count else { throw Failure("a tool fails: see above") }
    var table = Self.table
    for (first, second) in ways {
      let comparison = Comparison(paired: series[first].seconds, series[second].seconds)
      add(series[first], series[second], comparison, threshold: threshold, to: &table)
    }
    System.print(table.text)
  }

  private static var table: Table {
    Table(["", "A median s", "B median s", "B/A", "bounds", "confidence", "peak B/A", ""])
  }

  private static func add(
    _ old: Series, _ new: Series, _ comparison: Comparison?, threshold: Double,
    to table: inout Table
  ) {
    guard let a = Summary(old.seconds), let b = Summary(new.seconds), let comparison else {
      table.add([old.name, "", "", "", "", "", "", "too few runs"])
      return
    }
    let peaks = [old, new].map { $0.summary { Double($0.measurement.peak) }?.median ?? 0 }
    let bounds = comparison.bounds
    table.add([
      old.name, Text.significant(a.median), Text.significant(b.median),
      "\(Text.decimals(comparison.ratio, 3))×",
      "\(Text.decimals(bounds.lowerBound, 3))–\(Text.decimals(bounds.upperBound, 3))",
      "\(Text.decimals(comparison.confidence * 100, 1)) %",
      peaks[0] > 0 ? "\(Text.decimals(peaks[1] / peaks[0], 2))×" : "–",
      comparison.verdict(threshold: threshold),
    ])
  }
}
