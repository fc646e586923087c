/// An option of a command: how it is given, what it does and what the help says about it.
struct Option: Sendable {
  /// Options that stand together in the help.
  enum Group: String, CaseIterable, Sendable {
    case output = "Output"
    case map = "Map"
    case filters = "Filters (they change which nodes are written, never where a node is)"
    case selection = "Selection (what is left out keeps its land; an excluded folder is not read)"
    case names = "Names (for maps that others are to see)"
    case list = "Lists and revisions (to map what is on another machine, or not there any more)"
    case reading = "Reading"
    case serving = "Serving"
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
  let help: String
  /// One line for `-h`; nil if only `--help` speaks of it.
  var brief: String?
  let effect: Effect
  /// What it was called before.
  var oldNames: [OldName] = []
  /// Values by the words that stood for them before.
  var oldValues: [String: String] = [:]

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

/// A name that an option had before. It has the same effect; no help and no completion has it.
struct OldName: Sendable {
  /// Without the dashes.
  let name: String
  /// The value that the name alone stands for; nil if a value follows it.
  var value: String?
  /// Which values it takes, where another option of the command has the name now.
  var takes: @Sendable ([UInt8]) -> Bool = { _ in true }
}

/// Why an option doesn't take a value, in words that follow the option's name.
struct BadValue: Error {
  let reason: String
}

extension Option {
  /// `--help`, which all commands have.
  static let showsHelp = Option(
    name: "help", short: "h", group: .messages,
    help: "Show this help; -h shows what is used most, in a line each.",
    brief: "Show this; --help shows all", effect: .help)
}
