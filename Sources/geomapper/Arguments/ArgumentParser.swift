import GeoCore

/// Parses the arguments of one command.
///
/// Options and operands may come in any order until `--`. If an option is repeated, its last value
/// wins.
struct ArgumentParser {
  private let options: [Option]
  private var rest: ArraySlice<[UInt8]>
  private var low = LowArguments()

  enum Result {
    case run(LowArguments)
    case help(isBrief: Bool)
  }

  private var names: [String] { options.map(\.name) }

  private static let dash = UInt8(ascii: "-")
  private static let equals = UInt8(ascii: "=")

  static func parse(_ arguments: ArraySlice<[UInt8]>, options: [Option]) throws(Failure) -> Result {
    var parser = ArgumentParser(options: options, rest: arguments)
    return try parser.run()
  }

  private mutating func run() throws(Failure) -> Result {
    while let argument = rest.popFirst() {
      if argument == [Self.dash, Self.dash] {
        low.operands += rest
        break
      }
      if argument.starts(with: [Self.dash, Self.dash]) {
        if let help = try takeLong(argument) { return help }
      } else if argument.first == Self.dash, argument.count > 1, !isNumber(argument) {
        if let help = try takeShort(argument) { return help }
      } else {
        low.operands.append(argument)
      }
    }
    return .run(low)
  }

  /// Whether the argument is a negative number, such as a longitude, and not an option.
  private func isNumber(_ argument: [UInt8]) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let rest = argument.dropFirst().drop { $0 == UInt8(ascii: ".") }
    guard let first = rest.first, digits ~= first else { return false }
    return !options.contains { $0.short?.asciiValue == argument[1] }
  }

  /// Handles `--name`, `--name value` and `--name=value`; returns the help if it is asked for.
  private mutating func takeLong(_ argument: [UInt8]) throws(Failure) -> Result? {
    let body = argument.dropFirst(2)
    let name = Array(body.prefix { $0 != Self.equals })
    let attached = name.count < body.count ? Array(body.dropFirst(name.count + 1)) : nil
    guard let option = options.first(where: { $0.name.utf8.elementsEqual(name) }) else {
      throw unknown(long: name)
    }
    return try apply(option, as: "--\(option.name)", attached: attached, isShort: false)
  }

  /// Handles `-q`, `-o FILE`, `-oFILE` and `-o=FILE`, and several letters after one dash.
  private mutating func takeShort(_ argument: [UInt8]) throws(Failure) -> Result? {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short?.asciiValue == letter }) else {
        throw unknown(short: letter, in: argument)
      }
      var attached: [UInt8]?
      let hasEquals = letters.first == Self.equals
      if hasEquals || (option.placeholder != nil && !letters.isEmpty) {
        attached = Array(letters.dropFirst(hasEquals ? 1 : 0))
        letters = []
      }
      let shown = "-\(Character(UnicodeScalar(letter)))"
      if let help = try apply(option, as: shown, attached: attached, isShort: true) { return help }
    }
    return nil
  }

  private mutating func apply(
    _ option: Option, as shown: String, attached: [UInt8]?, isShort: Bool
  ) throws(Failure) -> Result? {
    var words: [[UInt8]] = []
    if option.placeholder == nil, attached != nil { throw .usage("\(shown) takes no value") }
    switch option.effect {
    case .flag(let set): set(&low)
    case .help: return .help(isBrief: isShort)
    case .rest(let placeholder, let store):
      if rest.isEmpty || attached != nil {
        throw .usage("\(shown) needs a command: \(shown) \(placeholder)")
      }
      words = Array(rest)
      store(&low, words)
      rest = []
    case .value(let placeholder, _, let store):
      let value =
        if let attached { attached } else { try nextValue(of: shown, placeholder: placeholder) }
      words = [value]
      try explaining(shown) { try store(&low, value) }
    }
    low.typed.append((option.name, words))
    return nil
  }

  /// Takes the argument after an option as its value, unless it is an option: in `-o --quiet` the
  /// FILE is missing.
  private mutating func nextValue(
    of shown: String, placeholder: String
  ) throws(Failure) -> [UInt8] {
    let needed = "\(shown) needs a value: \(shown) \(placeholder)"
    guard let value = rest.first else { throw .usage(needed) }
    if value.starts(with: [Self.dash, Self.dash]) || isShortOption(value) {
      throw .usage("\(needed); to use \(value.quoted) as the value, attach it with '='")
    }
    rest.removeFirst()
    return value
  }

  private func isShortOption(_ argument: [UInt8]) -> Bool {
    argument.count == 2 && argument[0] == Self.dash
      && options.contains { $0.short?.asciiValue == argument[1] }
  }

  /// Options that are gone, and what replaces them.
  private static let replacements = [
    "shard": "parts are snapshots now: 'geomapper snapshot --only LIST' reads one, "
      + "'geomapper join' joins them"
  ]

  private func unknown(long name: [UInt8]) -> Failure {
    let advice =
      Self.replacements[String(decoding: name, as: UTF8.self)]
      ?? Command.advice { $0.name.utf8.elementsEqual(name) }
      ?? nearest(to: name, among: names).map { "did you mean '--\($0)'?" }
      ?? "for a folder of that name write './--\(name.shown)'"
    return .usage("unknown option '--\(name.shown)'; \(advice)")
  }

  private func unknown(short letter: UInt8, in argument: [UInt8]) -> Failure {
    let whole = argument.shown
    // One dash may have been typed for two.
    let name = Array(argument.dropFirst().prefix { $0 != Self.equals })
    let advice =
      (name.count > 1 ? nearest(to: name, among: names) : nil)
      .map { "did you mean '--\($0)'?" }
      ?? Command.advice { $0.short?.asciiValue == letter }
      ?? "for a folder of that name write './\(whole)'"
    let place = argument.count > 2 ? " in '\(whole)'" : ""
    return .usage("unknown option '-\([letter].shown)'\(place); \(advice)")
  }
}

extension Command {
  /// A sentence that names the commands with the option that is meant; nil if no command has it.
  fileprivate static func advice(where isMeant: (Option) -> Bool) -> String? {
    let names = all.filter { $0.options.contains(where: isMeant) }.map(\.name)
    if names.count < 2 { return names.first.map { "it is an option of '\($0)'" } }
    let shown = names.count > 5 ? names.prefix(4) + ["others"] : names
    return "it is an option of \(shown.listed(by: "and"))"
  }
}

/// The word that was probably meant: at most a third of its letters were mistyped, or it is the
/// only word that begins with `typed`.
func nearest(to typed: [UInt8], among words: [String]) -> String? {
  // The edit distance costs O(n · m), and a typing mistake is never this long.
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

/// The optimal string alignment distance: letters to insert, delete, replace or swap with a
/// neighbour.
///
/// - Complexity: O(n · m).
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var before: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
      row.append(best)
    }
    before = previous
    previous = row
  }
  return previous[b.count]
}
