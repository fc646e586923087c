import GeoAtlas
import GeoFormats
import GeoCore
import GeoProjection

/// `geomapper whereis`: tells what is at a place.
enum WhereisCommand {
  @Sendable
  static func run(_ low: LowArguments) throws(Failure) -> ExitStatus {
    let hint = "\(Tool.name) whereis --help"
    do throws(Failure) {
      if low.atlas.isCoprocess {
        try low.refuseOutput()
        return try Coprocess.run(low)
      }
      if low.operands.isEmpty {
        throw .usage("whereis takes a place, LON,LAT in degrees, such as 13.4,52.5")
      }
      return try answer(try query(low, at: PlaceArgument.point(low.operands)), low)
    } catch {
      throw error.hinting(at: hint)
    }
  }

  /// What is asked for.
  static func query(_ low: LowArguments, at point: ExactPoint) throws(Failure) -> PointQuery {
    var query = PointQuery(point)
    query.zoom = low.zoom
    query.radius = low.atlas.radius
    if let limit = low.atlas.limit { query.limit = limit }
    return query
  }

  private static func answer(
    _ query: PointQuery, _ low: LowArguments
  ) throws(Failure) -> ExitStatus {
    let plan = try AtlasPlan(low)
    let format = try low.format(among: FileFormat.holding(.answers), usual: .text)
    let answer = query.answer(in: plan.world)
    let output = try AnswerOutput(format, plan.world, low)
    if format == .text {
      try output.add(text(of: answer, NodeText(engine: plan.world.engine)))
    } else {
      try addFeatures(of: answer, plan.world, to: output)
    }
    try output.complete()
    if answer.folders.isEmpty, !low.isQuiet { adviseIfTurned(query, plan.world) }
    return plan.status()
  }

  /// Says what is at the place if it was LAT,LON that was given.
  private static func adviseIfTurned(_ query: PointQuery, _ world: World) {
    var turned = query.point
    (turned.longitude, turned.latitude) = (turned.latitude, turned.longitude)
    guard abs(turned.latitude) <= 90 * 10_000_000_000_000,
      let folder = PointQuery(turned).answer(in: world).folders.first?.last
    else { return }
    Messages.note(
      "a place is LON,LAT; as LAT,LON it would be in '\(TerminalText.escaped(folder.path))'")
  }

  private static func text(of answer: PointQuery.Answer, _ text: NodeText) -> String {
    var result = answer.folders.isEmpty ? "at sea: no folder is at this LON,LAT\n" : ""
    for way in answer.folders {
      guard let deepest = way.last else { continue }
      result += "\(TerminalText.escaped(deepest.path))\n"
      for (position, folder) in way.enumerated() {
        result += text.line(position == 0 ? "in" : "", text.line(of: folder.path, folder.place))
      }
    }
    for (position, file) in answer.files.enumerated() {
      let place = text.place(file.place.coordinate, file.digits)
      result += text.line(
        position == 0 ? "near" : "",
        "\(NodeText.distance(file.distance)) \(TerminalText.escaped(file.path)) (\(place))")
    }
    return result
  }

  private static func addFeatures(
    of answer: PointQuery.Answer, _ world: World, to output: AnswerOutput
  ) throws(Failure) {
    var known: Set<[UInt8]> = []
    for folder in answer.folders.joined() where known.insert(folder.path).inserted {
      if let node = world.node(at: folder.path) { try output.add(node) }
    }
    for file in answer.files {
      if let node = world.node(at: file.path) { try output.add(node) }
    }
  }
}
