/// `scale DIR`: measures time and memory by the size of the tree.
enum ScaleCommand {
  static let usage = """
    scale DIR [--max N] [--runs N] [--tool PATH] [--json FILE]
    """

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: ["max", "runs", "tool", "json"])
    let tool = try CompareCommand.tool(arguments.text("tool"))
    let most = try arguments.number("max") ?? 1_000_000
    let runs = try arguments.number("runs")
    var store = try TreeStore(at: try arguments.positional(0, "DIR"))
    defer { store.remove() }
    // Make all trees before the first measurement: for some minutes, ext4 avoids the inodes of
    // removed files and takes ten times as long to find others.
    var trees: [TreeStore.Tree] = []
    for files in sizes(upTo: most) {
      trees.append(try store.tree(.home, files: files, folders: folders(for: files)))
    }
    let report = try measure(trees, tool: tool, output: store.output, runs: runs)
    try report.publish(arguments)
  }

  /// The powers of ten from 1,000 to `most`.
  static func sizes(upTo most: Int) -> [Int] {
    Array(sequence(first: 1_000) { $0 * 10 }.prefix { $0 <= most })
  }

  static func folders(for files: Int) -> Int { max(1, files * 6 / 100) }

  static func measure(
    _ trees: [TreeStore.Tree], tool: String, output: String, runs: Int?
  ) throws(Failure) -> Report {
    let floor = Floor()
    defer { floor.remove() }
    if let trouble = floor.trouble { System.note("no floor: \(trouble)") }
    var subjects = [Subject.tool(at: tool)[0]] + floor.subjects.suffix(1)
    if let find = Peer.all.first(where: { $0.name == "find" })?.subject() { subjects.append(find) }
    var report = Report(.scale, on: output)
    for tree in trees {
      let runner = Runner(
        folder: tree.path, output: output,
        runs: runs ?? (tree.entries < 20_000 ? 15 : tree.entries < 2_000_000 ? 7 : 3),
        isQuiet: true)
      report.trees.append(
        .init(files: tree.files, folders: tree.folders, series: try runner.measure(subjects)))
      runner.removeOutputs(subjects.count)
      System.note("measured \(Text.grouped(tree.entries)) entries")
    }
    return report
  }
}
