import GeoAtlas
import GeoFormats
import GeoCore
import GeoProjection
import GeoSystem

/// `geomapper locate`: tells where paths are.
enum LocateCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let hint = "\(Tool.name) locate --help"
    do throws(Failure) {
      if low.atlas.isCoprocess {
        try low.refuseOutput()
        return try Coprocess.run(low)
      }
      if low.operands.isEmpty {
        throw .usage("there is no PATH to locate; '-' reads them from standard input")
      }
      if low.operands.contains([UInt8(ascii: "-")]), low.list.file == [UInt8(ascii: "-")] {
        throw .usage("PATH and --files-from can't both be standard input")
      }
      let layout = low.layout ?? .settled
      if layout != .pinned, low.atlas.isFolder != nil || low.atlas.counts {
        throw .usage("--type and --count go with --layout pinned: settled looks at what is there")
      }
      return try locate(low, AtlasPlan(low, readsNothing: !low.atlas.counts))
    } catch {
      throw error.hinting(at: hint)
    }
  }

  private static func locate(
    _ low: LowArguments, _ plan: AtlasPlan
  ) throws(Failure) -> ExitStatus {
    let format = try low.format(among: FileFormat.holding(.answers), usual: .text)
    let output = try AnswerOutput(format, plan.world, low)
    let text = NodeText(engine: plan.world.engine)
    var status = ExitStatus.success
    for path in try paths(low.operands) {
      do throws(Failure) {
        let node = try node(at: path, low, plan)
        if format == .text {
          try output.add(text.lines(of: node))
        } else {
          try output.add(node)
        }
      } catch {
        if error.status != .usage { throw error }
        try output.flush()
        Messages.show(error)
        status = .incomplete
      }
    }
    try output.complete()
    return plan.status(status)
  }

  /// The node of a path on disk.
  private static func node(
    at path: [UInt8], _ low: LowArguments, _ plan: AtlasPlan
  ) throws(Failure) -> MapNode {
    let place = try plan.path(of: path)
    if plan.world.engine.layout == .pinned, !low.atlas.counts {
      let isFolder =
        low.atlas.isFolder ?? (path.last == .slash || !place.contains(0x2F))
      if let node = plan.world.pinnedNode(at: place, isFolder: isFolder) { return node }
    } else if let node = plan.world.node(at: place) {
      return node
    }
    throw plan.pointing(.notOnMap(path, tried: place), at: path)
  }

  /// The operands, and for `-` the lines of standard input.
  private static func paths(_ operands: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for operand in operands {
      guard operand == [UInt8(ascii: "-")] else {
        paths.append(operand)
        continue
      }
      do throws(Errno) {
        let bytes = try FileSystem.readInput(Array("/dev/stdin".utf8), limit: 1 << 30)
        paths += bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
      } catch {
        throw .usage("can't read paths from standard input: \(error)")
      }
    }
    return paths
  }
}

extension Failure {
  /// What to say of a path that leads nowhere.
  ///
  /// - Parameter place: What was looked for on the map.
  static func notOnMap(_ path: [UInt8], tried place: [UInt8]) -> Failure {
    .usage(
      "'\(TerminalText.escaped(path))' is not on the map: there is no "
        + "'\(TerminalText.escaped(place))'")
  }
}
