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
    for root in inputs.roots where !root.source.isLive {
      throw .usage("\(root.directory.quoted) is not a folder on disk")
    }
    // Made before the tree is read, which may contain it.
    let folder = try OutputFolder(
      low.output ?? Array("parts".utf8), refusal: "it may hold lists of another split")
    let division: TreeDivision
    let progress = run.progress
    do throws(Failure) {
      division = try TreeDivision(inputs.roots, into: low.parts ?? 1) {
        progress?.show($0, "folder")
      }
    } catch {
      folder.discard()
      throw error
    }
    Progress.wipe()
    try write(division, into: folder)
    try run.describe(json: json(division), note: note(division))
  }

  private static func write(_ division: TreeDivision, into folder: OutputFolder) throws(Failure) {
    let width = "\(division.lists.count - 1)".count
    let names = division.lists.indices.map { number in
      let digits = "\(number)"
      let zeros = String(repeating: "0", count: width - digits.count)
      return Array((zeros + digits + ".list").utf8)
    }
    try folder.write(names, things: "lists") { division.lists[$0].bytes }
  }

  private static func json(_ division: TreeDivision) -> [UInt8] {
    JSONBuilder.line { json in
      json.member("lists", Int64(division.lists.count))
      json.member("entries", Int64(division.entries))
      json.member("shares", each: division.shares) { share, json in json.value(share) }
    }
  }

  private static func note(_ division: TreeDivision) -> String {
    func percent(_ share: Double) -> String {
      let tenths = Int(share * 1000 + 0.5)
      return "\(tenths / 10).\(tenths % 10) %"
    }
    var text = Quantity.count(division.lists.count - 1, "part")
    text += " and the rest, about \(division.entries.grouped) entries; "
    let largest = division.shares.enumerated().max { $0.element < $1.element }
    if let (number, share) = largest {
      text += "the largest is \(number == 0 ? "the rest" : "part \(number)") with \(percent(share))"
    }
    return text
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
