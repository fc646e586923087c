import GeoCore

/// A text that the tool makes of its own tables, for other programs.
enum Generated: String, CaseIterable {
  case man, bash, zsh, fish

  /// The text.
  var text: String {
    switch self {
    case .man: ManPage.text()
    case .bash: BashCompletion.text()
    case .zsh: ZshCompletion.text()
    case .fish: FishCompletion.text()
    }
  }

  init(parsing word: [UInt8]?) throws(Failure) {
    let words = Self.allCases.map(\.rawValue)
    guard let word else {
      throw .usage("--generate needs a value: \(words.joined(separator: ", "))")
    }
    guard let value = Self(rawValue: String(decoding: word, as: UTF8.self)) else {
      var message = "--generate takes \(words.dropLast().joined(separator: ", ")) or "
      message += "\(words.last ?? ""), not '\(TerminalText.escaped(word))'"
      if let near = nearest(to: word, among: words) { message += "; did you mean '\(near)'?" }
      throw .usage(message)
    }
    self = value
  }
}

extension Option {
  /// What a shell can offer as a value.
  enum Completion: Equatable {
    case words([String])
    case files
    case folders
    /// Only whoever types knows.
    case nothing
  }

  /// What a shell can offer as the option's value.
  var completion: Completion {
    if !choices.isEmpty { return .words(choices) }
    switch placeholder.map({ $0.split(separator: "=").last ?? "" }) {
    case "FILE", "LIST", "DATE|FILE", "WHEN": return .files
    case "DIR", "FOLDER", "]DIR", "PREFIX": return .folders
    default: return .nothing
    }
  }

  /// The first sentence of the help, without the full stop.
  var summary: String {
    var text = ""
    for character in help {
      if text.last == ".", character == " " { break }
      text.append(character)
    }
    return text.last == "." ? String(text.dropLast()) : text
  }
}
