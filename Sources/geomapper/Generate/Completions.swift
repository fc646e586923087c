import GeoCore

/// Completions for bash.
enum BashCompletion {
  static func text() -> String {
    var text = """
      # bash completion for \(Tool.name): source it, or put it where bash-completion looks.
      _\(Tool.name)() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command=${COMP_WORDS[1]%%=*} words= actions= word stem=
        COMPREPLY=()
        # '--name=value' is three words where '=' separates words, else one.
        if [ "$current" = = ]; then
          current=
        elif [ "$previous" = = ]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        elif [[ $current == --*=* ]]; then
          previous=${current%%=*} current=${current#*=}
          stem=$previous=
        fi
        _\(Tool.name)_words
        if [ -n "$stem" ]; then COMPREPLY=("${COMPREPLY[@]/#/$stem}"); fi
      }
      _\(Tool.name)_words() {
        if [ "$COMP_CWORD" -eq 1 ] && [ -z "$stem" ]; then
          words='\(Shell.commands) \(Shell.toolOptions)'
          COMPREPLY=($(compgen -W "$words" -- "$current"))
          return
        fi
        case "$command $previous" in
          'help '*)
            COMPREPLY=($(compgen -W '\(Shell.topics)' -- "$current"))
            return ;;
          '--generate '*)
            COMPREPLY=($(compgen -W '\(Shell.generated)' -- "$current"))
            return ;;

      """
    for command in Command.all {
      for option in command.options where option.placeholder != nil {
        let names = Shell.names(of: option).map { "'\(command.name) \($0)'" }
        text += "    \(names.joined(separator: "|")))\n      \(reply(option.completion))\n"
        text += "      return ;;\n"
      }
    }
    text += "  esac\n  case $command in\n"
    for command in Command.all {
      let names = command.options.flatMap(Shell.names).joined(separator: " ")
      let actions = command.actions.joined(separator: " ")
      text += "    \(command.name)) words='\(names)'"
      text += actions.isEmpty ? " ;;\n" : " actions='\(actions)' ;;\n"
    }
    return text + """
        esac
        # One action is enough.
        for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
          if [[ -n $word && " $actions " == *" $word "* ]]; then actions=; fi
        done
        if [[ $current == -* ]]; then
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        elif [ -n "$actions" ]; then
          COMPREPLY=($(compgen -W "$actions" -- "$current"))
        else
          compopt -o filenames 2>/dev/null
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -F _\(Tool.name) \(Tool.name)

      """
  }

  private static func reply(_ completion: Option.Completion) -> String {
    let files = "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen"
    return switch completion {
    case .words(let words):
      "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\"))"
    case .files: "\(files) -f -- \"$current\"))"
    case .folders: "\(files) -d -- \"$current\"))"
    case .nothing: ":"
    }
  }
}

/// Word lists that the completions of all shells share.
enum Shell {
  /// The topics of `help`.
  static let topics = (Command.all.map(\.name) + HelpTopic.allCases.map(\.rawValue)).joined(
    separator: " ")
  static let commands = (Command.all.map(\.name) + ["help"]).joined(separator: " ")
  static let toolOptions = "--help --version --generate"
  static let generated = Generated.shown.joined(separator: " ")

  /// The names of an option: `-o`, `--output`.
  static func names(of option: Option) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
  }

  /// A text in single quotes, as zsh and POSIX shells read them.
  static func quoted(_ text: String) -> String {
    String(decoding: ShellText.quoted(Array(text.utf8)), as: UTF8.self)
  }
}

/// Completions for fish.
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

  private static func quoted(_ text: String) -> String {
    var result = "'"
    for character in text {
      if character == "'" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "'"
  }
}

/// Completions for zsh.
enum ZshCompletion {
  static func text() -> String {
    var text = """
      #compdef \(Tool.name)
      # zsh completion for \(Tool.name): put it as _\(Tool.name) into a folder of $fpath.
      _\(Tool.name)() {
        local -a commands
        commands=(

      """
    for command in Command.all {
      text += "    \(Shell.quoted("\(command.name):\(command.summary)"))\n"
    }
    text += """
          'help:Show how to use a command.'
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          _arguments '--help[Show this help]' '--version[Show the versions]' \\
            '--generate[Write a text for other programs]:kind:(\(Shell.generated))'
          return
        fi
        local command=$words[2]
        shift words
        (( CURRENT-- ))
        case $command in
          help)
            commands+=(\(HelpTopic.allCases.map { "'\($0):\($0.summary)'" }.joined(separator: " ")))
            _describe topic commands ;;
          --generate) _values kind \(Shell.generated) ;;

      """
    for command in Command.all {
      text += "    \(command.name))\n      _arguments -s -S"
      for option in command.options {
        text += " \\\n        \(Shell.quoted(specification(option)))"
        if let short = option.short {
          text += " \\\n        \(Shell.quoted(specification(option, name: "-\(short)")))"
        }
      }
      if !command.actions.isEmpty {
        text += " \\\n        '1:action:(\(command.actions.joined(separator: " ")))'"
      }
      text += " \\\n        '*:file:_files' ;;\n"
    }
    return text + """
        esac
      }
      _\(Tool.name) "$@"

      """
  }

  /// `--name=[help]:value:action`
  private static func specification(_ option: Option, name: String? = nil) -> String {
    let isLong = name == nil
    let name = name ?? "--\(option.name)"
    let help = escaped(option.summary)
    guard let placeholder = option.placeholder else { return "\(name)[\(help)]" }
    let action =
      switch option.completion {
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .files: "_files"
      case .folders: "_files -/"
      case .nothing: " "
      }
    return "*\(name)\(isLong ? "=" : "+")[\(help)]:\(escaped(placeholder)):\(action)"
  }

  /// Escapes the characters that would end a description.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "[]:\\".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }
}
