import GeoCore
import GeoProjection

/// An option: its names, its value, its commands, its help and its rules.
///
/// Each option is declared once, in ``all``. The parser, the help, the manual page, the
/// completions, the rules and the article about options read this table.
struct Option: Sendable {
  enum Group: String, CaseIterable, Sendable {
    case output = "Output"
    case map = "Map"
    case filters = "Filters (which nodes to write; their places stay the same)"
    case layers = "Layers (values of your own)"
    case action = "Single actions"
    case recording = "Recording"
    case playing = "Playing"
    case keeping = "Kept states"
    case timer = "Timer"
    case alerts = "Alerts"
    case selection = "Selection (which files and folders to show; the others keep their space)"
    case names = "Names (for maps that you share)"
    case list = "Other sources (lists of other machines, git revisions)"
    case reading = "Reading"
    case serving = "Server"
    case messages = "Messages"

    /// The heading without its explanation.
    var title: Substring { rawValue.prefix { $0 != "(" }.dropLast(rawValue.contains("(") ? 1 : 0) }
  }

  /// How the parser handles the option.
  enum Effect: Sendable {
    /// Takes no value.
    case flag(@Sendable (inout LowArguments) -> Void)
    /// Takes a value, called `placeholder` in the help; `choices` are its words, if they are fixed.
    case value(
      placeholder: String, choices: [String] = [],
      store: @Sendable (inout LowArguments, [UInt8]) throws(Failure) -> Void)
    /// Takes all following arguments, options included.
    case rest(placeholder: String, store: @Sendable (inout LowArguments, [[UInt8]]) -> Void)
    case help
  }

  /// The long name, without the dashes.
  let name: String
  /// The short name, without the dash.
  var short: Character?
  let group: Group
  /// The commands that have the option.
  let commands: [Command.Name]
  var help: String
  /// One line for `-h`; nil if only `--help` shows the option.
  var brief: String?
  /// One line for the help of a command, if a topic of the help explains the option in full.
  var gist: String?
  /// Commands whose `-h` doesn't show the option.
  var longOnly: [Command.Name] = []
  var variants: [Variant] = []
  var effect: Effect
  /// Whether these arguments make the option read what only a disk has; nil if it works with any
  /// source.
  var asksDisk: (@Sendable (LowArguments) -> Bool)?
  var rules: [OptionRule] = []

  /// The name of the value in the help; nil if the option takes none.
  var placeholder: String? {
    switch effect {
    case .value(let placeholder, _, _), .rest(let placeholder, _): placeholder
    case .flag, .help: nil
    }
  }

  var choices: [String] {
    if case .value(_, let choices, _) = effect { choices } else { [] }
  }
}

extension Option {
  /// A different help text or value of an option in some of its commands.
  struct Variant: Sendable {
    let commands: [Command.Name]
    var help: String?
    var brief: String?
    var effect: Effect?
    /// Whether the option has no short name in these commands.
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

  /// All options, in the order of the help. A name occurs twice only if its meaning differs between
  /// commands.
  static let all: [Option] = [
    written, answered, drawn, recorded, kept, watched, placed, filtered, layered, selected, listed,
    read, served, messages,
  ].flatMap(\.self)

  /// The options of a command, with the variants for that command.
  static func options(of command: Command.Name) -> [Option] {
    all.filter { $0.commands.contains(command) }.map { $0.asOf(command) }
  }

  /// The option with its variant for a command.
  private func asOf(_ command: Command.Name) -> Option {
    var option = self
    option.gist = gist ?? brief
    for variant in variants where variant.commands.contains(command) {
      if let help = variant.help {
        (option.help, option.brief, option.gist) = (help, variant.brief, variant.brief)
      }
      if let effect = variant.effect { option.effect = effect }
      if variant.isLong { option.short = nil }
    }
    if longOnly.contains(command) { option.brief = nil }
    option.rules.removeAll { !($0.commands?.contains(command) ?? true) }
    return option
  }
}

extension Option.Effect {
  /// An option that takes a path.
  ///
  /// - Parameter name: A description of the path, for messages.
  static func path(
    _ placeholder: String, _ name: String = "the name of a file",
    store: @escaping @Sendable (inout LowArguments, [UInt8]) -> Void
  ) -> Self {
    .value(placeholder: placeholder) { (low, text) throws(Failure) in
      if text.isEmpty { throw .usage("\(name) is empty") }
      store(&low, text)
    }
  }

  /// An option that takes a whole number, or also `all`, which is stored as the largest one.
  static func number(
    _ placeholder: String, in range: ClosedRange<Int>, orAll takesAll: Bool = false,
    store: @escaping @Sendable (inout LowArguments, Int) -> Void
  ) -> Self {
    parsed(
      placeholder,
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
        + (takesAll ? ", or 'all'" : ""),
      by: { text in
        if takesAll, text.elementsEqual("all".utf8) { return .max }
        let number = Int64(wholeNumber: text[...]).flatMap { Int(exactly: $0) }
        return number.flatMap { range.contains($0) ? $0 : nil }
      }, store: store)
  }

