import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

extension Command {
  /// `geomapper split`
  static let split = Command(
    id: .split,
    summary: "Split a large tree into parts.",
    usage: "split --parts N [OPTION]... [[LABEL=]DIR]...\n       geomapper split [OPTION]... PATH",
    description: [
      "Write shard manifests: small files, each with what 'geomapper map --shard' needs to map one part "
        + "of a tree on any machine that has it. 'geomapper join' makes the whole map of the parts.",
      "With --parts N, estimate the work with a shallow scan of DIR [the current folder], and cut it "
        + "into about N parts and one for the rest: N + 1 manifests. "
        + "With PATH, write the manifest of that one folder. It is a folder on disk, in the folder "
        + "that --root names.",
    ],
    examples: [
      Example(
        line: "geomapper split --parts 8 -o shards /data",
        effect: "Write nine manifests: eight parts and the rest."),
      Example(
        line:
          "mkdir parts; ls shards | xargs -P8 -I{} geomapper map --shard shards/{} -o parts/{} /data",
        effect: "Map them, eight at a time, into the folder parts."),
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together."),
    ],
    statuses: ExitMeaning.usual(
      "All manifests were written", incomplete: nil, wrong: "a path that is not on the map"),
    rules: [
      CommandRule { given in
        if given.low.shards.parts != nil || given.operands.count == 1 { return nil }
        return (given.operands.isEmpty ? "no PATH given" : "only one PATH at a time")
          + "; to cut a tree into parts, use --parts N"
      },
      .ending(of: .json, because: "a shard manifest is JSON"),
    ],
    run: SplitCommand.run)

  /// `geomapper join`
  static let join = Command(
    id: .join,
    summary: "Join the parts of a map.",
    usage: "join [OPTION]... PART...",
    description: [
      "Write the whole map from its parts: the same bytes as one run of 'geomapper map'. Each PART is "
        + "a regular file that 'geomapper map --shard' wrote. Give the parts of all manifests of one "
        + "split, in any order. A part that is missing, given twice, changed or from another split is "
        + "an error."
    ],
    examples: [
      Example(
        line: "geomapper join -o data.geojson parts/*",
        effect: "Put the parts together.")
    ],
    statuses: ExitMeaning.usual(
      "The map is complete",
      incomplete: "The map is complete but for what could not be read when the parts were mapped.",
      wrong: "parts that don't go together"),
    rules: [.takes(1..., or: "no parts given")],
    run: JoinCommand.run)
}

/// `geomapper split`: writes shard manifests, with which parts of a tree are mapped elsewhere.
enum SplitCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    if let parts = run.low.shards.parts { return try split(run, into: parts) }
    try single(run)
  }

  private static func single(_ run: Run) throws(Failure) {
    let low = run.low
    let inputs = try run.inputs(low.roots, read: .anywhere)
    let folder = try MapPaths(inputs.roots).path(of: low.operands[0])
    let manifest = try wording {
      try ShardManifest(of: folder, in: inputs.roots, layout: low.chosenLayout)
    }
    try run.write(manifest.text)
    try run.describe(
      json: JSONBuilder.line { json in
        json.member("manifests", 1)
        json.member("path", text: folder, raw: "rawPath")
      },
      note: low.roots.isEmpty
        ? "shard manifest of '\(TerminalText.escaped(folder))' on the map of the current folder; "
          + "--root DIR names another" : nil)
  }

  private static func split(_ run: Run, into parts: Int) throws(Failure) {
    let low = run.low
    let inputs = try run.inputs(low.operands, read: .anywhere)
    let writer = try ManifestWriter(low)
    let set: ShardSet
    let progress = run.progress
    do throws(MapError) {
      set = try ShardSet(
        splitting: inputs.roots, layout: low.chosenLayout, into: parts
      ) { progress?.show($0, "folder") }
    } catch {
      writer.discard()
      throw Failure(error)
    }
    Progress.wipe()
    try writer.write(set.manifests)
    try run.describe(json: json(set), note: report(set))
  }

  /// The number of manifests, including the rest's, and each one's share of the work.
  private static func json(_ set: ShardSet) -> [UInt8] {
    return JSONBuilder.line { json in
      json.member("manifests", Int64(set.manifests.count))
      json.member("entries", Int64(set.entries))
      json.member("shares", each: set.shares) { share, json in json.value(share) }
    }
  }

  private static func report(_ set: ShardSet) -> String {
    func percent(_ share: Double) -> String {
      let tenths = Int(share * 1000 + 0.5)
      return "\(tenths / 10).\(tenths % 10) %"
    }
    var text = Quantity.count(set.manifests.count - 1, "part")
    text += " and the rest, about \(set.entries.grouped) entries; "
    let largest = set.shares.enumerated().max { $0.element < $1.element }
    if let (number, share) = largest {
      text += "the largest is \(number == 0 ? "the rest" : "part \(number)") with \(percent(share))"
    }
    return text
  }
}

