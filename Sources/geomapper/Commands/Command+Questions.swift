extension Command {
  /// `geomapper locate`
  static let locate = Command(
    name: "locate",
    summary: "Tell where paths are on the map.",
    usage: "locate [OPTION]... PATH...",
    description: [
      "Tell where each PATH is: its coordinates, its land, from which zoom on it is visible, its "
        + "id, and the folders that it is in. Only the listings of these are read. '-' stands for "
        + "paths on standard input, one a line.",
      "A PATH is one of the disk, or one of the map, LABEL/...; of a snapshot, a list or a revision "
        + "it is one of the map.",
      "With --layout pinned a path alone decides its place: nothing is read, and nothing need be "
        + "there.",
    ],
    options: Option.locate,
    examples: [
      Example(
        line: "geomapper locate --root /usr /usr/bin/env", effect: "Where is env on a map of /usr?"),
      Example(
        line: "geomapper locate --root usr.geosnap usr/bin/env",
        effect: "Where was env when a snapshot was taken of /usr?"),
      Example(
        line: "geomapper locate --layout pinned --root /srv --type d /srv/new/one",
        effect: "Where would a folder be?"),
    ],
    statuses: ExitMeaning.usual(
      "All was answered", incomplete: "Some paths are not on the map; the others are answered."),
    run: LocateCommand.run)

  /// `geomapper whereis`
  static let whereis = Command(
    name: "whereis",
    summary: "Tell what is at a place of the map.",
    usage: "whereis [OPTION]... LON,LAT",
    description: [
      "Tell which folder's land holds a place, LON,LAT as the page shows it, which folders that is in, and which of its files "
        + "are nearest. Only the folders on the way down are read. With --layout pinned, where "
        + "folders may share land, all the deepest are told."
    ],
    options: Option.whereis,
    examples: [
      Example(
        line: "geomapper whereis --root /usr 35.3018604,27.5319272",
        effect: "What is here on a map of /usr?"),
      Example(
        line: "geomapper whereis --root /usr --radius 500 --limit 100 35.3018604,27.5319272",
        effect: "Which files are within 500 metres?"),
    ],
    statuses: ExitMeaning.usual("The answer was given", incomplete: nil),
    run: WhereisCommand.run)

  /// `geomapper route`
  static let route = Command(
    name: "route",
    summary: "Tell the way from one path to another.",
    usage: "route [OPTION]... A B",
    description: [
      "Tell the way from A up to the folder that holds both and down to B, with the distance of "
        + "each leg along a great circle and the bearing at which it sets out. The sphere has the "
        + "earth's mean radius, 6371.0088 km."
    ],
    options: Option.route,
    examples: [
      Example(
        line: "geomapper route --root /usr /usr/bin/env /usr/share/doc",
        effect: "How far is it from env to the documentation?"),
      Example(
        line: "geomapper route --root / --format gpx /bin /home > way.gpx",
        effect: "Write the way for a navigation device."),
    ],
    statuses: ExitMeaning.usual(
      "The way was told", incomplete: nil, wrong: "a path that is not on the map"),
    run: RouteCommand.run)
}
