import GeoCore
import GeoSources

extension Option {
  /// Options of kept states.
  static let kept: [Option] = [
    Option(
      name: "store", group: .keeping, commands: [.keep],
      help: "Use DIR as the store of kept states [$XDG_DATA_HOME/geomapper/kept, else "
        + "~/.local/share/geomapper/kept].",
      brief: "Use DIR as the store of kept states",
      effect: .path("DIR", "the name of a folder") { (low, text) in low.keep.store = text }),
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
