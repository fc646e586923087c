import GeoCore

extension Option {
  /// Options of kept states.
  static let kept: [Option] = [
    Option(
      name: "store", group: .keeping, commands: [.keep, .since, .diff, .history] + listing,
      help: "Use DIR as the store of kept states [$XDG_DATA_HOME/geomapper/kept, else "
        + "~/.local/share/geomapper/kept]. kept:WHEN in place of a folder means a state in it.",
      brief: "Use DIR as the store of kept states",
      effect: .path("DIR", "the name of a folder") { (low, text) in low.keep.store = text }),
    Option(
      name: "kept", group: .keeping, commands: [.since, .history, .serve],
      help: "Compare the newest kept state instead of the disk, which is not read. Without WHEN "
        + "the old state is the one before it.",
      brief: "Compare the newest kept state instead of the disk",
      variants: [
        Variant(
          .history,
          help: "Read the history of all kept states of DIR [the current folder], a kept folder or "
            + "a folder in one.",
          brief: "Read the history of all kept states of DIR"),
        Variant(
          .serve,
          help:
            "With --history: play all kept states of DIR [the current folder], a kept folder or "
            + "a folder in one.",
          brief: "With --history: play all kept states of DIR"),
      ],
      effect: .flag { $0.readsKept = true },
      rules: [
        .needs(.option("history"), in: [.serve], because: "kept states are played as a history"),
        .excludes(
          .option("git"), in: [.history, .serve], because: "kept states are not revisions"),
      ]),
    Option(
      name: "list", group: .action, commands: [.keep],
      help: "List the kept states, with the room they take. Takes no state.",
      brief: "List the kept states",
      effect: .flag { $0.keep.lists = true }),
  ]
}
