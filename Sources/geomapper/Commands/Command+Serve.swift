extension Command {
  /// Folders without a command, on a terminal: `serve`, with the browser if there can be one.
  static let open = Command(
    name: serve.name, summary: serve.summary, usage: serve.usage, description: serve.description,
    options: serve.options, examples: serve.examples, statuses: serve.statuses,
    run: ServeCommand.open)

  /// `geomapper serve`
  static let serve = Command(
    name: "serve",
    summary: "Show folders as a map in the browser.",
    usage: "serve [OPTION]... [[LABEL=]DIR]...\n"
      + "       geomapper serve --history [OPTION]... --git REPO [[LABEL=]REV]\n"
      + "       geomapper serve --history [OPTION]... [LABEL=]STATE...\n"
      + "       geomapper serve --replay FILE [OPTION]... [[LABEL=]DIR]...",
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
        line: "geomapper serve --git . v1.0", effect: "Look at a revision of what is here."),
      Example(
        line: "geomapper serve --history --git .", effect: "Play the history of what is here."),
      Example(
        line: "geomapper serve --replay build.json src", effect: "Play what was recorded in src."),
      Example(
        line: "geomapper serve --port 8080 old=backup/src new=src",
        effect: "Show two folders as two continents, always at the same address."),
    ],
    statuses: [
      ExitMeaning("2", "Wrong usage, or a folder that does not exist."),
      ExitMeaning("3", "It could not listen there, or no thread could be started."),
      ExitMeaning("128+N", "Signal N ended it; nothing is left behind."),
    ],
    run: ServeCommand.run)
}
