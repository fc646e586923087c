import Foundation

/// A case that the page's rules and these both have to pass.
struct RuleCase {
  let rule: String
  let input: Any
  let output: Any

  /// All cases, from the file that the page is checked against.
  static func all() throws -> [RuleCase] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appendingPathComponent("Outside/rules.json"))
    let cases = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    return cases.map { entry in
      RuleCase(
        rule: entry["rule"] as? String ?? "", input: entry["input"] ?? NSNull(),
        output: entry["output"] ?? NSNull())
    }
  }

  var number: Double? { Self.number(input) }
  var numbers: [Double] { Self.numbers(input) }
  var list: [Any] { input as? [Any] ?? [] }
  var object: [String: Any] { input as? [String: Any] ?? [:] }

  static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

  static func numbers(_ value: Any?) -> [Double] {
    (value as? [Any] ?? []).compactMap { number($0) }
  }

  static func points(_ value: Any?) -> [[Double]] { (value as? [Any] ?? []).map { numbers($0) } }

  /// Whether a result is what is expected, to within a hundred-millionth.
  static func agree(_ result: Any, _ expected: Any) -> Bool {
    switch (result, expected) {
    case (let a as [Any], let b as [Any]):
      return a.count == b.count && zip(a, b).allSatisfy { agree($0, $1) }
    case (let a as [String: Any], let b as [String: Any]):
      return a.count == b.count
        && a.allSatisfy { key, value in b[key].map { agree(value, $0) } ?? false }
    case (is NSNull, is NSNull): return true
    default:
      guard let a = number(result), let b = number(expected) else { return false }
      return abs(a - b) <= 1e-8 * max(1, abs(b))
    }
  }
}
