import GeoCore
import GeoProjection

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
  /// Whether it is accepted, and no help or completion has it: what it asks for is the default now.
  var isHidden = false
  /// What it was called before.
  var oldNames: [OldName] = []
  /// Values by the words that stood for them before.
  var oldValues: [String: String] = [:]

  /// The same, of which the short help doesn't speak.
  var unabridged: Option {
    var option = self
    option.brief = nil
    return option
  }

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

extension Option {
  /// `--output FILE`, of a command that writes one file.
  ///
  /// - Parameter help: When the file is there, and what stands for standard output.
  static func output(_ help: String) -> Option {
    Option(
      name: "output", short: "o", group: .output, help: help, brief: "Write to FILE",
      effect: .value(placeholder: "FILE") { (low, text) in low.output = text })
  }
}

extension Option.Effect {
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
          reason: "takes a whole number from \(range.lowerBound) to \(range.upperBound), "
            + "not '\(TerminalText.escaped(text))'")
      }
      store(&low, number)
    }
  }

  /// An option that takes a date or time.
  static func moment(store: @escaping @Sendable (inout LowArguments, Int64) -> Void) -> Self {
    .value(placeholder: "WHEN") { (low, text) throws(BadValue) in
      guard let seconds = Moment.seconds(parsing: text) else {
        throw BadValue(
          reason: "takes a date such as 2026-01-31 or 2026-01-31T12:00Z, or @SECONDS, not "
            + "'\(TerminalText.escaped(text))'")
      }
      store(&low, seconds)
    }
  }

  /// An option that takes metres, not less than 0.
  static func metres(store: @escaping @Sendable (inout LowArguments, Double) -> Void) -> Self {
    .value(placeholder: "METRES") { (low, text) throws(BadValue) in
      guard let number = BoundingBox.degrees(text[...]), number.isFinite, number >= 0 else {
        throw BadValue(reason: "takes a number of metres, not '\(TerminalText.escaped(text))'")
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
      var reason = "takes \(listed(words)), not '\(TerminalText.escaped(text))'"
      if let nearest = nearest(to: text, among: words) { reason += "; did you mean '\(nearest)'?" }
      throw BadValue(reason: reason)
    }
  }

  private static func listed(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// The word that was probably meant, if one is near enough: it begins with what was typed, or at
/// most a third of the letters were mistyped.
func nearest(to typed: [UInt8], among words: [String]) -> String? {
  // A word of any length costs its length for each candidate: nobody mistypes that long.
  if typed.isEmpty || typed.count > 64 { return nil }
  let lowered = typed.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
  let scored = words.map { (word: $0, distance: editDistance(lowered, Array($0.utf8))) }
  if let best = scored.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, min(lowered.count, best.word.utf8.count) / 3)
  {
    return best.word
  }
  let longer = words.filter { lowered.count > 1 && $0.utf8.starts(with: lowered) }
  return longer.count == 1 ? longer[0] : nil
}

/// How many letters have to be added, dropped, replaced or exchanged with their neighbour.
///
/// The optimal string alignment distance, by dynamic programming over two words' prefixes.
///
/// - Complexity: O(n · m).
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var before: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(previous[j + 1], row[j]) + 1
      best = min(best, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      row.append(best)
    }
    before = previous
    previous = row
  }
  return previous[b.count]
}
