import Statistics

/// `diff --tool A --tool B DIR`: shows what became slower or faster between two builds.
enum DiffCommand {
  static let usage = """
    diff --tool A --tool B DIR [--runs N] [--only NAMES] [--output FILE] [--threshold PERCENT]
    """

  /// Measures both tools in alternation, and compares their times pair by pair.
  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: ["tool", "runs", "only", "output", "threshold"])
    let threshold = (try arguments.decimal("threshold") ?? 1) / 100
    let folder = try CompareCommand.existingFolder(try arguments.positional(0, "DIR"))
    let tools = arguments.texts("tool")
    guard tools.count == 2 else { throw Failure("give --tool twice") }
    let sides = try tools.map { (path) throws(Failure) in
      let tool = try CompareCommand.tool(path)
      // Measure the variations only if --only names them.
      guard let only = arguments.list("only") else { return Subject.tool(at: tool) }
      return try CompareCommand.select(
        Subject.tool(at: tool) + Subject.toolVariations(at: tool), only: only)
    }
    let subjects = zip(sides[0], sides[1]).flatMap { [$0, $1] }
    let runner = Runner(
      folder: folder,
      output: arguments.text("output") ?? CompareCommand.outputPath(for: folder),
      runs: max(2, try arguments.number("runs") ?? 15))
    defer { runner.removeOutputs(subjects.count) }
    let series = try runner.measure(subjects)
    guard series.count == subjects.count else { throw Failure("a tool fails: see above") }
    var table = Table(
      ["", "A median s", "B median s", "B/A", "bounds", "confidence", "peak B/A", ""])
    var names: [Comparison.Verdict: [String]] = [:]
    for first in stride(from: 0, to: series.count, by: 2) {
      let (old, new) = (series[first], series[first + 1])
      guard let comparison = Comparison(old.seconds, new.seconds) else { continue }
      let verdict = comparison.verdict(threshold: threshold)
      names[verdict, default: []].append(old.name)
      table.add(Self.row(old, new, comparison) + [verdict.rawValue])
    }
    System.print(table.text + "\n")
    for verdict in [Comparison.Verdict.slower, .faster] {
      System.print("\(verdict.rawValue): \(names[verdict]?.joined(separator: "; ") ?? "nothing")")
    }
  }

  private static func row(_ old: Series, _ new: Series, _ comparison: Comparison) -> [String] {
    let times = [old, new].map { Summary($0.seconds)?.median ?? 0 }
    let peaks = [old, new].map { $0.summary { Double($0.measurement.peak) }?.median ?? 0 }
    let bounds = comparison.bounds
    return [
      old.name, Text.significant(times[0]), Text.significant(times[1]),
      "\(Text.decimals(comparison.ratio, 3))×",
      "\(Text.decimals(bounds.lowerBound, 3))–\(Text.decimals(bounds.upperBound, 3))",
      "\(Text.decimals(comparison.confidence * 100, 1)) %",
      peaks[0] > 0 ? "\(Text.decimals(peaks[1] / peaks[0], 2))×" : "–",
    ]
  }
}