/// `geomapper join`: writes the map from its parts.
enum JoinCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    let place = try run.place
    var join = try wording { try MapJoin(low.operands) }
    if let format = FileFormat(rawValue: join.format.rawValue),
      let refusal = low.refusalOfEnding(against: format, "the parts are \(format.rawValue)")
    {
      throw .usage(refusal)
    }
    // Verify first if the output is written in place and can't be withdrawn.
    if place.temporary == nil {
      try wording("the map is not complete") { try join.verify() }
    }
    let progress = low.progressLine(beside: place)
    let total = Double(max(1, join.bytes))
    defer { progress?.clear() }
    var count = 0
    let isWhole = try run.write { (output) throws(OutputError) in
      do {
        try join.write { bytes in
          try output.write(bytes)
          count = output.count
          progress?.show(done: Double(count) / total)
        }
      } catch {
        throw error as? OutputError ?? .failed(Failure(error, "the map is not complete"))
      }
    }
    if !isWhole { return }
    let entries = join.faults == 1 ? "1 entry" : "\(join.faults.grouped) entries"
    try run.describe(
      json: json(join, bytes: count),
      note: join.faults > 0
        ? "\(entries) could not be read, or vanished, when the parts were mapped" : nil)
    run.add(faults: join.faults)
  }

  private static func json(_ join: MapJoin, bytes: Int) -> [UInt8] {
    return JSONBuilder.line { json in
      json.member("format", text: Array(join.format.rawValue.utf8))
      json.member("parts", Int64(join.partCount))
      json.member("folders", Int64(join.summary.folders))
      json.member("files", Int64(join.summary.files))
      json.member("unreadable", Int64(join.summary.unreadable))
      json.member("faults", Int64(join.faults))
      json.member("bytes", Int64(bytes))
    }
  }
}

/// Writes the manifests of a split: one a line to standard output, or one a file into a folder.
struct ManifestWriter {
  private let folder: OutputFolder?

  /// Makes the folder before the tree is read, which may contain it.
  init(_ low: LowArguments) throws(Failure) {
    let output = low.outputPath
    let isStandard = output.elementsEqual("-".utf8)
    folder =
      isStandard
      ? nil
      : try OutputFolder(
        output, refusal: "it may hold manifests of another split")
  }

  /// Writes all manifests, or none.
  func write(_ manifests: [ShardManifest]) throws(Failure) {
    guard let folder else {
      return try OutputFile.write(manifests.flatMap(\.text), to: .standardOutput)
    }
    let width = "\(manifests.count - 1)".count
    let files = manifests.map { manifest in
      let number = "\(manifest.number)"
      return Array(
        (String(repeating: "0", count: width - number.count) + number + ".shard").utf8)
    }
    try folder.write(files, things: "manifests") { manifests[$0].text }
  }

  /// Removes the new folder if no manifests are written.
  func discard() { folder?.discard() }
}
