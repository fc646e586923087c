import GeoCore

/// A rule of a command about its operands, or about options and operands together.
struct CommandRule: Sendable {
  /// Why a command line is refused; nil if it keeps the rule.
  let refusal: @Sendable (GivenArguments) -> String?

  init(_ refusal: @escaping @Sendable (GivenArguments) -> String?) { self.refusal = refusal }

  /// Refuses all of some circumstances together, unless one of others is met.
  static func refuses(
    when conditions: Circumstance..., unless exceptions: Circumstance..., saying refusal: String
  ) -> Self {
    Self { $0.meets(conditions, unless: exceptions) ? refusal : nil }
  }

  /// Takes a number of operands, in all of some circumstances, unless one of others is met.
  static func takes(
    _ count: some RangeExpression<Int> & Sendable, when conditions: Circumstance...,
    unless exceptions: Circumstance..., or refusal: String
  ) -> Self {
    Self { given in
      given.meets(conditions, unless: exceptions) && !count.contains(given.operands.count)
        ? refusal : nil
    }
  }

  /// Takes only standard input that the list of `--files-from` doesn't take.
  static func oneReader(of name: String) -> Self {
    refuses(
      when: .operand("-"), .option("files-from", ["-"]),
      saying: "\(name) and --files-from can't both be standard input")
  }

  /// Takes only formats of the command, or of its action, that go with the name of the output file.
  static let format = Self { $0.formatRefusal }

  /// Takes only names of output files that go with a fixed format; nil for one that is not in the
  /// list of formats.
  static func ending(
    of format: FileFormat?, unless exceptions: Circumstance..., because reason: String
  ) -> Self {
    Self { given in
      given.meets([], unless: exceptions) ? given.low.refusalOfEnding(against: format, reason) : nil
    }
  }

  static func knownAction(on things: String) -> Self {
    Self { given in
      let actions = given.command.actions
      guard let word = given.low.operands.first, !actions.contains(given.action) else { return nil }
      let advice = nearest(to: word, among: actions).map { "did you mean '\($0)'?" }
      return "\(word.quoted) is not an action for \(things); "
        + (advice ?? "use \(actions.joined(separator: ", "))")
    }
  }
}
