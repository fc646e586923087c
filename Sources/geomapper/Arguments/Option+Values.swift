import GeoCore
import GeoProjection

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
