import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// `geomapper deed`: writes what is needed to map parts elsewhere.
enum DeedCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    try low.checkEnding(against: .json, "a deed is JSON")
    if let parts = low.deeds.parts { return try split(low, into: parts) }
    return try single(low)
  }

  private static func single(_ low: LowArguments) throws(Failure) -> ExitStatus {
    guard let path = low.operands.first, low.operands.count == 1 else {
      throw .usage(
        low.operands.isEmpty
          ? "there is no PATH to make a deed of"
          : "only one PATH at a time; to cut up a tree, "
            + "use --split N")
    }
    let inputs = try Inputs(low, low.roots, read: .anywhere)
    let folder = try MapPaths(inputs.roots).path(of: path)
    let place = try low.place
    let deed = try wording {
      try Deed(of: folder, in: inputs.roots, layout: low.layout ?? .settled)
    }
    try OutputFile.write(deed.text, to: place)
    if low.format == .json {
      var json = JSONBuilder()
      json.object { json in
        json.member("deeds", 1)
        json.member("path", text: folder, raw: "rawPath")
      }
      try OutputFile.write(json.bytes + [UInt8(ascii: "\n")], to: .standardOutput)
    } else if !low.isQuiet, low.roots.isEmpty {
      Messages.write(
        "\(Tool.name): a deed of '\(TerminalText.escaped(folder))' in the map of the current "
          + "folder; for another, give --root\n")
    }
    return inputs.status()
  }

  private static func split(_ low: LowArguments, into parts: Int) throws(Failure) -> ExitStatus {
    let inputs = try Inputs(low, low.operands, read: .anywhere)
    let writer = try DeedWriter(low.outputPath)
    let set: DeedSet
    let progress = low.progressLine()
    defer { progress?.clear() }
    do throws(MapError) {
      set = try DeedSet(
        splitting: inputs.roots, layout: low.layout ?? .settled, into: parts
      ) { progress?.show($0, "folder") }
    } catch {
      writer.discard()
      throw Failure(error)
    }
    progress?.clear()
    try writer.write(set.deeds)
    if low.format == .json {
      try OutputFile.write(json(set), to: .standardOutput)
    } else if !low.isQuiet {
      Messages.write("\(Tool.name): " + report(set))
    }
    return inputs.status()
  }

  /// What was made: how many deeds, with that for the rest, and the share of the work that each has.
  private static func json(_ set: DeedSet) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("deeds", Int64(set.deeds.count))
      json.member("entries", Int64(set.entries))
      json.key("shares")
      json.array { json in for share in set.shares { json.value(share) } }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private static func report(_ set: DeedSet) -> String {
    func percent(_ share: Double) -> String {
      let tenths = Int(share * 1000 + 0.5)
      return "\(tenths / 10).\(tenths % 10) %"
    }
    var text = Quantity.count(set.deeds.count - 1, "deed")
    text += " and the rest, about \(set.entries.grouped) entries; "
    let largest = set.shares.enumerated().max { $0.element < $1.element }
    if let (number, share) = largest {
      text += "the largest share is \(percent(share)), of "
      text += number == 0 ? "the rest" : "deed \(number)"
    }
    return text + "\n"
  }
}

/// `geomapper join`: writes what the parts of a map come to.
enum JoinCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    if low.operands.isEmpty {
      throw .usage("there are no parts to join")
    }
    let place = try low.place
    var join = try wording { try MapJoin(low.operands) }
    if let format = FileFormat(rawValue: join.format.rawValue) {
      try low.checkEnding(against: format, "the parts are \(format.rawValue)")
    }
    // What is written in place can't be taken back.
    if place.temporary == nil {
      try wording("the map is not complete") { try join.verify() }
    }
    let output = try OutputFile(opening: place)
    let progress = low.progressLine(beside: place)
    let total = Double(max(1, join.bytes))
    defer { progress?.clear() }
    do {
      try join.write { bytes in
        try output.write(bytes)
        progress?.show(done: Double(output.count) / total)
      }
      try output.complete()
    } catch {
      output.discard()
      if case OutputError.closedPipe = error { return .success }
      throw Failure(error, "the map is not complete")
    }
    if low.format == .json {
      try OutputFile.write(json(join, bytes: output.count), to: .standardOutput)
    } else if join.faults > 0, !low.isQuiet {
      let entries = join.faults == 1 ? "1 entry" : "\(join.faults.grouped) entries"
      Messages.write(
        "\(Tool.name): \(entries) could not be read, or vanished, when the parts were mapped\n")
    }
    return join.faults == 0 ? .success : .incomplete
  }

  private static func json(_ join: MapJoin, bytes: Int) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("format", text: Array(join.format.rawValue.utf8))
      json.member("parts", Int64(join.partCount))
      json.member("folders", Int64(join.summary.folders))
      json.member("files", Int64(join.summary.files))
      json.member("unreadable", Int64(join.summary.unreadable))
      json.member("faults", Int64(join.faults))
      json.member("bytes", Int64(bytes))
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}

/// Writes the deeds of a split: a line each to standard output, or a file each into a folder.
struct DeedWriter {
  private let folder: OutputFolder?

  /// Finds out where the deeds go; a folder is made now, before the tree that it may be in is read.
  init(_ output: [UInt8]) throws(Failure) {
    let isStandard = output.elementsEqual("-".utf8)
    folder =
      isStandard
      ? nil
      : try OutputFolder(
        output, refusal: "deeds of another split may be in it")
  }

  /// Writes all deeds, or none.
  func write(_ deeds: [Deed]) throws(Failure) {
    guard let folder else {
      return try OutputFile.write(deeds.flatMap(\.text), to: .standardOutput)
    }
    let width = "\(deeds.count - 1)".count
    let files = deeds.map { deed in
      let number = "\(deed.number)"
      return Array(
        (String(repeating: "0", count: width - number.count) + number + ".deed").utf8)
    }
    try folder.write(files, things: "deeds") { deeds[$0].text }
  }

  /// Leaves no folder behind that was made for deeds that there won't be.
  func discard() { folder?.discard() }
}
