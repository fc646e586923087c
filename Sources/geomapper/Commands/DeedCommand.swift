import GeoPipeline
import GeoFormats
import GeoCore
import GeoProjection
import GeoTree
import GeoSystem

/// `geomapper deed`: writes what is needed to map parts elsewhere.
enum DeedCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    do throws(Failure) {
      try low.checkReportsApart(from: "deeds")
      try low.checkEnding(against: .json, "a deed is JSON")
      if let parts = low.deeds.parts { return try split(low, into: parts) }
      return try single(low)
    } catch {
      throw error.hinting(at: "\(Tool.name) deed --help")
    }
  }

  private static func single(_ low: LowArguments) throws(Failure) -> ExitStatus {
    guard let path = low.operands.first, low.operands.count == 1 else {
      throw .usage(
        low.operands.isEmpty
          ? "there is no PATH to make a deed of"
          : "only one PATH at a time; to cut up a tree, "
            + "use --split N")
    }
    let sources = try WorldSources(low, low.deeds.roots)
    let folder = try MapPaths(sources.roots).path(of: path)
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    let deed: Deed
    do throws(MapError) {
      deed = try Deed(of: folder, in: sources.roots, layout: low.layout ?? .settled)
    } catch {
      throw Failure(error)
    }
    try OutputFile.write(deed.text, to: place)
    if low.format == .json {
      var json = JSONBuilder()
      json.object { json in
        json.member("deeds", 1)
        json.member("path", text: folder, raw: "rawPath")
      }
      try OutputFile.write(json.bytes + [UInt8(ascii: "\n")], to: .standardOutput)
    } else if !low.isQuiet, low.deeds.roots.isEmpty {
      Messages.write(
        "\(Tool.name): a deed of '\(TerminalText.escaped(folder))' in the map of the current "
          + "folder; for another, give --root\n")
    }
    return sources.status()
  }

  private static func split(_ low: LowArguments, into parts: Int) throws(Failure) -> ExitStatus {
    if !low.deeds.roots.isEmpty {
      throw .usage("with --split the roots are given without --root")
    }
    let sources = try WorldSources(low, low.operands)
    let writer = try DeedWriter(low.output ?? [UInt8(ascii: "-")])
    let set: DeedSet
    let progress = low.progressLine()
    defer { progress?.clear() }
    do throws(MapError) {
      set = try DeedSet(
        splitting: sources.roots, layout: low.layout ?? .settled, into: parts
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
    return sources.status()
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
