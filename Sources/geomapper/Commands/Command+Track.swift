extension Command {
  /// `geomapper track`
  static let track = Command(
    name: "track",
    summary: "Read, convert and make tracks (GPX).",
    usage: "track ACTION [OPTION]... FILE...",
    description: [
      "Read tracks, routes and waypoints in GPX 1.0 and 1.1, whoever wrote them; '-' stands for "
        + "standard input. ACTION is one of these:",
      "info: length, duration, speeds, climb, profile and bounds of each FILE.",
      "convert: FILE in another format.",
      "simplify: FILE with fewer points; what is left strays by no more than --tolerance.",
      "redact: FILE without the points near the places of --near, and without its metadata.",
      "places: the folders that FILE crosses, and when.",
      "cues: the turns of a planned route, as words.",
      "from: a track of timed paths: FILE has lines 'TIME PATH', or is a log of 'strace -ttt' or a "
        + "recording, whose places are taken as they are.",
    ],
    options: Option.track,
    examples: [
      Example(line: "geomapper track info ride.gpx", effect: "How far was it?"),
      Example(
        line: "geomapper track convert --format geojson -o ride.geojson ride.gpx",
        effect: "Take it to QGIS."),
      Example(
        line: "geomapper track redact --near 13.4,52.5,500 -o public.gpx ride.gpx",
        effect: "Leave out 500 metres around a home."),
      Example(
        line: "strace -f -ttt -e trace=%file -o make.log make; "
          + "geomapper track from --lines strace --root / make.log > make.gpx",
        effect: "Where on the map of / does a build go?"),
    ],
    statuses: ExitMeaning.usual(
      "All was done", incomplete: "Some of it could not be used.",
      wrong: "a file that does not exist or is no GPX"),
    run: TrackCommand.run, actions: TrackCommand.Action.allCases.map(\.rawValue))
}
