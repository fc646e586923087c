import Foundation

/// A test case that both the page and the tool have to pass.
public struct RuleCase {
  /// The rule's name.
  public let rule: String
  /// The rule's input.
  public let input: Any
  /// The expected output.
  public let output: Any

  /// All cases of a file in `Tests/Outside`; the page is checked against the same files.
  public static func all(in file: String = "rules.json") throws -> [RuleCase] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appendingPathComponent("Outside/\(file)"))
    let cases = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    return cases.map { entry in
      RuleCase(
        rule: entry["rule"] as? String ?? "", input: entry["input"] ?? NSNull(),
        output: entry["output"] ?? NSNull())
    }
  }

  /// The input as a number.
  public var number: Double? { Self.number(input) }
  /// The input as numbers.
  public var numbers: [Double] { Self.numbers(input) }
  /// The input as a list.
  public var list: [Any] { input as? [Any] ?? [] }
  /// The input as an object.
  public var object: [String: Any] { input as? [String: Any] ?? [:] }

  /// A value as a number; nil if it isn't one.
  public static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

  /// A value as numbers.
  public static func numbers(_ value: Any?) -> [Double] {
    (value as? [Any] ?? []).compactMap { number($0) }
  }

  /// A value as lists of numbers.
  public static func points(_ value: Any?) -> [[Double]] {
    (value as? [Any] ?? []).map { numbers($0) }
  }

  /// Whether a result is the expected one, within a tolerance of 1e-8.
  public static func agree(_ result: Any, _ expected: Any) -> Bool {
    switch (result, expected) {
    case (let a as [Any], let b as [Any]):
      return a.count == b.count && zip(a, b).allSatisfy { agree($0, $1) }
    case (let a as [String: Any], let b as [String: Any]):
      return a.count == b.count
        && a.allSatisfy { key, value in b[key].map { agree(value, $0) } ?? false }
    case (is NSNull, is NSNull): return true
    case (let a as String, let b as String): return a == b
    default:
      guard let a = number(result), let b = number(expected) else { return false }
      return abs(a - b) <= 1e-8 * max(1, abs(b))
    }
  }
}