  /// An option that takes a value of some kind, which is named in the message for other values.
  static func parsed<Value>(
    _ placeholder: String, _ kind: String, by parse: @escaping @Sendable ([UInt8]) -> Value?,
    store: @escaping @Sendable (inout LowArguments, Value) -> Void
  ) -> Self {
    .value(placeholder: placeholder) { (low, text) throws(Failure) in
      guard let value = parse(text) else { throw .wrong(text, "is not \(kind)") }
      store(&low, value)
    }
  }

  /// An option that takes a time.
  static func moment(store: @escaping @Sendable (inout LowArguments, Int64) -> Void) -> Self {
    .value(placeholder: "WHEN") { (low, text) throws(Failure) in
      let time = try GivenTime(parsing: text)
      if let seconds = time.seconds { store(&low, seconds) }
      low.times.append(time)
    }
  }

  /// An option that takes a time, or a file that stands for its time of change.
  static func momentOrFile(
    store: @escaping @Sendable (inout LowArguments, GivenTime) -> Void
  ) -> Self {
    .value(placeholder: "WHEN") { (low, text) throws(Failure) in
      let time = try GivenTime(parsing: text, mayBeFile: true)
      store(&low, time)
      low.times.append(time)
    }
  }

  /// An option that takes metres, 0 or more.
  static func metres(store: @escaping @Sendable (inout LowArguments, Double) -> Void) -> Self {
    parsed(
      "METRES", "a number of metres (try 500)",
      by: { BoundingBox.degrees($0[...]).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } },
      store: store)
  }

  /// An option that takes the raw value of an enumeration's case.
  static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ placeholder: String, store: @escaping @Sendable (inout LowArguments, Value) -> Void
  ) -> Self {
    choice(placeholder, of: Value.allCases.map(\.rawValue)) { (low, word) in
      if let value = Value(rawValue: word) { store(&low, value) }
    }
  }

  /// An option that takes one of the values of an enumeration, or the name of a layer, which is
  /// checked once all layers are known.
  static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ placeholder: String,
    orLayer storeLayer: @escaping @Sendable (inout LowArguments, String) -> Void,
    store: @escaping @Sendable (inout LowArguments, Value) -> Void
  ) -> Self {
    let words = Value.allCases.map(\.rawValue)
    return .value(placeholder: placeholder, choices: words) { (low, text) throws(Failure) in
      let word = String(decoding: text, as: UTF8.self)
      if let value = Value(rawValue: word) { return store(&low, value) }
      if !Layer.isName(word) { throw refusal(of: text, among: words) }
      storeLayer(&low, word)
    }
  }

  /// An option that takes one of the given words.
  static func choice(
    _ placeholder: String, of words: [String],
    store: @escaping @Sendable (inout LowArguments, String) -> Void
  ) -> Self {
    .value(placeholder: placeholder, choices: words) { (low, text) throws(Failure) in
      let word = String(decoding: text, as: UTF8.self)
      if !words.contains(word) { throw refusal(of: text, among: words) }
      store(&low, word)
    }
  }

  /// The failure for a value that is not one of the given words.
  static func refusal(of text: [UInt8], among words: [String]) -> Failure {
    let advice = nearest(to: text, among: words).map { "; did you mean '\($0)'?" } ?? ""
    return .wrong(text, "is not \(words.listed(by: "or"))\(advice)")
  }
}

extension Option.Effect {
  /// An option that takes a playback speed.
  static let speed = parsed(
    "X", "a number from 0.001 to 1000000",
    by: { DecimalNumber.parse($0).flatMap { 0.001...1_000_000 ~= $0 ? $0 : nil } },
    store: { $0.record.speed = $1 })

  /// An option that takes a time span, in milliseconds above 0.
  static func span(
    atLeast minimum: Int64 = 1, atMost maximum: Int64 = .max,
    store: @escaping @Sendable (inout LowArguments, Int64) -> Void
  ) -> Self {
    .value(placeholder: "TIME") { (low, text) throws(Failure) in
      guard let span = TimeSpan.milliseconds(parsing: text), span > 0 else {
        throw .wrong(text, "is not a time (try 90s, 30m, 2h or 7d)")
      }
      if span < minimum { throw .wrong(text, "is less than a second (try 1s)") }
      if span > maximum {
        throw .wrong(text, "is more than \(TimeSpan.text(seconds: Double(maximum) / 1000))")
      }
      store(&low, span)
    }
  }
}
