import GeoAtlas
import GeoCore

extension Command {
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
      "geomapper locate --root /usr /usr/bin/env": "Show where env is on the map of /usr.",
      "geomapper locate --root usr.geosnap usr/bin/env":
        "Show where env was when the snapshot was taken.",
      "geomapper locate --layout pinned --root /srv --type d /srv/new/one":
        "Show where a folder would be.",
    ],
    statuses: statuses(
      "All paths were found", incomplete: "Some paths are not on the map; the others were found."),
    rules: [
      .noOperandForCoprocess,
      .takes(
        1..., unless: .option("coprocess"),
        or: "no PATH given; '-' reads paths from standard input"),
      .oneReader(of: "PATH"), .format,
    ],
    run: LocateCommand.run)

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
      "geomapper whereis --root /usr 35.3018604,27.5319272":
        "Show what is here on the map of /usr.",
      "geomapper whereis --root /usr --radius 500 --limit 100 35.3018604,27.5319272":
        "List the files within 500 metres.",
    ],
    statuses: statuses("The answer was given", incomplete: nil),
    rules: [
      .noOperandForCoprocess,
      .takes(
        1..., unless: .option("coprocess"),
        or: "whereis needs a place: LON,LAT in degrees, such as 13.4,52.5"),
      .format,
    ],
    run: WhereisCommand.run)

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
      "geomapper route --root /usr /usr/bin/env /usr/share/doc":
        "Show how far env is from the documentation.",
      "geomapper route --root / --format gpx /bin /home > way.gpx":
        "Write the route for a navigation device.",
    ],
    statuses: statuses(
      "The route was found", incomplete: nil, wrong: "a path that is not on the map"),
    rules: [.takes(2...2, or: "route needs two paths: from A to B"), .format],
    run: RouteCommand.run)
}

extension CommandRule {
  fileprivate static let noOperandForCoprocess = takes(
    ...0, when: .option("coprocess"),
    or: "--coprocess takes questions from standard input, and no arguments")
}

extension Failure {
  static func notOnMap(_ path: [UInt8], tried place: [UInt8]) -> Failure {
    .wrong(path, "is not on the map as \(place.quoted)")
  }
}

enum RouteCommand {
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
