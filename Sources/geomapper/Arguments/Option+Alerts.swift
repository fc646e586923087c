import GeoCore
import GeoLive

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
      effect: .value(placeholder: "RULE") { (low, text) throws(Malformed) in
        do throws(Malformed) {
          low.record.alerts.append(try AlertRule(parsing: text))
        } catch {
          throw Malformed(reason: "can't use '\(TerminalText.escaped(text))': \(error.reason)")
        }
      }),
    Option(
      name: "alerts", group: .alerts, commands: [.record, .keep],
      help: "Read rules from FILE, one a line. 'off NAME: RULE' is disabled, '#' begins a "
        + "comment.",
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
