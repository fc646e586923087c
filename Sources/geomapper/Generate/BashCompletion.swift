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
