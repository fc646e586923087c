/// The help texts, at most 80 columns wide.
enum Help {
  private static let width = 80
  private static let column = 24

  static let generate =
    "Write completions for a shell (bash, zsh, fish) or a manual page (man, man-COMMAND)."

  private static let usages = """
    Usage: \(Tool.name) [[LABEL=]DIR]...       Show folders in the browser.
           \(Tool.name) COMMAND [ARGUMENT]...

    """

  private static let briefUsage =
    "Usage: \(Tool.name) [[LABEL=]DIR]... or \(Tool.name) COMMAND [ARGUMENT]...\n"

  static let opening =
    "Without a command \(Tool.name) opens the folders [the current one] in the browser, as 'serve' "
    + "does. If its output is a pipe or a file, it writes their map there, as 'map' does."

  static func ofTool() -> String {
    var text = wrap("\(Tool.name) shows folders as maps.", indent: 0) + "\n" + usages + "\n"
    text += wrap(opening, indent: 0)
    for group in Command.Group.allCases {
      text += "\n\(group.rawValue):\n"
      for command in group.commands { text += entry("  \(command.name)", command.summary) }
    }
    text += "\nHelp:\n"
    text += entry("  help COMMAND", "Show how to use a command.")
    for topic in HelpTopic.allCases { text += entry("  help \(topic)", topic.summary) }
    text += "\nOptions:\n"
    text += entry("  -h, --help", "Show this help; -h fits a screen.")
    text += entry("  -V, --version", "Show the versions of the tool and of the projection.")
    text += entry("      --generate KIND", generate)
    text += "\nExamples:\n"
    for (line, effect) in examples { text += show(line, effect) }
    return text
  }

  /// The short help of the tool, which fits a screen: a line for each command, with its section.
  static func brief() -> String {
    var text = briefUsage
    for group in Command.Group.allCases {
      for (index, command) in group.commands.enumerated() {
        let heading = padded(index == 0 ? group.rawValue : "", 13)
        text += entry(heading + command.name, command.summary, column: 25)
      }
    }
    return text + "More: \(Tool.name) help COMMAND, \(Tool.name) --help\n"
  }

  static let examples: KeyValuePairs = [
    "\(Tool.name) ~": "Show the home folder in the browser.",
    "\(Tool.name) ~ > home.geojson": "Write a map of the home folder.",
  ]

  static func of(_ topic: HelpTopic) -> String {
    var text = "\(Tool.name) help \(topic): \(topic.subject)\n"
    for paragraph in topic.paragraphs { text += "\n" + wrap(paragraph, indent: 0) }
    let column = min(28, (topic.terms.map(\.word.count).max() ?? 0) + 4)
    if !topic.terms.isEmpty { text += "\n" }
    for (word, meaning) in topic.terms { text += entry("  \(word)", meaning, column: column) }
    for group in topic.groups {
      text += "\n\(group.rawValue):\n"
      for option in Option.all where option.group == group {
        text += entry("  " + syntax(option), option.help)
      }
    }
    return text
  }

  /// The short help of a command, which fits a screen: the most used options.
  static func brief(_ command: Command) -> String {
    var text = "Usage: \(Tool.name) \(command.usage)\n\n\(command.summary)\n\n"
    let lines = command.options.compactMap { option in
      option.brief.map { (term: "  " + syntax(option), brief: $0) }
    }
    let column = (lines.map(\.term.count).max() ?? 0) + 2
    for line in lines { text += entry(line.term, line.brief, column: column) }
    if let example = command.examples.first { text += "\nExample: \(example.key)\n" }
    return text + "Everything: \(Tool.name) \(command.name) --help\n"
  }

