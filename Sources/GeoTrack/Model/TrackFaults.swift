import GeoCore

/// Why a track file is malformed.
extension Failure {
  static func ended(within part: String) -> Failure { .damage("the file ends within \(part)") }

  static func misplaced(_ name: String, in parent: String) -> Failure {
    .damage("\(quoted(name)) can't be in \(quoted(parent))")
  }

  static func missing(_ name: String, of element: String) -> Failure {
    .damage("\(quoted(element)) has no \(quoted(name))")
  }

  static func value(_ text: String, of name: String) -> Failure {
    .damage("\(quoted(text)) is no \(name)")
  }

  static func range(_ text: String, of name: String) -> Failure {
    .damage("the \(name) \(quoted(text)) is out of range")
  }

  static func quoted(_ text: String) -> String { "'\(TerminalText.escaped(Array(text.utf8)))'" }

  /// The same failure, with its line, counted from 1.
  func at(line: Int) -> Failure { prefixed(by: "line \(line)") }
}

/// The values of a file that can't be used.
package struct TrackFaults: Sendable {
  package private(set) var first: [Failure] = []
  package private(set) var count = 0
  package static let maximum = 20

  private let isStrict: Bool

  package init(isStrict: Bool = false) { self.isStrict = isStrict }

  /// Adds a fault, or throws it.
  mutating func add(_ fault: Failure) throws(Failure) {
    if isStrict { throw fault }
    count += 1
    if first.count < Self.maximum { first.append(fault) }
  }
}
