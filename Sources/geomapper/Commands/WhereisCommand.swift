import GeoAtlas
import GeoCore
import GeoFormats
import GeoProjection

enum WhereisCommand {
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    if low.atlas.isCoprocess { return try Coprocess.run(run) }
    let query = query(low, at: try PlaceArgument.point(low.operands))
    let world = try AtlasPlan(run).world
    let format = run.format
    let answer = query.answer(in: world) { [progress = run.progress] reach, place in
      progress?.show(
        MapSummary(folders: reach.folders, files: reach.files, unreadable: 0), at: place)
    }
    Progress.wipe()
    let output = try AnswerOutput(format, world, run)
    if format == .text {
      try output.add(text(of: answer, world, NodeText(engine: world.engine)))
    } else {
      try addFeatures(of: answer, world, to: output)
    }
    try output.complete()
    if answer.folders.isEmpty, !low.isQuiet { adviseIfTurned(query, world) }
  }

  static func query(_ low: LowArguments, at point: ExactPoint) -> PointQuery {
    var query = PointQuery(point)
    query.zoom = low.map.filter.zoom
    query.radius = low.atlas.radius
    if let limit = low.limit { query.limit = limit }
    return query
  }

  /// Notes the folder at the place if the user may have typed LAT,LON.
  private static func adviseIfTurned(_ query: PointQuery, _ world: World) {
    var turned = query.point
    (turned.longitude, turned.latitude) = (turned.latitude, turned.longitude)
    guard abs(turned.latitude) <= 90 * 10_000_000_000_000,
      let folder = PointQuery(turned).answer(in: world).folders.first?.last
    else { return }
    Messages.note("a place is LON,LAT; as LAT,LON it would be in \(folder.path.quoted)")
  }

  private static func text(
    of answer: PointQuery.Answer, _ world: World, _ text: NodeText
  ) -> String {
    func size(_ path: [UInt8]) -> String? { world.node(at: path).flatMap(text.size) }
    var result = answer.folders.isEmpty ? "at sea: no folder is at this LON,LAT\n" : ""
    for way in answer.folders {
      guard let deepest = way.last else { continue }
      result += "\(deepest.path.shown)\n"
      if let size = size(deepest.path) { result += text.line("size", size) }
      for (position, folder) in way.enumerated() {
        result += text.line(position == 0 ? "in" : "", text.line(of: folder.path, folder.place))
      }
    }
    for (position, file) in answer.files.enumerated() {
      let place = text.place(file.place.coordinate, file.digits)
      result += text.line(
        position == 0 ? "near" : "",
        "\(NodeText.distance(file.distance)) \(file.path.shown) (\(place))"
          + (size(file.path).map { " \($0)" } ?? ""))
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
