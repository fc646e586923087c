import GeoCore
import GeoProjection

/// An option: how it is given, what it does, which commands have it, what the help says about it, and what
/// goes with it.
///
/// Each is declared once, in ``all``. The parser, the help, the manual page, the completions, the check of what goes
/// together and the article about options all read this table.
struct Option: Sendable {
  /// Options that stand together in the help.
  enum Group: String, CaseIterable, Sendable {
    case output = "Output"
    case map = "Map"
    case filters = "Filters (which nodes to write; their places stay the same)"
    case action = "Single actions"
    case recording = "Recording"
    case playing = "Playing"
    case selection = "Selection (which files and folders to show; the others keep their space)"
    case names = "Names (for maps that you share)"
    case list = "Other sources (lists of other machines, git revisions)"
    case reading = "Reading"
    case serving = "Server"
    case messages = "Messages"
  }

  /// What becomes of the option when it is met.
  enum Effect: Sendable {
    /// It is on or off.
    case flag(@Sendable (inout LowArguments) -> Void)
    /// It takes a value, called `placeholder` in the help, one of `choices` if there are any.
    case value(
      placeholder: String, choices: [String] = [],
      store: @Sendable (inout LowArguments, [UInt8]) throws(BadValue) -> Void)
    /// It takes all that follows, options too.
    case rest(
      placeholder: String,
      store: @Sendable (inout LowArguments, [[UInt8]]) throws(BadValue) -> Void)
    /// The help is shown instead.
    case help
  }

  /// The long name, without the dashes.
  let name: String
  /// The short name, without the dash.
  var short: Character?
  let group: Group
  /// Those that have it.
  let commands: [Command.Name]
  var help: String
  /// One line for `-h`; nil if only `--help` speaks of it.
  var brief: String?
  /// Commands whose `-h` doesn't speak of it.
  var longOnly: [Command.Name] = []
  /// What differs between commands.
  var variants: [Variant] = []
  var effect: Effect
  /// Whether it is accepted, and no help or completion has it: what it asks for is the default now.
  var isHidden = false
  /// What it was called before.
  var oldNames: [OldName] = []
  /// Values by the words that stood for them before.
  var oldValues: [String: String] = [:]
  /// Whether it is asked for, if it reads more than listings and metadata, which nothing but a disk has.
  var asksDisk: (@Sendable (LowArguments) -> Bool)?
  /// What it requires and excludes.
  var rules: [OptionRule] = []

  /// What the value is called, if it takes one.
  var placeholder: String? {
    switch effect {
    case .value(let placeholder, _, _), .rest(let placeholder, _): placeholder
    case .flag, .help: nil
    }
  }

  /// The values it takes, if they can be told.
  var choices: [String] {
    if case .value(_, let choices, _) = effect { choices } else { [] }
  }
}

extension Option {
  /// What an option is in some of its commands: the help, both long and short, or the values that it takes.
  struct Variant: Sendable {
    let commands: [Command.Name]
    var help: String?
    var brief: String?
    var effect: Effect?
    /// Whether its letter means something else there.
    var isLong = false

    init(
      _ commands: Command.Name..., help: String? = nil, brief: String? = nil,
      effect: Effect? = nil, isLong: Bool = false
    ) {
      self.commands = commands
      self.help = help
      self.brief = brief
      self.effect = effect
      self.isLong = isLong
    }
  }

  /// All options, in the order of the help. A name stands here twice only where it means different things in
  /// different commands.
  static let all: [Option] = [
    written, answered, drawn, recorded, placed, filtered, selected, listed, read, served,
    messages,
  ].flatMap(\.self)

  /// The options of a command, as they are there.
  static func options(of command: Command.Name) -> [Option] {
    all.filter { $0.commands.contains(command) }.map { $0.asOf(command) }
  }

