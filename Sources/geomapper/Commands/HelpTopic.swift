import GeoCore

/// What 'geomapper help' explains once for all commands.
enum HelpTopic: String, CaseIterable {
  case selection, sources, output, time, words

  var summary: String { "Explain \(subject)." }

  var subject: String {
    switch self {
    case .selection: "how to choose files and folders, and to hide names"
    case .sources: "lists, exports, git revisions and kept states"
    case .output: "output files, formats and the exit status"
    case .time: "WHEN: times, dates and spans"
    case .words: "the words of the help"
    }
  }

  var groups: [Option.Group] {
    switch self {
    case .selection: [.selection, .names]
    case .sources: [.list]
    case .output: [.messages]
    case .time, .words: []
    }
  }

  static func of(_ group: Option.Group) -> HelpTopic? {
    allCases.first { $0.groups.contains(group) }
  }

  var paragraphs: [String] {
    switch self {
    case .selection:
      [
        "What these options leave out keeps its space: they never move anything on the map. "
          + "They work alike in all commands that have them.",
        "A GLOB without '/' is a name at any depth, such as node_modules or '*.log'. '/GLOB' and "
          + "'A/GLOB' are paths below DIR; 'GLOB/' is folders only. '*' and '?' don't match '/', "
          + "'**' does.",
        "A size without a unit is bytes: --size 512 is exactly 512 bytes, +1.5G is more than one and "
          + "a half times 1024 x 1024 x 1024.",
      ]
    case .sources:
      [
        "A DIR may be a folder, a snapshot, or an export or listing of another program; git:REV is a "
          + "revision of the repository here, and kept:WHEN a state that 'geomapper keep' has kept "
          + "(see 'geomapper help time')."
      ]
    case .output:
      [
        "-o FILE is written next to FILE and renamed when it is complete; '-' is standard output. "
          + "Without --format the ending of FILE decides: \(Self.endings). Endings of other kinds of "
          + "files, such as .pdf or .shp, are refused, with the command that converts. Binary "
          + "formats are not written to a terminal.",
        "Exit status: 0 all was done; 1 the result is complete but for what could not be read; 2 wrong "
          + "usage, and nothing was written; 3 the output could not be written; 4 'verify' found a "
          + "fault; 5 'diff --exit-code' found a difference; 128+N ended by signal N.",
      ]
    case .time:
      [
        "WHEN is a time in the past. Without a zone it is that of the clock here. A time in the "
          + "future is refused. Where the text doesn't say it in full, the exact time is printed."
      ]
    case .words: []
    }
  }

  private static let endings = FileFormat.allCases.filter { !$0.holds.isEmpty }
    .flatMap(\.endings).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    .map { ".\($0)" }.joined(separator: " ")

  var terms: [(word: String, meaning: String)] {
    switch self {
    case .time:
      [
        ("now, today, yesterday", "A day means its beginning."),
        ("monday, mon", "The last such day before today."),
        ("90s 15m 6h 7d 2w 3mo 1y", "A span back from now; 1h30m is one, too. A month is 30 days."),
        ("2026-01-31, 20260131", "A date: its beginning."),
        ("2026-01-31T12:00", "A time; :59 for seconds and Z or +02:00 for a zone may follow."),
        ("@1769860800", "Seconds since 1970."),
        ("first, last", "The first or last kept state (for 'since' and kept:WHEN)."),
        ("FILE", "The time of a file (for --newer and --older)."),
      ]
    case .words: Glossary.entries
    case .selection, .sources, .output: []
    }
  }
}
