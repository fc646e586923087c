extension Command {
  /// `geomapper serve`
  static let serve = Command(
    name: "serve",
    summary: "Show folders as a map in the browser.",
    usage: "serve [OPTION]... [[LABEL=]DIR]...",
    description: [
      "Show folders as a map in the browser, as 'geomapper map' draws them. Only what is looked "
        + "at is read, so it begins at once however large the tree is. The address is printed; "
        + "Ctrl-C ends it.",
      "Only programs of this machine can connect, whoever runs them (see --token), and no page but "
        + "its own is answered. It also serves vector tiles (/tilejson.json, /style.json) to other programs.",
    ],
    options: Option.serve,
    examples: [
      Example(line: "geomapper serve --open ~", effect: "Look at the home folder."),
      Example(
        line: "geomapper serve --port 8080 old=backup/src new=src",
        effect: "Show two folders as two continents, always at the same address."),
    ],
    run: ServeCommand.run)

  /// What the exit status of it says.
  static let serveStatuses = [
    (status: "2", meaning: "Wrong usage, or a folder that does not exist."),
    (status: "3", meaning: "It could not listen there, or no thread could be started."),
    (status: "128+N", meaning: "Signal N ended it; nothing is left behind."),
  ]
}
