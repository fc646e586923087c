import GeoCore

/// What alert rules have raised, for evaluations in several runs.
///
/// As text it has a line `HASH raised|cleared NANOSECONDS` for each rule. The hash is of the rule
/// and of the scope, so that several folders and machines can share a file.
package struct AlertMemory: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var isRaised: Bool
    /// In Unix nanoseconds.
    package var lastRaised: Int64
  }

  /// What the rules are about, such as a machine and its folders.
  private let scope: [UInt8]
  private var entries: [[UInt8]: Entry] = [:]

  /// The largest text that is read, in bytes.
  package static let largest = 1 << 20
  private static let title = "geomapper alerts 1"

  package init(of scope: [UInt8]) { self.scope = scope }

  package init(of scope: [UInt8], parsing text: [UInt8]) throws(Failure) {
    self.scope = scope
    let lines = text.split(separator: 0x0A)
    guard let title = lines.first, title.elementsEqual(Self.title.utf8) else {
      throw .damage("not a file of alerts that this version can read")
    }
    for (index, line) in lines.enumerated().dropFirst() {
      let words = line.split(separator: 0x20)
      guard words.count == 3, words[0].count == 64, let lastRaised = Int64(wholeNumber: words[2]),
        let state = RecordedAlert.State(rawValue: String(decoding: words[1], as: UTF8.self))
      else { throw .damage("line \(index + 1) is damaged") }
      entries[Array(words[0])] = Entry(isRaised: state == .raised, lastRaised: lastRaised)
    }
  }

  /// With lines in byte order.
  package var text: [UInt8] {
    var text = Array("\(Self.title)\n".utf8)
    for (key, entry) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let state: RecordedAlert.State = entry.isRaised ? .raised : .cleared
      text += key + Array(" \(state.rawValue) \(max(0, entry.lastRaised))\n".utf8)
    }
    return text
  }

  /// Nil if the rule was never raised.
  package subscript(rule: AlertRule) -> Entry? {
    get { entries[key(of: rule)] }
    set { entries[key(of: rule)] = newValue }
  }

  private func key(of rule: AlertRule) -> [UInt8] {
    SHA256.digest(scope + [0] + rule.name + [0] + rule.text).span.hexDigits
  }
}
