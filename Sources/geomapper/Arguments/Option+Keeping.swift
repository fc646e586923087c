import GeoCore
import GeoSources

extension Option {
  /// Options of kept states.
  static let kept: [Option] = [
    Option(
      name: "store", group: .keeping, commands: [.keep, .since, .diff, .history] + listing,
      help: "Use DIR as the store of kept states [$XDG_DATA_HOME/geomapper/kept, else "
        + "~/.local/share/geomapper/kept]. kept:WHEN in place of a folder means a state in it.",
      brief: "Use DIR as the store of kept states",
      longOnly: [.diff, .history] + listing,
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
      name: "retain", group: .keeping, commands: [.keep],
      help: "Afterwards remove all states of these folders but the last one of each of the last "
        + "hours, days, weeks and months that have one, such as hours=24,days=7 (UTC). The first "
        + "and the newest stay. 'all' removes none [hours=24,days=7,weeks=4,months=12].",
      brief: "Retain such as hours=24,days=7; or all",
      effect: .value(placeholder: "COUNTS") { (low, text) throws(Malformed) in
        low.keep.retention = try Retention(parsing: text)
      },
      rules: [.excludes(.option("list"), .option("drop"), because: "it is for a new state")]),
    Option(
      name: "list", group: .action, commands: [.keep],
      help: "List the kept states, with the room they take. Takes no state.",
      brief: "List the kept states",
      effect: .flag { $0.keep.lists = true },
      rules: [
        .excludes(.option("drop"), because: "they are two actions"),
        .excludes(.group(.selection), because: notOfStates),
      ]),
    Option(
      name: "drop", group: .action, commands: [.keep],
      help: "Remove the kept states of each TIME, which is exactly as --list prints it. Takes no "
        + "state.",
      brief: "Remove kept states by their times",
      effect: .flag { $0.keep.drops = true },
      rules: [.excludes(.group(.selection), because: notOfStates)]),
    Option(
      name: "dry-run", group: .action, commands: [.keep],
      help: "With --drop: name the states, but don't remove them.",
      effect: .flag { $0.keep.isDry = true }, rules: [.needs(.option("drop"))]),
  ]

  private static let notOfStates = "it is for a new state"
}
