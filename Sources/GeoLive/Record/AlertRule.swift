import GeoCore
import GeoTree

/// A condition for an alert: a quantity of a folder, a comparison, and a limit.
///
/// `usr/var/log bytes > 10G`, or with a name `logs: usr/var/log bytes > 10G`.
package struct AlertRule: Hashable, Sendable {
  package enum Quantity: String, CaseIterable, Hashable, Sendable {
    /// The size of all files below the folder: room on disk, or else the apparent size.
    case bytes
    /// Number of files below it.
    case files
    /// Free bytes in its file system.
    case free
    /// Events below it in the last minute.
    case events
    /// The growth of that size, in bytes per ``AlertRule/span``.
    case growth
  }

  package enum Span: String, CaseIterable, Hashable, Sendable {
    case hour = "/h"
    case day = "/d"
    case week = "/w"

    package var hours: Int {
      switch self {
      case .hour: 1
      case .day: 24
      case .week: 7 * 24
      }
    }
  }

  package enum Comparison: String, CaseIterable, Hashable, Sendable {
    case above = ">"
    case atLeast = ">="
    case below = "<"
    case atMost = "<="

    var isUpper: Bool { self == .above || self == .atLeast }
  }

  /// The rule itself if it has no name.
  package var name: [UInt8]
  /// On the map.
  package var path: [UInt8]
  package var quantity: Quantity
  package var comparison: Comparison
  package var limit: Double
  /// Of the limit, if the quantity is growth.
  package var span = Span.hour
  /// Without the name, as written.
  package var text: [UInt8]

  /// Before an alert may be raised again, in nanoseconds.
  package static let defaultCooldown: Int64 = 600_000_000_000
  /// Fraction of the limit by which a value must return before the alert is cleared.
  static let margin = 0.05

  /// Parses a rule from its end, as the path may contain spaces.
  package init(parsing text: [UInt8]) throws(Failure) {
    var rule = text[...].trimmed
    var name: [UInt8]?
    if let colon = rule.firstIndex(of: UInt8(ascii: ":")), colon + 1 < rule.endIndex,
      rule[colon + 1] == 0x20, colon > rule.startIndex,
      !rule[..<colon].contains(.slash)
    {
      name = Array(rule[..<colon])
      rule = rule[(colon + 1)...].trimmed
    }
    self.text = Array(rule)
    self.name = name ?? Array(rule)
    var rest = rule
    guard let limit = rest.takeLastWord(), let comparison = rest.takeLastWord(),
      let quantity = rest.takeLastWord(), !rest.isEmpty
    else {
      throw .usage("a rule is 'PATH QUANTITY COMPARISON LIMIT', such as 'usr/var/log bytes > 10G'")
    }
    if let sign = Self.comparison(quantity), Self.comparison(comparison) == nil {
      let words = "\(TerminalText.escaped(comparison)) \(TerminalText.escaped(limit))"
      throw .usage(
        "'\(words)' after \(sign.rawValue) is not a limit: write it as one word, such as 10GB")
    }
    path = Array(rest)
    guard let found = Quantity(rawValue: String(decoding: quantity, as: UTF8.self)) else {
      let words = Quantity.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("'\(TerminalText.escaped(quantity))' is not one of \(words)")
    }
    self.quantity = found
    guard let sign = Self.comparison(comparison) else {
      throw .usage("'\(TerminalText.escaped(comparison))' is not one of >, >=, < and <=")
    }
    self.comparison = sign
    var amount = limit[...]
    if found == .growth,
      let span = Span.allCases.first(where: { amount.suffix(2).elementsEqual($0.rawValue.utf8) })
    {
      self.span = span
      amount = amount.dropLast(2)
    }
    guard let number = Self.limit(amount, of: found) else {
      throw .usage(
        "'\(TerminalText.escaped(limit))' is not a limit of \(found.rawValue): give a number, with a "
          + "unit if it is large: \(SizeUnit.list)"
          + (found == .growth ? " and /h, /d or /w" : found == .events ? " and /m" : ""))
    }
    self.limit = number
    if number == 0, sign == .below, found != .growth {
      throw .usage("'< \(TerminalText.escaped(limit))' is never true of \(found.rawValue)")
    }
  }

  private static func comparison(_ word: [UInt8]) -> Comparison? {
    Comparison(rawValue: String(decoding: word, as: UTF8.self))
  }

  private static func limit(_ text: ArraySlice<UInt8>, of quantity: Quantity) -> Double? {
    var digits = text
    if quantity == .events, digits.count > 2, digits.suffix(2).elementsEqual("/m".utf8) {
      digits = digits.dropLast(2)
    }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    let factor = Double(SizeUnit.take(from: &digits))
    let points = digits.count { $0 == UInt8(ascii: ".") }
    guard digits.count < 20, points <= 1, digits.count > points,
      digits.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }),
      let number = Double(String(decoding: digits, as: UTF8.self))
    else { return nil }
    // Only growth can be negative.
    if isNegative, quantity != .growth { return nil }
    return (isNegative ? -number : number) * factor
  }

  func holds(for value: Double) -> Bool {
    switch comparison {
    case .above: value > limit
    case .atLeast: value >= limit
    case .below: value < limit
    case .atMost: value <= limit
    }
  }

  /// The value, if it decides whether the condition is fulfilled. The real value may be higher if
  /// it is partial.
  func known(_ value: Double, isPartial: Bool) -> Double? {
    isPartial && holds(for: value) != comparison.isUpper ? nil : value
  }

  /// By more than the margin.
  func hasRecovered(_ value: Double) -> Bool {
    if holds(for: value) { return false }
    let margin = abs(limit) * Self.margin
    return comparison.isUpper ? value <= limit - margin : value >= limit + margin
  }

  /// One rule a line. Empty lines and lines that begin with `#` are ignored; a rule with `off`
  /// before its name is disabled.
  package static func parse(file bytes: [UInt8]) throws(Failure) -> [AlertRule] {
    var rules: [AlertRule] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var line = line.trimmed
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      var isOff = false
      if line.starts(with: "off ".utf8) {
        let rest = line.dropFirst(4).trimmed
        let name = rest.prefix { $0 != UInt8(ascii: ":") }
        if name.count < rest.count, !name.contains(.slash) {
          isOff = true
          line = rest
        }
      }
      do throws(Failure) {
        let rule = try AlertRule(parsing: Array(line))
        if !isOff { rules.append(rule) }
      } catch {
        throw .usage("line \(index + 1): \(error.message)")
      }
    }
    return rules
  }
}

extension ArraySlice<UInt8> {
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  fileprivate var trimmed: ArraySlice<UInt8> {
    let end = lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? startIndex
    return self[..<end].drop(while: Self.isSpace)
  }

  /// With the white space before it.
  fileprivate mutating func takeLastWord() -> [UInt8]? {
    if isEmpty { return nil }
    let start = lastIndex(where: Self.isSpace).map { $0 + 1 } ?? startIndex
    let word = Array(self[start...])
    self = self[..<start].trimmed
    return word.isEmpty ? nil : word
  }
}
