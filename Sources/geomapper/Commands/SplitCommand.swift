import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree

extension Command {
  static let split = Command(
    id: .split,
    summary: "Divide a large tree into parts.",
    usage: "split --parts N [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Write lists of folders, so that several machines can read one tree: each reads one list with "
        + "'geomapper snapshot --only', and 'geomapper join' makes one snapshot of all parts.",
      "Estimate the work with a shallow scan of DIR [the current folder], and divide it into about N "
        + "parts. List 0 is the rest: what the others don't have.",
    ],
    examples: [
      "geomapper split --parts 8 /usr": "Write nine lists into the new folder parts.",
      "ls parts/*.list | xargs -P8 -I@ geomapper snapshot --only @ -o @.geosnap /usr":
        "Read them, eight at a time.",
      "geomapper join -o usr.geosnap parts/*.geosnap": "Make one snapshot of the parts.",
    ],
    statuses: statuses(
      "All lists were written", incomplete: nil, wrong: "a folder that does not exist"),
    rules: [
      CommandRule { $0.low.parts == nil ? "say into how many parts: --parts N" : nil },
      .ending(of: nil, because: "lists are written into a folder"),
    ],
    run: SplitCommand.run)

  static let join = Command(
    id: .join,
    summary: "Join the parts of a tree.",
    usage: "join [OPTION]... PART... -o FILE",
    description: [
      "Write the snapshot of a whole tree: the same bytes as one run of 'geomapper snapshot' over an "
        + "unchanged tree. Each PART is a snapshot that 'geomapper snapshot --only' wrote. Give the "
        + "parts of all lists of one split, in any order. A part that is missing, given twice or of "
        + "another tree is an error."
    ],
    examples: [
      "geomapper join -o usr.geosnap parts/*.geosnap": "Make one snapshot of the parts."
    ],
    statuses: statuses(
      "The snapshot is complete",
      incomplete:
        "The snapshot lacks what could not be read when the parts were, or missing parts.",
      wrong: "parts that don't go together"),
    rules: [
      .takes(1..., or: "no parts given"),
      .ending(of: nil, because: "a snapshot has a format of its own"),
    ],
    run: JoinCommand.run)
}

enum SplitCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    let inputs = try run.inputs(low.operands, read: .anywhere)
    try inputs.roots.expectLive { "\($0) is not a folder on disk" }
    // Made before the tree is read, which may contain it.
    let folder = try OutputFolder(low.output ?? Array("parts".utf8))
    let division = try rethrowing(
      TreeDivision(inputs.roots, into: low.parts ?? 1) { [progress = run.progress] in
        progress?.show($0, "folder")
      }
    ) { (error: Failure) -> Failure in
      folder.discard()
      return error
    }
    Progress.wipe()
    let width = "\(division.lists.count - 1)".count
    let names = division.lists.indices.map {
      Array((rightAligned("\($0)", width, "0") + ".list").utf8)
    }
    try folder.write(lists: names) { division.lists[$0].bytes }
    try run.describe(json: json(division), note: note(division))
  }

  private static func json(_ division: TreeDivision) -> [UInt8] {
    JSONBuilder.line { json in
      json.member("lists", Int64(division.lists.count))
      json.member("entries", Int64(division.entries))
      json.member("shares", each: division.shares) { share, json in json.value(share) }
    }
  }

  private static func note(_ division: TreeDivision) -> String {
    let parts = Quantity.count(division.lists.count - 1, "part")
    let text = "\(parts) and the rest, about \(division.entries.grouped) entries; "
    let largest = division.shares.enumerated().max { $0.element < $1.element }
    guard let (number, share) = largest else { return text }
    let part = number == 0 ? "the rest" : "part \(number)"
    return text + "the largest is \(part) with \(TextTable.percent(share))"
  }
}

enum JoinCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    let parts = try low.operands.map { (path) throws(Failure) in
      try wording { try Snapshot(opening: path) }
    }
    let source = try JoinedSource(parts, allowsGaps: low.allowsGaps)
    let place = try run.place
    try place.refuseTerminal("a snapshot")
    try run.write("snapshot") { report in
      var scan = FileSystemScanner.Options()
      scan.preparationListener = report.preparationListener
      return try await MapPipeline.openJoined(source, scan: scan)
    }
    if let (path, reason) = source.failure {
      throw .output("can't read \(path.quoted): \(reason)")
    }
    try run.describe(
      json: JSONBuilder.line { json in
        json.member("parts", Int64(source.partCount))
        json.member("roots", Int64(source.roots.count))
      }, note: nil)
  }
}
