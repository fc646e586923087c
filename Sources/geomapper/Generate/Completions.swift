import GeoCore

/// Word lists that the completions of all shells share.
enum Shell {
  static let topics = (Command.all.map(\.name) + HelpTopic.allCases.map(\.rawValue)).joined(
    separator: " ")
  static let commands = (Command.all.map(\.name) + ["help"]).joined(separator: " ")
  static let toolOptions = "--help --version --generate"
  static let generated = Generated.shown.joined(separator: " ")

  static func names(of option: Option) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
  }

  /// A text in single quotes, as zsh and POSIX shells read them.
  static func quoted(_ text: String) -> String {
    String(decoding: ShellText.quoted(Array(text.utf8)), as: UTF8.self)
  }
}

enum FishCompletion {
  static func text() -> String {
    let tool = Tool.name
    var text = """
      # fish completion for \(tool): put it into ~/.config/fish/completions/\(tool).fish
      complete -c \(tool) -n __fish_use_subcommand -f -l help -s h -d 'Show the help'
      complete -c \(tool) -n __fish_use_subcommand -f -l version -s V -d 'Show the versions'
      complete -c \(tool) -n __fish_use_subcommand -x -l generate -a '\(Shell.generated)' \
      -d 'Write a text for other programs'
      complete -c \(tool) -n __fish_use_subcommand -f -a help -d 'Show how to use a command'
      complete -c \(tool) -n '__fish_seen_subcommand_from help' -f -a '\(Shell.topics)'

      """
    for command in Command.all {
      text += "complete -c \(tool) -n __fish_use_subcommand -f -a \(command.name)"
      text += " -d \(quoted(command.summary))\n"
      if !command.actions.isEmpty {
        let actions = command.actions.joined(separator: " ")
        text += "complete -c \(tool) -n '__fish_seen_subcommand_from \(command.name); "
        text += "and not __fish_seen_subcommand_from \(actions)' -f -a '\(actions)'\n"
      }
      for option in command.options {
        text += "complete -c \(tool) -n '__fish_seen_subcommand_from \(command.name)'"
        text += " -l \(option.name)" + (option.short.map { " -s \($0)" } ?? "")
        text += value(of: option) + " -d \(quoted(option.summary))\n"
      }
    }
    return text
  }

  private static func value(of option: Option) -> String {
    if option.placeholder == nil { return "" }
    return switch option.completion {
    case .words(let words): " -x -a '\(words.joined(separator: " "))'"
    case .files: " -r -F"
    case .folders: " -x -a '(__fish_complete_directories)'"
    case .nothing: " -x"
    }
  }

  private static func quoted(_ text: String) -> String { "'\(text.escaping("'\\"))'" }
}

extension String {
  /// The text with a backslash before each special character.
  func escaping(_ special: String) -> String {
    reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : "\($1)" }
  }
}
