import GeoCore
import GeoTree
import GeoSystem

enum Invocation {
  case run(Command, LowArguments)
  case text(String)
  case version

  init(parsing arguments: [[UInt8]]) throws(Failure) {
    guard let first = arguments.first else {
      self = try Self.opening([])
      return
    }
    let word = String(decoding: first, as: UTF8.self)
    switch word {
    case "--help": self = .text(Help.ofTool())
    case "-h": self = .text(Help.brief())
    case "--version", "-V": self = .version
    case "--generate": self = .text(try Generated(parsing: arguments.dropFirst().first).text)
    case let word where word.hasPrefix("--generate="):
      self = .text(try Generated(parsing: Array(first.dropFirst("--generate=".utf8.count))).text)
    case "help": self = try .text(Self.help(on: arguments.dropFirst()))
    default:
      if let command = Command.named(first) {
        self = try Self.command(command, arguments.dropFirst())
      } else if first.first != UInt8(ascii: "-"), Self.isFolder(first) {
        self = try Self.opening(arguments[...])
      } else {
        throw Self.unknown(first)
      }
    }
  }

  /// Opens folders given without a command in the browser; writes their map if the output is a pipe
  /// or a file.
  private static func opening(_ arguments: ArraySlice<[UInt8]>) throws(Failure) -> Invocation {
    let isSeen = Terminal.isTerminal(Descriptor.standardOutput)
    return try command(isSeen ? .open : .map, arguments)
  }

  private static func command(
    _ command: Command, _ arguments: ArraySlice<[UInt8]>
  ) throws(Failure) -> Invocation {
    let parsed = try command.hinting { () throws(Failure) in
      try ArgumentParser.parse(arguments, options: command.options)
    }
    switch parsed {
    case .run(let low): return .run(command, low)
    case .help(let isBrief): return .text(isBrief ? Help.brief(command) : Help.of(command))
    }
  }

  private static func help(on words: ArraySlice<[UInt8]>) throws(Failure) -> String {
    let isHelp = { (word: [UInt8]) in ["-h", "--help"].contains { word.elementsEqual($0.utf8) } }
    guard let word = words.first(where: { !isHelp($0) }) else { return Help.ofTool() }
    if word.elementsEqual("help".utf8) { return Help.ofTool() }
    if let topic = HelpTopic(rawValue: String(decoding: word, as: UTF8.self)) {
      return Help.of(topic)
    }
    guard let command = Command.named(word) else { throw unknown(word) }
    return Help.of(command)
  }

  private static func unknown(_ word: [UInt8]) -> Failure {
    let shown = word.shown
    let message =
      word.first == UInt8(ascii: "-")
      ? "unknown option '\(shown)'; \(advice(forOption: word))"
      : "'\(shown)' is neither a command nor a folder; \(advice(forWord: word))"
    return Failure.usage(message).hinting(at: "\(Tool.name) --help")
  }

  private static func advice(forWord word: [UInt8]) -> String {
    let names = Command.all.map(\.name) + ["help"]
    if let name = nearest(to: word, among: names) { return "did you mean '\(name)'?" }
    if let folder = nearest(to: word, among: foldersHere) {
      return "did you mean the folder '\(folder)'?"
    }
    return "the commands are: \(names.joined(separator: ", "))"
  }

  private static func advice(forOption word: [UInt8]) -> String {
    let name = word.drop { $0 == UInt8(ascii: "-") }.prefix { $0 != UInt8(ascii: "=") }
    let near = nearest(to: Array(name), among: ["help", "version", "generate"])
    for command in Command.all {
      if command.options.contains(where: {
        $0.name.utf8.elementsEqual(name) || $0.short?.asciiValue == name.first && word.count == 2
      }) {
        return "it comes after a command: \(Tool.name) \(command.name) \(word.shown)"
      }
    }
    return near.map { "did you mean '--\($0)'?" }
      ?? "options come after a command: \(Tool.name) map …"
  }

  /// Whether the word is an existing folder, or has a form that only a folder can have.
  private static func isFolder(_ word: [UInt8]) -> Bool {
    if word.contains(.slash) || word.contains(UInt8(ascii: "=")) { return true }
    return (try? FolderHandle(at: word)) != nil
  }

  /// The folders in the current one whose names are printable.
  private static var foldersHere: [String] {
    let folders = ScanRoot(label: [], directory: [UInt8(ascii: ".")]).listing.folders
    return (0..<folders.count).compactMap { index in
      let name = folders.name(at: index)
      let shown = name.shown
      return shown.utf8.elementsEqual(name) ? shown : nil
    }.sorted()
  }
}

extension Failure {
  /// Adds a pointer to the help to a usage error, unless it has advice or is about a missing path.
  func hinting(at command: String) -> Failure {
    if status != .usage || hint != nil || missing != nil { return self }
    var failure = self
    failure.hint = "for help: \(command)"
    return failure
  }
}
