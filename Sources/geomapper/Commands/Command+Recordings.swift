import GeoCore

extension Command {
  /// `geomapper record`
  static let record = Command(
    id: .record,
    summary: "Record file changes as they happen.",
    usage: "record [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Record which files are created, changed, moved and deleted in folders, with times "
        + "and places on the map, until Ctrl-C. Without DIR the current folder is watched. "
        + "'geomapper replay' plays the recording.",
      "The file is saved every ten events or thirty seconds. It is always a new one "
        + "[geo_log_TIME.json in ~/.local/share/geomapper/recordings], and its changes are "
        + "not recorded. SIGUSR1 pauses and continues. To select by name, use --include GLOB.",
    ],
    examples: [
      Example(line: "geomapper record ~", effect: "Record changes in the home folder."),
      Example(
        line: "geomapper record --for 2h --sample 60s /srv",
        effect: "Record for two hours, with totals every minute."),
      Example(
        line: "geomapper record -o - --exclude '.git/' . | jq .data.path",
        effect: "Watch the events."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was recorded", incomplete: "Some folders could not be watched.",
      wrong: "a folder that does not exist, or a FILE that exists",
      others: []),
    run: RecordCommand.run)

  /// `geomapper replay`
  static let replay = Command(
    id: .replay,
    summary: "Play the events of a recording.",
    usage: "replay [OPTION]... FILE",
    description: [
      "Write the events of a recording, each as late as it happened; '-' is standard "
        + "input. A recording that breaks off is played up to its last complete event.",
      "With output to a file the events are written at once, unless --loop is given. "
        + "'geomapper serve --replay FILE' plays them on the map.",
      "If FILE has no '/' and is not in the current folder, it is taken from the folder "
        + "of recordings [~/.local/share/geomapper/recordings].",
    ],
    examples: [
      Example(line: "geomapper replay --speed 60 log.json", effect: "Play an hour in a minute."),
      Example(
        line: "geomapper replay --format gpx log.json > log.gpx",
        effect: "Write the places as a track, at once."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was played",
      incomplete: "The recording breaks off; the events before were played.",
      wrong: "a file that does not exist or is not a recording"),
    run: ReplayCommand.run)

  /// `geomapper recordings`
  static let recordings = Command(
    id: .recordings,
    summary: "List, rename, delete and export recordings.",
    usage: "recordings [ACTION] [OPTION]... [NAME]...",
    description: [
      "Manage the folder of recordings [~/.local/share/geomapper/recordings]. NAME is a "
        + "file in it. ACTION is one of these:",
      "list [the default]: show name, date, size, duration and number of events of each.",
      "info NAME...: show what each holds, and where it breaks off.",
      "rename NAME NEW: rename it; NEW must not exist.",
      "delete NAME...: delete them.",
      "export NAME: write it as JSON, CSV, GPX or GeoJSON; --all writes all of them into "
        + "a folder.",
    ],
    examples: [
      Example(line: "geomapper recordings list", effect: "List all recordings."),
      Example(
        line: "geomapper recordings export --format gpx -o log.gpx log.json",
        effect: "Write the places as a track."),
    ],
    statuses: ExitMeaning.usual(
      "Everything was done", incomplete: "A recording breaks off; the events before were used.",
      wrong: "a NAME that is not a recording"),
    run: RecordingsCommand.run, actions: RecordingsCommand.Action.allCases.map(\.rawValue))
}

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
    run: RouteCommand.run)
}

/// The first operand of a command with several actions, such as `info` in `geomapper track info`.
enum ActionWord {
  /// Parses the name of an action.
  ///
  /// - Parameter things: The objects of the actions, for the message.
  static func parse<Action: RawRepresentable<String> & CaseIterable>(
    _ word: [UInt8], doneWith things: String
  ) throws(Failure) -> Action {
    if let action = Action(rawValue: String(decoding: word, as: UTF8.self)) { return action }
    let actions = Action.allCases.map(\.rawValue)
    let advice = nearest(to: word, among: actions).map { "did you mean '\($0)'?" }
    throw .usage(
      "'\(TerminalText.escaped(word))' is not an action for \(things); "
        + (advice ?? "use \(actions.joined(separator: ", "))"))
  }
}
