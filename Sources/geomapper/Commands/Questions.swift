import GeoAtlas
import GeoCore
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoSystem

extension Command {
  /// `geomapper locate`
  static let locate = Command(
    id: .locate,
    summary: "Show where paths are on the map.",
    usage: "locate [OPTION]... PATH...",
    description: [
      "Show where each PATH is: coordinates, land, first visible zoom, id, size, and the "
        + "folders that contain it. Only the listings of these are read. '-' reads paths from "
        + "standard input, one a line.",
      "PATH is a path on disk, or on the map, LABEL/...; in a snapshot, a list or a "
        + "revision it is on the map.",
      "With --layout pinned the path alone decides the place: nothing is read, and "
        + "nothing has to exist.",
    ],
    examples: [
      Example(
        line: "geomapper locate --root /usr /usr/bin/env",
        effect: "Show where env is on the map of /usr."),
      Example(
        line: "geomapper locate --root usr.geosnap usr/bin/env",
        effect: "Show where env was when the snapshot was taken."),
      Example(
        line: "geomapper locate --layout pinned --root /srv --type d /srv/new/one",
        effect: "Show where a folder would be."),
    ],
    statuses: ExitMeaning.usual(
      "All paths were found", incomplete: "Some paths are not on the map; the others were found."),
    rules: [
      .noOperandForCoprocess,
      .takes(
        1..., unless: .option("coprocess"),
        or: "no PATH given; '-' reads paths from standard input"),
      .oneReader(of: "PATH"), .format,
    ],
    run: LocateCommand.run)

  /// `geomapper whereis`
  static let whereis = Command(
    id: .whereis,
    summary: "Show what is at a place.",
    usage: "whereis [OPTION]... LON,LAT",
    description: [
      "Show which folder contains a place, LON,LAT as the page shows it, the folders "
        + "around it, and its nearest files. Only the folders on the way down are read. With "
        + "--layout pinned, where folders may overlap, all the deepest ones are shown."
    ],
    examples: [
      Example(
        line: "geomapper whereis --root /usr 35.3018604,27.5319272",
        effect: "Show what is here on the map of /usr."),
      Example(
        line: "geomapper whereis --root /usr --radius 500 --limit 100 35.3018604,27.5319272",
        effect: "List the files within 500 metres."),
    ],
    statuses: ExitMeaning.usual("The answer was given", incomplete: nil),
    rules: [
      .noOperandForCoprocess,
      .takes(
        1..., unless: .option("coprocess"),
        or: "whereis needs a place: LON,LAT in degrees, such as 13.4,52.5"),
      .format,
    ],
    run: WhereisCommand.run)

  /// `geomapper route`
  static let route = Command(
    id: .route,
    summary: "Show the route between two paths.",
    usage: "route [OPTION]... A B",
    description: [
      "Show the route from A up to the folder that contains both, and down to B, with the "
        + "distance of each leg along a great circle and its initial bearing. The sphere has "
        + "the earth's mean radius, 6371.0088 km."
    ],
    examples: [
      Example(
        line: "geomapper route --root /usr /usr/bin/env /usr/share/doc",
        effect: "Show how far env is from the documentation."),
      Example(
        line: "geomapper route --root / --format gpx /bin /home > way.gpx",
        effect: "Write the route for a navigation device."),
    ],
    statuses: ExitMeaning.usual(
      "The route was found", incomplete: nil, wrong: "a path that is not on the map"),
    rules: [.takes(2...2, or: "route needs two paths: from A to B"), .format],
    run: RouteCommand.run)
}

extension CommandRule {
  fileprivate static let noOperandForCoprocess = takes(
    ...0, when: .option("coprocess"),
    or: "--coprocess takes questions from standard input, and no arguments")
}

/// `geomapper locate`: shows where paths are.
enum LocateCommand {
  @Sendable
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

extension Failure {
  /// The error for a path that is not on the map.
  ///
  /// - Parameter place: The path on the map that was tried.
  static func notOnMap(_ path: [UInt8], tried place: [UInt8]) -> Failure {
    .usage(
      "'\(TerminalText.escaped(path))' is not on the map as "
        + "'\(TerminalText.escaped(place))'")
  }
}

/// `geomapper route`: shows the route from one path to another.
enum RouteCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    let (format, _) = try run.product
    let plan = try AtlasPlan(run)
    var ends: [MapNode] = []
    for path in run.low.operands {
      let place = try plan.path(of: path)
      guard let node = plan.world.node(at: place) else {
        throw plan.pointing(.notOnMap(path, tried: place), at: path)
      }
      ends.append(node)
    }
    let route = Route(from: ends[0], to: ends[1], engine: plan.world.engine)
    let text = RouteText(route: route)
    switch format {
    case .geojson: try run.write(text.geojson)
    case .gpx: try run.write(text.gpx)
    default: try run.write(text.plain)
    }
  }
}

/// `geomapper whereis`: shows what is at a place.
enum WhereisCommand {
  @Sendable
  static func run(_ run: Run) throws(Failure) {
    let low = run.low
    if low.atlas.isCoprocess { return try Coprocess.run(run) }
    let query = try query(low, at: PlaceArgument.point(low.operands))
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

  /// The query that the options describe.
  static func query(_ low: LowArguments, at point: ExactPoint) throws(Failure) -> PointQuery {
    var query = PointQuery(point)
    query.zoom = low.zoom
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
    Messages.note(
      "a place is LON,LAT; as LAT,LON it would be in '\(TerminalText.escaped(folder.path))'")
  }

  private static func text(
    of answer: PointQuery.Answer, _ world: World, _ text: NodeText
  ) -> String {
    func size(_ path: [UInt8]) -> String? { world.node(at: path).flatMap(text.size) }
    var result = answer.folders.isEmpty ? "at sea: no folder is at this LON,LAT\n" : ""
    for way in answer.folders {
      guard let deepest = way.last else { continue }
      result += "\(TerminalText.escaped(deepest.path))\n"
      if let size = size(deepest.path) { result += text.line("size", size) }
      for (position, folder) in way.enumerated() {
        result += text.line(position == 0 ? "in" : "", text.line(of: folder.path, folder.place))
      }
    }
    for (position, file) in answer.files.enumerated() {
      let place = text.place(file.place.coordinate, file.digits)
      result += text.line(
        position == 0 ? "near" : "",
        "\(NodeText.distance(file.distance)) \(TerminalText.escaped(file.path)) (\(place))"
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
