extension Command {
  /// `geomapper record`
  static let record = Command(
    name: "record",
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
    options: Option.record + Option.selection.filter { $0.name != "name" } + [.showsHelp],
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
    name: "replay",
    summary: "Play a recording.",
    usage: "replay [OPTION]... FILE",
    description: [
      "Hand out the events of a recording at their times, as they were recorded; '-' is standard "
        + "input. One that breaks off is played up to its last whole event.",
      "A FILE without a '/' that isn't here is looked for in the folder of recordings.",
    ],
    options: Option.replay,
    examples: [
      Example(line: "geomapper replay --speed 60 log.json", effect: "An hour in a minute."),
      Example(
        line: "geomapper replay --speed 1000000 --format gpx log.json > log.gpx",
        effect: "The places as a track, at once."),
    ],
    statuses: ExitMeaning.usual(
      "All was played", incomplete: "The recording breaks off; what stands before was played.",
      wrong: "a file that does not exist or is no recording"),
    run: ReplayCommand.run)

  /// `geomapper recordings`
  static let recordings = Command(
    name: "recordings",
    summary: "List, describe, rename, delete and export recordings.",
    usage: "recordings [ACTION] [OPTION]... [NAME]...",
    description: [
      "Do something with the folder of recordings. A NAME is that of a file in it. ACTION is one of "
        + "these:",
      "list (the default): name, date, size, duration and number of events of each.",
      "info NAME...: what each holds; reads all of it, and says where it breaks off if it does.",
      "rename NAME NEW: give it another name, which nobody may have.",
      "delete NAME...: remove it.",
      "export NAME: write it as JSON, CSV, GPX or GeoJSON.",
    ],
    options: Option.recordings,
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
