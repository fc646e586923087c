import GeoProjection

extension Command {
  /// `geomapper verify`
  static let verify = Command(
    name: "verify",
    summary: "Check that maps are what they have to be.",
    usage: "verify [OPTION]... [[LABEL=]DIR]...\n       geomapper verify [OPTION]... FILE...",
    description: [
      "Check maps of folders, or maps in files, against the definition of the projection and of the "
        + "format, to the byte. Every feature is written anew from its path and compared; every node "
        + "has to lie strictly inside the land that holds it, and neighbours have to be apart, on the "
        + "decimals. What nothing decides but the disk (sizes of files, times) is taken as it is.",
      "A DIR, by default the current folder, is mapped in both layouts with several numbers of "
        + "threads, and its folders are placed again from shuffled listings. A FILE is a map in one of "
        + "the GeoJSON formats; it is read twice. Of a map that a filter was given for, what can be "
        + "checked is checked.",
      "The first fault is printed in full, and the exit status is 4. The last line says what was found "
        + "right, and what was not checked.",
    ],
    options: Option.verify,
    examples: [
      Example(line: "geomapper verify usr.geojson", effect: "Is the map as it has to be?"),
      Example(line: "geomapper verify /usr", effect: "Are all maps of /usr?"),
    ],
    statuses: ExitMeaning.usual(
      "All is as it has to be", incomplete: "What could not be read was not checked.",
      wrong: "a file or folder that does not exist, or a file in a format that can't be checked",
      others: [ExitMeaning("4", "There is a fault.")]),
    run: VerifyCommand.run)
}

extension Option {
  /// The options of `geomapper verify`.
  static let verify: [Option] =
    [
      Option(
        name: "layout", group: .map,
        help: "Check DIR in this layout only; the layout of a FILE that doesn't say so itself: "
          + "settled (the default there) or pinned.",
        brief: "Check this layout only: settled or pinned",
        effect: .choice("LAYOUT") { (low, value: Layout) in low.layout = value }),
      answerFile,
      reportFormat("with all counts, or the fault."),
      .staysOnFileSystem,
      .git,
      .progress,
      Option(
        name: "quiet", short: "q", group: .messages,
        help: "Print faults only, don't name what could not be read, and show no progress.",
        brief: "Print faults only",
        effect: .flag { $0.isQuiet = true }),
      .showsHelp,
    ] + list
}