  static func of(_ command: Command) -> String {
    var text = "Usage: \(Tool.name) \(command.usage)\n"
    for paragraph in command.description { text += "\n" + wrap(paragraph, indent: 0) }
    for group in Option.Group.allCases {
      let options = command.options.filter { $0.group == group }
      if options.isEmpty { continue }
      let topic = HelpTopic.of(group)
      let title =
        topic.map { "\(group.title) (in full: \(Tool.name) help \($0))" } ?? group.rawValue
      text += "\n\(title):\n"
      for option in options {
        text += entry(
          "  " + syntax(option), topic == nil ? option.help : option.gist ?? option.summary)
      }
    }
    text += "\nExamples:\n"
    for (line, effect) in command.examples { text += show(line, effect) }
    text += "\nExit status:\n"
    for exit in command.statuses { text += entry("  \(exit.status)", exit.meaning, column: 9) }
    return text
  }

  /// The syntax of an option, such as `-o, --output FILE`.
  static func syntax(_ option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--\(option.name)" + (option.placeholder.map { " \($0)" } ?? "")
  }

  private static func show(_ line: String, _ effect: String) -> String {
    "  \(line)\n" + wrap(effect, indent: 6)
  }

  /// A term with its explanation in the next column, or on the next line if the term is too long.
  private static func entry(_ term: String, _ explanation: String, column: Int = column) -> String {
    let wrapped = wrap(explanation, indent: column)
    if term.count + 2 > column { return term + "\n" + wrapped }
    return term + wrapped.dropFirst(term.count)
  }

  private static func wrap(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var result = ""
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > width {
        result += line + "\n"
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return result + line + "\n"
  }
}

enum Glossary {
  static let entries: [(word: String, meaning: String)] = [
    ("bearing", "The direction in which a route starts, in degrees from north."),
    ("cartouche", "The box on a printed sheet that has title, totals and legend."),
    ("city", "A folder that is too small to draw as an area, drawn as a point."),
    ("coast", "The outline of a folder's land."),
    ("continent", "The land of a root, a folder that was given to the command."),
    ("country", "The land of a folder in a continent; in it are states, and in them districts."),
    ("DIR", "A folder, or a file that is read like one: a snapshot or a listing."),
    ("entry", "A file, a folder, or anything else that has a name in a folder."),
    ("export", "A JSON file that ncdu or gdu wrote."),
    ("GLOB", "A pattern of names: '*' is any text, '?' one character, [a-z] one of a range."),
    ("GPX", "A file format of GPS devices, for waypoints, routes and tracks."),
    ("history", "The states of a tree in order of time."),
    ("id", "A number that stands for a path on the map; it stays the same."),
    ("label", "The name of a root on the map, and the first name of all paths in it."),
    ("land", "The area of a folder on the map. Its size says nothing about bytes."),
    ("list", "Paths in a file that are mapped without their disk."),
    (
      "listing",
      "What restic, borg, rclone, bsdtar, tar or unzip lists of a backup, a cloud or an archive."
    ),
    ("LON,LAT", "A place on the map: longitude and latitude in degrees."),
    ("lot", "A share of a folder's land. A sub-folder's name decides which lots it gets."),
    ("minzoom", "The first zoom at which a node is visible."),
    ("node", "A file or folder on the map."),
    ("part", "The snapshot of some folders of a tree, to be joined with the others."),
    ("pinned", "The layout in which a path alone decides the place. Siblings may overlap."),
    (
      "projection 2",
      "The rules by which paths get their places, version 2. The same number gives the same map."
    ),
    ("recording", "A file of the changes in folders, with times and places."),
    ("redact", "To replace names, so that a map can be shown to others."),
    ("REV", "A revision of a git repository: a commit, a branch, a tag or COMMIT:FOLDER."),
    ("root", "A folder that was given to the command, a continent of the map."),
    ("ruin", "The place of a deleted file or folder on a map of changes."),
    ("settled", "The layout in which folders share the land of their parent. None overlap."),
    ("snapshot", "A file that holds the state of folders, without the contents of files."),
    (
      "state",
      "A tree at one time: a folder, a snapshot, a revision, a map, an export or a listing."
    ),
    ("tier", "What becomes visible at one zoom: large land early, small files late."),
    ("tile", "A square piece of the map at one zoom."),
    ("zoom", "How far a map is enlarged: 0 shows the world, each step doubles the scale."),
  ]
}
