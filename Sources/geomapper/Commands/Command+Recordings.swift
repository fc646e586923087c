import GeoCore

extension Command {
  /// `geomapper record`
  static let record = Command(
    id: .record,
    summary: "Record what happens in folders.",
    usage: "record [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Record what is made, changed, moved and removed in folders, with times and places on the "
        + "map, until Ctrl-C. Without a DIR the current folder is watched. The recording can be "
        + "played by 'geomapper replay'.",
      "The file is whole after every ten events or thirty seconds, and is never one that was there. "
        + "It isn't recorded itself, nor is the folder of recordings. SIGUSR1 pauses, and goes on. "
        + "To select by names here, use --include GLOB.",
    ],
    examples: [
      Example(line: "geomapper record ~", effect: "Record what happens in the home folder."),
      Example(
        line: "geomapper record --for 2h --sample 60s /srv",
        effect: "Two hours, with sums every minute."),
      Example(
        line: "geomapper record -o - --exclude '.git/' . | jq .data.path",
        effect: "Look on."),
    ],
    statuses: ExitMeaning.usual(
      "All was recorded", incomplete: "Some folders could not be watched.",
      wrong: "a folder that does not exist, or a FILE that does",
      others: []),
    run: RecordCommand.run)

  /// `geomapper replay`
  static let replay = Command(
    id: .replay,
    summary: "Play a recording.",
    usage: "replay [OPTION]... FILE",
    description: [
      "Hand out the events of a recording at their times, as they were recorded; '-' is standard "
        + "input. One that breaks off is played up to its last whole event.",
      "Into a file it is written at once, unless --loop is given.",
      "A FILE without a '/' that isn't here is looked for in the folder of recordings.",
    ],
    examples: [
      Example(line: "geomapper replay --speed 60 log.json", effect: "An hour in a minute."),
      Example(
        line: "geomapper replay --format gpx log.json > log.gpx",
        effect: "The places as a track, at once."),
    ],
    statuses: ExitMeaning.usual(
      "All was played", incomplete: "The recording breaks off; what stands before was played.",
      wrong: "a file that does not exist or is no recording"),
    run: ReplayCommand.run)

  /// `geomapper recordings`
  static let recordings = Command(
    id: .recordings,
    summary: "List, describe, rename, delete and export recordings.",
    usage: "recordings [ACTION] [OPTION]... [NAME]...",
    description: [
      "Do something with the folder of recordings. A NAME is that of a file in it. ACTION is one of "
        + "these:",
      "list (the default): name, date, size, duration and number of events of each.",
      "info NAME...: what each holds; reads all of it, and says where it breaks off if it does.",
      "rename NAME NEW: give it another name, which nobody may have.",
      "delete NAME...: remove it.",
      "export NAME: write it as JSON, CSV, GPX or GeoJSON; --all writes all of them into a folder.",
    ],
    examples: [
      Example(line: "geomapper recordings list", effect: "What has been recorded?"),
      Example(
        line: "geomapper recordings export --format gpx -o log.gpx log.json",
        effect: "The places as a track."),
    ],
    statuses: ExitMeaning.usual(
      "All was done", incomplete: "A recording breaks off; what stands before was used.",
      wrong: "a NAME that is none of a recording"),
    run: RecordingsCommand.run, actions: RecordingsCommand.Action.allCases.map(\.rawValue))
}

extension Command {
  /// `geomapper locate`
  static let locate = Command(
    id: .locate,
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
    id: .whereis,
    summary: "Tell what is at a place of the map.",
    usage: "whereis [OPTION]... LON,LAT",
    description: [
      "Tell which folder's land holds a place, LON,LAT as the page shows it, which folders that is in, and which of its files "
        + "are nearest. Only the folders on the way down are read. With --layout pinned, where "
        + "folders may share land, all the deepest are told."
    ],
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
    id: .route,
    summary: "Tell the way from one path to another.",
    usage: "route [OPTION]... A B",
    description: [
      "Tell the way from A up to the folder that holds both and down to B, with the distance of "
        + "each leg along a great circle and the bearing at which it sets out. The sphere has the "
        + "earth's mean radius, 6371.0088 km."
    ],
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

/// The first operand of a command that does several things: `info` in `geomapper track info`.
enum ActionWord {
  /// What a word stands for.
  ///
  /// - Parameter things: What it is done with, for the message.
  static func parse<Action: RawRepresentable<String> & CaseIterable>(
    _ word: [UInt8], doneWith things: String
  ) throws(Failure) -> Action {
    if let action = Action(rawValue: String(decoding: word, as: UTF8.self)) { return action }
    let actions = Action.allCases.map(\.rawValue)
    let advice = nearest(to: word, among: actions).map { "did you mean '\($0)'?" }
    throw .usage(
      "'\(TerminalText.escaped(word))' is nothing that can be done with \(things); "
        + (advice ?? "there are \(actions.joined(separator: ", "))"))
  }
}
