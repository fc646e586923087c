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
    let help = option.summary.escaping("[]:\\")
    guard let placeholder = option.placeholder else { return "\(name)[\(help)]" }
    let action =
      switch option.completion {
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .files: "_files"
      case .folders: "_files -/"
      case .nothing: " "
      }
    let value = placeholder.escaping("[]:\\")
    return "*\(name)\(isLong ? "=" : "+")[\(help)]:\(value):\(action)"
  }
}
