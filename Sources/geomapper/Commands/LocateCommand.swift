import GeoAtlas
import GeoCore
import GeoSystem

enum LocateCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    if low.atlas.isCoprocess { return try Coprocess.run(run) }
    let plan = try AtlasPlan(run, readsNothing: !low.atlas.counts)
    let format = run.format
    let output = try AnswerOutput(format, plan.world, run)
    let text = NodeText(engine: plan.world.engine)
    let paths = try paths(low.operands)
    let progress = output.isTerminal ? nil : run.progress
    progress?.begin(of: paths.count)
    for (index, path) in paths.enumerated() {
      progress?.show(index, "path")
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
        run.add(faults: 1)
      }
    }
    Progress.wipe()
    try output.complete()
  }

  private static func node(
    at path: [UInt8], _ low: LowArguments, _ plan: AtlasPlan
  ) throws(Failure) -> MapNode {
    let place = try plan.path(of: path)
    if plan.world.engine.layout == .pinned, !low.atlas.counts {
      let isFolder = low.atlas.isFolder ?? (path.last == .slash || !place.contains(0x2F))
      if let node = plan.world.pinnedNode(at: place, isFolder: isFolder) { return node }
    } else if let node = plan.world.node(at: place) {
      return node
    }
    throw plan.pointing(.notOnMap(path, tried: place), at: path)
  }

  /// The operands, with `-` replaced by the lines of standard input.
  private static func paths(_ operands: [[UInt8]]) throws(Failure) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for operand in operands {
      guard operand == [UInt8(ascii: "-")] else {
        paths.append(operand)
        continue
      }
      let bytes = try explaining("can't read paths from standard input") {
        try FileSystem.readInput(Array("/dev/stdin".utf8), limit: 1 << 30)
      }
      paths += bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
    return paths
  }
}
