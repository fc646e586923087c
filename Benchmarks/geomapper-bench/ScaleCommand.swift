/// `scale DIR`: time and memory against the size of the tree.
enum ScaleCommand {
  static let usage = """
    scale DIR [--max N] [--runs N] [--tool PATH] [--json FILE] [--chart FILE]
    """

  static func run(_ list: [String]) throws(Failure) {
    let arguments = try Arguments(list, options: ["max", "runs", "tool", "json", "chart"])
    let folder = try WorkFolder(at: try arguments.positional(0, "DIR"))
    defer { folder.remove() }
    guard let tool = CompareCommand.toolPath(arguments.text("tool")) else {
      throw Failure("the tool is not found: swift build -c release --product geomapper")
    }
    let floor = Floor()
    defer { floor.remove() }
    if let trouble = floor.trouble { System.note("no floor: \(trouble)") }
    var subjects = [Subject.tool(at: tool)[0]] + floor.subjects.suffix(1)
    if let find = Peer.all.first(where: { $0.name == "find" })?.subject() { subjects.append(find) }
    let most = try arguments.number("max") ?? 1_000_000
    let runs = try arguments.number("runs")
    var report = ScaleReport(date: System.date(), machine: Machine.current(folder: folder.path))
    // All trees are made before any is removed: ext4 shuns the inodes of files that are gone for
    // some minutes, and takes ten times as long to find others.
    var trees: [(path: String, made: TreeMaker.Made)] = []
    var nodes = 1_000
    while nodes <= most {
      let folders = max(1, nodes * 60 / 1_060)
      let path = "\(folder.path)/\(nodes)"
      trees.append(
        (path, try TreeCommand.make(.home, at: path, files: nodes - folders, folders: folders)))
      System.note("made \(Text.grouped(nodes)) entries")
      nodes *= 10
    }
    for tree in trees {
      let entries = tree.made.folders + tree.made.files
      let runner = Runner(
        folder: tree.path, output: "\(folder.path)/output",
        runs: runs ?? (entries < 20_000 ? 15 : entries < 2_000_000 ? 7 : 3), isQuiet: true)
      report.points.append(
        ScaleReport.Point(
          folders: tree.made.folders, files: tree.made.files, series: try runner.measure(subjects)))
      runner.removeOutputs(subjects.count)
      System.note("measured \(Text.grouped(entries)) entries")
    }
    System.print("\(report.machine.text)\n\n\(report.table)")
    if let path = arguments.text("json") {
      try System.replace(path, with: report.json.text() + "\n")
    }
    if let path = arguments.text("chart") {
      try System.replace(path, with: ScaleChart.draw(report))
    }
  }
}
