import GeoCore
import GeoLive
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
          help: "With --history: play all kept states of DIR [the current folder], a kept folder "
            + "or a folder in one.",
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
      help: "Afterwards thin out the older states of these folders. hours=24,days=7 retains the "
        + "last state of each hour, for 24 hours that have one, and of each day, for 7 days (UTC). "
        + "The first and the newest stay. 'all' removes none [hours=24,days=7,weeks=4,months=12].",
      brief: "Retain such as hours=24,days=7; or all",
      effect: .value(placeholder: "COUNTS") { (low, text) throws(Failure) in
        low.keep.retention = try Retention(parsing: text)
      },
      rules: [.excludes(.option("list"), .option("drop"), because: "it is for a new state")]),
    Option(
      name: "list", group: .action, commands: [.keep],
      help: "List the kept states, those of DIR if it is given, with the room they take. Takes no "
        + "state.",
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

extension Option {
  /// Options of alerts, and of the timer of `keep`.
  static let watched: [Option] = [
    Option(
      name: "alert", group: .alerts, commands: [.record, .keep],
      help: "Report and record when RULE becomes true: 'PATH QUANTITY COMPARISON LIMIT', such "
        + "as 'usr/var/log bytes > 10G' or 'usr growth > 500M/h'. QUANTITY is bytes, files, "
        + "free, events (a minute) or growth (bytes an hour; /d a day, /w a week). 'NAME: ' "
        + "before it names the rule. Repeatable.",
      brief: "Report when RULE becomes true: 'usr bytes > 10G'",
      variants: [
        Variant(
          .keep,
          help: "Report when RULE becomes true: 'PATH QUANTITY COMPARISON LIMIT', such as "
            + "'home/log bytes > 10G' or 'home growth > 10G/d'. QUANTITY is bytes, files, free, "
            + "or growth since the last state (/h, /d or /w) [/h]. 'NAME: ' before it names the "
            + "rule. Repeatable.",
          brief: "Report when RULE becomes true: 'home growth > 10G/d'")
      ],
      effect: .value(placeholder: "RULE") { (low, text) throws(Failure) in
        try explaining("can't use \(text.quoted)") {
          low.record.alerts.append(try AlertRule(parsing: text))
        }
      }),
    Option(
      name: "alerts", group: .alerts, commands: [.record, .keep],
      help: "Read rules from FILE, one a line. 'off NAME: RULE' is disabled, '#' begins a comment.",
      effect: .path("FILE") { (low, text) in low.record.alertFiles.append(text) }),
    Option(
      name: "cooldown", group: .alerts, commands: [.record, .keep],
      help: "Wait TIME before the same alert again [10m].",
      effect: .span { $0.record.cooldown = $1 },
      rules: [.needs(.option("alert"), .option("alerts"), in: [.keep])]),
    Option(
      name: "exec", group: .alerts, commands: [.record, .keep],
      help: "Run COMMAND for each alert; everything after it is its arguments. No shell is "
        + "used. The environment has GEOMAPPER_ALERT, _PATH, _RULE, _VALUE, _LIMIT, _STATE "
        + "and _TIME. One command runs at a time, for a minute at most.",
      brief: "Run COMMAND for each alert", longOnly: [.keep],
      effect: .rest(placeholder: "COMMAND...") { (low, words) in low.record.command = words },
      rules: [.needs(.option("alert"), .option("alerts"))]),
    Option(
      name: "every", group: .timer, commands: [.keep],
      help: "Print the files of a timer that keeps a state every TIME, such as 1h or 1d: systemd "
        + "units (launchd on macOS), and a line for cron. Takes no state. The other options are "
        + "those of the timer's command.",
      brief: "Print a timer that keeps a state every TIME",
      effect: .span(atLeast: 1000) { $0.timer.interval = $1 },
      rules: [.excludes(.option("list"), .option("drop"), because: "it is about a timer")]),
    Option(
      name: "install", group: .timer, commands: [.keep],
      help: "Write the files of the timer for the user's service manager, and enable it.",
      brief: "Write and enable the timer",
      effect: .flag { $0.timer.installs = true },
      rules: [
        .needs(.option("every")),
        .excludes(.option("output"), because: "the files have places of their own"),
      ]),
    Option(
      name: "remove", group: .timer, commands: [.keep],
      help: "Disable and delete the timer of exactly these DIRs. Kept states stay.",
      effect: .flag { $0.timer.removes = true },
      rules: [
        .excludes(
          .option("every"), .option("list"), .option("drop"), .option("alert"), .option("alerts"),
          .group(.selection),
          because: "it is about a timer")
      ]),
    Option(
      name: "system", group: .timer, commands: [.keep],
      help: "Make it a timer of the system, not of the user: in /etc/systemd/system "
        + "(/Library/LaunchDaemons on macOS). Needs root.",
      effect: .flag { $0.timer.isOfSystem = true },
      rules: [.needs(.option("every"), .option("remove"))]),
  ]
}
