extension Command {
  /// `geomapper verify`
  static let verify = Command(
    name: "verify",
    summary: "Check whether a map is what it must be.",
    usage: "verify [OPTION]... FILE | [LABEL=]DIR...",
    description: [
      "Check FILE, a map in a GeoJSON format: each node is where its path says, in its order, once, "
        + "with its id, and the counts hold. What only the disk could tell is taken as it is.",
      "Check folders: they are mapped with 1, 2 and 4 threads and in both layouts; all must give "
        + "the same bytes, each line must be as it has to be, and the order in which folders are "
        + "listed must not matter.",
      "The first fault is shown in full, and the exit status is 4.",
    ],
    options: Option.verify,
    examples: [
      Example(line: "geomapper verify home.geojson", effect: "Was the file changed or cut short?"),
      Example(line: "geomapper verify /usr", effect: "Does the map of /usr keep all promises?"),
    ],
    run: VerifyCommand.run)
}
