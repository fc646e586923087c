import GeoCore

/// The path of the folder entered, escaped once for all features that are written in it.
struct FolderText<Rule: TextRule>: Sendable {
  /// What stands before a path in a feature, the escaped path, and `/`.
  private(set) var prefix = PaddedText()
  /// The path as it is.
  private(set) var raw: [UInt8] = []
  /// Whether the path is UTF-8.
  private(set) var isValid = true
  /// Where the folder's own name lies in the prefix.
  private(set) var name = 0..<0

  /// Takes the path of a folder.
  ///
  /// The repair of ill-formed UTF-8 can be done name by name, as `/` is ASCII.
  ///
  /// - Parameters:
  ///   - path: Label and names, joined by `/`.
  ///   - lead: What stands before a path in a feature.
  mutating func enter(_ path: [UInt8], after lead: StaticString) {
    raw = path
    let nameStart = path.lastComponent.startIndex
    var range = 0..<0
    var isValid = true
    let room = lead.utf8CodeUnitCount + path.count * Rule.expansion + 1
    prefix.fill(reserving: room) { cursor in
      let start = cursor.mark
      cursor.put(lead)
      let bytes = path.span
      if !Rule.put(bytes.extracting(0..<nameStart), to: &cursor) { isValid = false }
      let lower = cursor.count(since: start)
      if !Rule.put(bytes.extracting(nameStart..<path.count), to: &cursor) { isValid = false }
      range = lower..<cursor.count(since: start)
      cursor.put(byte: .slash)
    }
    self.isValid = isValid
    name = range
  }

  /// Puts the lead and the path.
  func putPath(to cursor: inout OutputCursor) {
    cursor.put(prefix, count: prefix.count - 1)
  }

  /// Puts the folder's own name.
  func putName(to cursor: inout OutputCursor) {
    cursor.put(prefix.bytes.span.extracting(name))
  }
}
