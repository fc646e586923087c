import GeoCore
import GeoSystem
import GeoTree

extension Command {
  static let stats = Command(
    id: .stats,
    summary: "Show what uses disk space.",
    usage: "stats [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper stats [OPTION]... --git REPO [[LABEL=]REV]...\n"
      + "       geomapper stats --trend [OPTION]... [[LABEL=]DIR]",
    description: [
      "Show what uses disk space: folders with everything in them, the largest first, and "
        + "the largest files; or totals by extension, age or owner. Without DIR it shows the "
        + "current folder.",
      "A folder's total is that of 'du -s' for this folder alone, without the space of "
        + "the folders themselves. A file with several names counts once in each folder that "
        + "has one of them. By extension, age and owner it counts once.",
    ],
    examples: [
      "geomapper stats ~": "Show what uses space in the home folder.",
      "geomapper stats --min 1G ~": "Show all folders of a gigabyte or more.",
      "geomapper stats --depth 2 --sort newest /srv":
        "Show which folders changed last, two levels down.",
      "geomapper stats --by extension /usr": "Show which types of files there are.",
      "geomapper stats --trend --depth 2 ~":
        "Show which folders grew, by the states that 'geomapper keep' has kept.",
      "geomapper stats --format json --limit 100 ~ > home.json":
        "Write everything for a program, with lists of 100 entries.",
    ],
    statuses: statuses(
      "Everything was counted", incomplete: "What could not be read is not counted."),
    rules: [.oneKeptFolder(when: .option("trend")), .format],
    run: StatsCommand.run)
}

enum StatsCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    let (format, place) = try run.product
    if low.stats.showsTrend { return try trend(run, format) }
    let inputs = try run.inputs(low.operands, read: .selected)
    let roots = try inputs.roots.checked
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    var scan = StatsScan(now: now)
    scan.top = low.limit ?? 10
    scan.depth = low.stats.depth ?? (low.stats.minimum == nil ? 1 : .max)
    scan.scan = inputs.scan
    scan.scan.temporary = place.temporary
    scan.layers = try low.layers.open(inputs)
    let grouping = try low.layers.number(
      of: low.stats.groupingLayer, "by", or: StatsGrouping.allCases.map(\.rawValue), in: scan.layers
    )
    if let grouping, scan.layers?.schema.layers[grouping].kind != .word {
      throw .usage(
        "--by is for words, and the layer has numbers; NAME:word=SOURCE makes them words")
    }
    let order = try low.layers.number(
      of: low.stats.orderLayer, "sort", or: StatsOrder.allCases.map(\.rawValue), in: scan.layers)
    let expected = run.expectedEntries(of: roots)
    let stats = try run.read(of: roots.entryCount, about: expected) { [scan] faults in
      try await scan.run(roots, heardBy: faults)
    }
    var text = StatsText(stats: stats)
    text.grouping = low.stats.grouping ?? .folder
    text.order = low.stats.order ?? .size
    text.minimum = low.stats.minimum ?? 0
    text.groupingLayer = grouping
    text.orderLayer = order
    if let measure = try low.layers.sizes(scan.layers) {
      text.measuredLayer = try low.layers.number(
        of: measure == LayerArguments.measures[1] ? nil : measure, "measure", in: scan.layers)
      text.sharesFiles = text.measuredLayer == nil
      if text.measuredLayer != nil, low.stats.grouping != nil || grouping != nil {
        throw .usage("--measure: a layer has amounts of folders; leave out --by")
      }
      if low.stats.order == nil, order == nil {
        (text.order, text.orderLayer) = (text.sharesFiles ? .files : .size, text.measuredLayer)
      }
    }
    run.note(unmatched: stats.layers?.unmatched)
    text.rows = low.limit ?? (low.stats.minimum == nil ? 20 : .max)
    try run.write(as: format, json: StatsJSON(stats: stats, now: now).text, text: text.text)
  }

  private static func trend(_ run: Run, _ format: FileFormat) throws(Failure) {
    let low = run.low
    let (states, label) = try KeptStates.ofOneFolder(low)
    let trends = try KeptTrends(
      of: states, label: label, depth: low.stats.depth ?? 1, low.measure
    ) { (scan, root, part) throws(Failure) in
      try run.read(part, of: root.source.entryCount) { faults in
        var scan = scan
        scan.scan = low.map.scan
        return try await scan.run([root], heardBy: faults)
      }
    }
    try run.write(as: format, json: trends.json, text: trends.text(rows: low.limit ?? 20))
  }
}

extension StatsScan {
  fileprivate func run(_ roots: [ScanRoot], heardBy faults: FaultList) async throws -> TreeStats {
    var scan = self
    scan.scan = scan.scan.heard(by: faults.progress)
    return try await scan.run(roots) { faults.add($0) }
  }
}

extension TreeStats.Age {
  /// The ages, the youngest first, with their names in JSON.
  static let all: [(age: Self, words: String, key: String)] = [
    (.future, "in the future", "future"), (.day, "last day", "day"), (.week, "last week", "week"),
    (.month, "last 30 days", "month"), (.year, "last year", "year"),
    (.fiveYears, "last 5 years", "fiveYears"), (.older, "older", "older"),
    (.unknown, "unknown", "unknown"),
  ]
}