  /// The option as it is in one of its commands.
  private func asOf(_ command: Command.Name) -> Option {
    var option = self
    for variant in variants where variant.commands.contains(command) {
      if let help = variant.help { (option.help, option.brief) = (help, variant.brief) }
      if let effect = variant.effect { option.effect = effect }
      if variant.isLong { option.short = nil }
    }
    if longOnly.contains(command) { option.brief = nil }
    option.oldNames.removeAll { !($0.commands?.contains(command) ?? true) }
    option.rules.removeAll { !($0.commands?.contains(command) ?? true) }
    return option
  }
}

/// A name that an option had before. It has the same effect; no help and no completion has it.
struct OldName: Sendable {
  /// Without the dashes.
  let name: String
  /// The commands in which it had it; nil for all.
  var commands: [Command.Name]?
  /// The value that the name alone stands for; nil if a value follows it.
  var value: String?
  /// Which values it takes, where another option of the command has the name now.
  var takes: @Sendable ([UInt8]) -> Bool = { _ in true }
}

/// Why an option doesn't take a value, in words that follow the option's name.
typealias BadValue = Malformed

extension Option.Effect {
  /// An option that takes a path.
  ///
  /// - Parameter name: What the path is, in words.
  static func path(
    _ placeholder: String, _ name: String = "the name of a file",
    store: @escaping @Sendable (inout LowArguments, [UInt8]) -> Void
  ) -> Self {
    .value(placeholder: placeholder) { (low, text) throws(BadValue) in
      if text.isEmpty { throw BadValue(reason: "\(name) is empty") }
      store(&low, text)
    }
  }

  /// An option that takes a whole number.
  static func number(
    _ placeholder: String, in range: ClosedRange<Int>,
    store: @escaping @Sendable (inout LowArguments, Int) -> Void
  ) -> Self {
    .value(placeholder: placeholder) { (low, text) throws(BadValue) in
      guard let number = Int64(wholeNumber: text[...]).flatMap({ Int(exactly: $0) }),
        range.contains(number)
      else {
        throw BadValue(
          reason: "'\(TerminalText.escaped(text))' is not a whole number from \(range.lowerBound) "
            + "to \(range.upperBound)")
      }
      store(&low, number)
    }
  }

  /// An option that takes a date or time.
  static func moment(store: @escaping @Sendable (inout LowArguments, Int64) -> Void) -> Self {
    .value(placeholder: "WHEN") { (low, text) throws(BadValue) in
      guard let seconds = Moment.seconds(parsing: text) else {
        throw BadValue(
          reason: "'\(TerminalText.escaped(text))' is not a date (try 2026-01-31, "
            + "2026-01-31T12:00Z or @SECONDS)")
      }
      store(&low, seconds)
    }
  }

  /// An option that takes metres, not less than 0.
  static func metres(store: @escaping @Sendable (inout LowArguments, Double) -> Void) -> Self {
    .value(placeholder: "METRES") { (low, text) throws(BadValue) in
      guard let number = BoundingBox.degrees(text[...]), number.isFinite, number >= 0 else {
        throw BadValue(
          reason: "'\(TerminalText.escaped(text))' is not a number of metres (try 500)")
      }
      store(&low, number)
    }
  }

  /// An option that takes one of some words.
  static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ placeholder: String, store: @escaping @Sendable (inout LowArguments, Value) -> Void
  ) -> Self {
    choice(placeholder, of: Value.allCases.map(\.rawValue)) { (low, word) in
      if let value = Value(rawValue: word) { store(&low, value) }
    }
  }

  /// An option that takes one of the given words.
  static func choice(
    _ placeholder: String, of words: [String],
    store: @escaping @Sendable (inout LowArguments, String) -> Void
  ) -> Self {
    .value(placeholder: placeholder, choices: words) { (low, text) throws(BadValue) in
      let word = String(decoding: text, as: UTF8.self)
      if words.contains(word) {
        store(&low, word)
        return
      }
      var reason = "'\(TerminalText.escaped(text))' is not \(words.listed(by: "or"))"
      if let nearest = nearest(to: text, among: words) { reason += "; did you mean '\(nearest)'?" }
      throw BadValue(reason: reason)
    }
  }
}
