import GeoFormats
import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem

extension Command {
  /// `geomapper stats`
  static let stats = Command(
    id: .stats,
    summary: "Tell where the disk has gone.",
    usage: "stats [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Tell what takes the room on the disk: folders with all that is below them, the largest "
        + "first, and the largest files; or the same by extension, age or owner. Without a DIR it is "
        + "about the current folder.",
      "A folder's sum is what 'du -s' says of it alone, less what the folders themselves take: a "
        + "file of several names counts once in each folder that holds any of them. By extension, age "
        + "and owner it counts once.",
    ],
    examples: [
      Example(line: "geomapper stats ~", effect: "Where has the room in the home folder gone?"),
      Example(
        line: "geomapper stats --depth 2 --sort newest /srv",
        effect: "Which folders were changed last, two levels down?"),
      Example(
        line: "geomapper stats --by extension /usr", effect: "What kinds of files are there?"),
      Example(
        line: "geomapper stats --format json --limit 100 ~ > home.json",
        effect: "All of it for a program, the lists with 100 entries."),
    ],
    statuses: ExitMeaning.usual(
      "All was added up", incomplete: "What could not be read is not in the sums."),
    run: StatsCommand.run)
}

/// `geomapper stats`: tells where the disk has gone.
enum StatsCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    let (format, place) = try run.product
    let roots = try run.inputs(low.operands, read: .selected).checked
    let now = ThisProcess.unixNanoseconds / 1_000_000_000
    var scan = StatsScan(now: now)
    scan.top = low.limit ?? 10
    scan.depth = low.stats.depth ?? 1
    scan.scan.threads = low.threads
    scan.scan.temporary = place.temporary
    scan.scan.staysOnFileSystem = low.links.staysOnFileSystem
    let stats = try run.read(of: roots.entryCount) { [scan] faults in
      var scan = scan
      scan.scan.tellsReach = faults.listener
      return try await scan.run(roots) { faults.add($0) }
    }
    if format == .json { return try run.write(StatsJSON(stats: stats, now: now).text) }
    var text = StatsText(stats: stats)
    text.grouping = low.stats.grouping ?? .folder
    text.order = low.stats.order ?? .size
    if let limit = low.limit { text.rows = limit }
    try run.write(text.text)
  }
}
