/// The arguments after the command's name.
struct Arguments {
  private(set) var positional: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  /// - Parameters:
  ///   - options: Options with a value.
  ///   - flags: Options without a value.
  init(_ arguments: [String], options: [String], flags: [String] = []) throws(Failure) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else {
        positional.append(argument)
        continue
      }
      let parts = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if flags.contains(name), parts.count == 1 {
        self.flags.insert(name)
      } else if options.contains(name) {
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
          throw Failure("--\(name) needs a value")
        }
        values[name, default: []].append(value)
      } else {
        throw Failure("unknown option \(argument)")
      }
    }
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  func text(_ name: String) -> String? { values[name]?.last }

  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// A comma-separated list.
  func list(_ name: String) -> [String]? {
    values[name].map { $0.flatMap { $0.split(separator: ",").map(String.init) } }
  }

  /// A whole number, such as `1000`, `1k`, `2M` or `1_000`.
  func number(_ name: String) throws(Failure) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Self.number(text) else {
      throw Failure("--\(name): \(text) is no whole number that can be used here")
    }
    return number
  }

  func decimal(_ name: String) throws(Failure) -> Double? {
    guard let text = text(name) else { return nil }
    guard let number = Double(text), number.isFinite, number >= 0 else {
      throw Failure("--\(name): \(text) can't be used here")
    }
    return number
  }

  /// The positional argument at an index.
  func positional(_ index: Int, _ meaning: String) throws(Failure) -> String {
    guard index < positional.count else { throw Failure("\(meaning) is missing") }
    return positional[index]
  }

  static func number(_ text: String) -> Int? {
    var digits = text.filter { $0 != "_" }
    var factor = 1
    if digits.hasSuffix("k") || digits.hasSuffix("K") { factor = 1_000 }
    if digits.hasSuffix("M") { factor = 1_000_000 }
    if factor > 1 { digits.removeLast() }
    guard let number = Int(digits), number >= 0, number <= Int(Int32.max) / factor else {
      return nil
    }
    return number * factor
  }
}
