import Statistics

/// `diff A.json B.json`, or `diff --tool A --tool B DIR`: shows what became slower or faster.
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
      let first = try Results(reading: try arguments.positional(0, "A.json"))
      let second = try Results(reading: try arguments.positional(1, "B.json"))
      try compare(first, second, by: arguments.text("by"), threshold: threshold)
    } else {
      guard tools.count == 2 else { throw Failure("--tool is to be given twice") }
      try compareLive(tools, arguments, threshold: threshold)
    }
  }

  /// Compares two files of results, unpaired because their runs were at different times.
  private static func compare(
    _ first: Results, _ second: Results, by base: String?, threshold: Double
  ) throws(Failure) {
    if first.conditions != second.conditions {
      System.note(
        """
        The two were not taken alike:
        A: \(first.conditions)
        B: \(second.conditions)
        """)
    }
    var table = Self.table
    var verdicts: [(name: String, verdict: Comparison.Verdict)] = []
    for old in first.rows {
      guard let new = second.rows.first(where: { $0.name == old.name }) else { continue }
      let comparison = Comparison(
        unpaired: try first.figures(of: old, by: base), try second.figures(of: new, by: base))
      add(old, new, comparison, threshold: threshold, to: &table)
      if let comparison { verdicts.append((old.name, comparison.verdict(threshold: threshold))) }
    }
    System.print(table.text)
    if let base { System.print("\nratios are of times divided by \(base)'s in the same round") }
    report(verdicts)
  }

  /// Prints the names that became slower, then those that became faster.
  private static func report(_ verdicts: [(name: String, verdict: Comparison.Verdict)]) {
    System.print("")
    for kind in [Comparison.Verdict.slower, .faster] {
      let names = verdicts.filter { $0.verdict == kind }.map(\.name)
      System.print("\(kind.rawValue): \(names.isEmpty ? "nothing" : names.joined(separator: "; "))")
    }
  }

  /// Measures two tools in alternation, and compares them pair by pair.
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
      // Measure the variations only if --only names them.
      guard let only = arguments.list("only") else { return Subject.tool(at: tool) }
      return try CompareCommand.select(
        Subject.tool(at: tool) + Subject.toolVariations(at: tool), only: only)
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
    var verdicts: [(name: String, verdict: Comparison.Verdict)] = []
    for (first, second) in ways {
      let sides = [first, second].map { Results.Row(series[$0], prefix: "") }
      let comparison = Comparison(paired: series[first].seconds, series[second].seconds)
      add(sides[0], sides[1], comparison, threshold: threshold, to: &table)
      if let comparison {
        verdicts.append((sides[0].name, comparison.verdict(threshold: threshold)))
      }
    }
    System.print(table.text)
    report(verdicts)
  }

  private static var table: Table {
    Table(["", "A median s", "B median s", "B/A", "bounds", "confidence", "peak B/A", ""])
  }

  private static func add(
    _ old: Results.Row, _ new: Results.Row, _ comparison: Comparison?, threshold: Double,
    to table: inout Table
  ) {
    guard let a = Summary(old.figures), let b = Summary(new.figures), let comparison else {
      table.add([old.name, "", "", "", "", "", "", Comparison.Verdict.tooFewRuns.rawValue])
      return
    }
    let peaks = [old, new].map { Summary($0.peaks)?.median ?? 0 }
    let bounds = comparison.bounds
    table.add([
      old.name, Text.significant(a.median), Text.significant(b.median),
      "\(Text.decimals(comparison.ratio, 3))×",
      "\(Text.decimals(bounds.lowerBound, 3))–\(Text.decimals(bounds.upperBound, 3))",
      "\(Text.decimals(comparison.confidence * 100, 1)) %",
      peaks[0] > 0 ? "\(Text.decimals(peaks[1] / peaks[0], 2))×" : "–",
      comparison.verdict(threshold: threshold).rawValue,
    ])
  }
}
