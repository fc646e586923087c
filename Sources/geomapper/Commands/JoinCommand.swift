import GeoFormats
import GeoCore
import GeoPipeline
import GeoSystem

/// `geomapper join`: writes what the parts of a map come to.
enum JoinCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    if low.operands.isEmpty {
      throw Failure.usage("there are no parts to join").hinting(
        at: "\(Tool.name) join --help")
    }
    try low.checkReportsApart(from: "features")
    let place = try OutputPlace(low.output ?? [UInt8(ascii: "-")])
    var join: MapJoin
    do throws(JoinError) {
      join = try MapJoin(low.operands)
    } catch {
      throw .usage(error.description)
    }
    if let format = FileFormat(rawValue: join.format.rawValue) {
      try low.checkEnding(against: format, "the parts are \(format.rawValue)")
    }
    // What is written in place can't be taken back.
    if place.temporary == nil {
      do {
        try join.verify()
      } catch {
        throw failure(error)
      }
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
      throw failure(error)
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

  private static func failure(_ error: any Error) -> Failure {
    switch error {
    case OutputError.failed(let failure): failure
    case let error as JoinError: .usage(error.description)
    default: .output("the map is not complete: \(error)")
    }
  }
}
