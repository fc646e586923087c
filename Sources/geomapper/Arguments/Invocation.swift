import GeoPath
import GeoSystem

/// What the tool is asked to do.
enum Invocation {
  case run(Command, LowArguments)
  /// A text is to be shown.
  case text(String)
  case version
  /// There are no arguments.
  case nothing

  init(parsing arguments: [[UInt8]]) throws(Failure) {
    guard let first = arguments.first else {
      self = .nothing
      return
    }
    let word = String(decoding: first, as: UTF8.self)
    switch word {
    case "--help", "-h": self = .text(Help.ofTool())
    case "--version", "-V": self = .version
    case "--generate": self = .text(try Generated(parsing: arguments.dropFirst().first).text)
    case let word where word.hasPrefix("--generate="):
      self = .text(try Generated(parsing: Array(first.dropFirst("--generate=".utf8.count))).text)
    case "help": self = try .text(Self.help(on: arguments.dropFirst()))
    default:
      guard let command = Command.named(first) else { throw Self.unknown(first) }
      do throws(Failure) {
        if let low = try ArgumentParser.parse(arguments.dropFirst(), options: command.options) {
          self = .run(command, low)
        } else {
          self = .text(Help.of(command))
        }
      } catch {
        throw error.hinting(at: "\(Tool.name) \(command.name) --help")
      }
    }
  }

  private static func help(on words: ArraySlice<[UInt8]>) throws(Failure) -> String {
    guard let word = words.first(where: { !$0.starts(with: "-".utf8) }) else {
      return Help.ofTool()
    }
    if word.elementsEqual("help".utf8) { return Help.ofTool() }
    guard let command = Command.named(word) else { throw unknown(word) }
    return Help.of(command)
  }

  private static func unknown(_ word: [UInt8]) -> Failure {
    let shown = TerminalText.escaped(word)
    if word.first == UInt8(ascii: "-") { return unknownOption(word) }
    let names = Command.all.map(\.name) + ["help"]
    var advice: String
    if isFolder(word) {
      advice = "to map a folder: \(Tool.name) map \(shown)"
    } else if let name = nearest(to: word, among: names) {
      advice = "did you mean '\(name)'?"
    } else {
      advice = "the commands are: \(names.joined(separator: ", "))"
    }
    return Failure.usage("'\(shown)' is no command; \(advice)").hinting(at: "\(Tool.name) --help")
  }

  private static func unknownOption(_ word: [UInt8]) -> Failure {
    let shown = TerminalText.escaped(word)
    let name = word.drop { $0 == UInt8(ascii: "-") }.prefix { $0 != UInt8(ascii: "=") }
    var advice = "options come after a command: \(Tool.name) map …"
    for command in Command.all {
      if command.options.contains(where: {
        $0.name.utf8.elementsEqual(name) || $0.short?.asciiValue == name.first && word.count == 2
      }) {
        advice = "it comes after a command: \(Tool.name) \(command.name) \(shown)"
        break
      } else if let near = nearest(to: Array(name), among: ["help", "version", "generate"]) {
        advice = "did you mean '--\(near)'?"
      }
    }
    return Failure.usage("unknown option '\(shown)'; \(advice)")
      .hinting(at: "\(Tool.name) --help")
  }

  /// Whether the word looks like a folder that somebody wants mapped, or is one.
  private static func isFolder(_ word: [UInt8]) -> Bool {
    if word.contains(UInt8(ascii: "/")) || word.contains(UInt8(ascii: "=")) { return true }
    return (try? FolderHandle(at: word)) != nil
  }
}

extension Failure {
  /// The same failure with an advice to read the help.
  func hinting(at command: String) -> Failure {
    var failure = self
    failure.hint = "for help: \(command)"
    return failure
  }
}
