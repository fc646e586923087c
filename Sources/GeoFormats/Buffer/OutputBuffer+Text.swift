import GeoCore

extension OutputBuffer {
  /// Adds raw bytes as the inside of a JSON string, without the quotes around it.
  ///
  /// `"`, `\` and the control characters U+0000–001F and U+007F–009F are escaped; U+FFFD replaces
  /// each maximal subpart that is no UTF-8.
  ///
  /// - Returns: Whether all of it was UTF-8.
  @discardableResult
  public mutating func append(json text: Span<UInt8>) -> Bool { append(text, as: JSONText.self) }

  /// Adds raw bytes as the inside of a JSON string in the script element of a page, without the quotes
  /// around it.
  ///
  /// - Returns: Whether all of it was UTF-8.
  @discardableResult
  package mutating func append(script text: Span<UInt8>) -> Bool {
    append(text, as: ScriptText.self)
  }

  /// Adds raw bytes as XML 1.0 character data, or as an attribute's value without the quotes.
  ///
  /// `& < > "`, tab, LF and CR are escaped; U+FFFD replaces what XML forbids, and each maximal
  /// subpart that is no UTF-8.
  ///
  /// - Returns: Whether all of it was UTF-8.
  @discardableResult
  package mutating func append(xml text: Span<UInt8>) -> Bool { append(text, as: XMLText.self) }

  /// Adds raw bytes as a CSV field, in quotes if it holds `"`, `,`, CR or LF.
  ///
  /// - Returns: Whether all of it was UTF-8; if not, each maximal subpart became U+FFFD.
  @discardableResult
  package mutating func append(csv text: Span<UInt8>) -> Bool {
    let isQuoted = CSVText.needsQuotes(text)
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
    let isValid = append(text, as: CSVText.self)
    if isQuoted { append(byte: UInt8(ascii: "\"")) }
    return isValid
  }

  /// Adds the last columns of a table of nodes, a comma before each, and the end of the record.
  ///
  /// - Parameters:
  ///   - path: The path of the node.
  ///   - special: What it is, if it is neither a folder nor a regular file.
  package mutating func append(lastColumnsOf path: [UInt8], special: StaticString?) {
    append(byte: UInt8(ascii: ","))
    append(csv: path.span.extracting(path.lastComponent.indices))
    append(byte: UInt8(ascii: ","))
    if let special { append(special) }
    append(byte: UInt8(ascii: ","))
    if !path.span.isValidUTF8 { append(percent: path.span) }
    append("\r\n")
  }

  /// Adds the names of those columns, a comma before each, and the end of the record.
  package mutating func appendLastColumnNames() {
    for name in CSVText.laterColumns {
      append(byte: UInt8(ascii: ","))
      append(name)
    }
    append("\r\n")
  }

  /// Adds raw bytes percent-encoded, exactly and in one way: letters, digits and `-._~/` stand for
  /// themselves.
  public mutating func append(percent path: Span<UInt8>) {
    var cursor = self.cursor(reserving: path.count * PercentText.expansion)
    PercentText.put(path, to: &cursor)
    commit(cursor)
  }

  private mutating func append<Rule: TextRule>(
    _ text: Span<UInt8>, as rule: Rule.Type
  ) -> Bool {
    var cursor = self.cursor(reserving: text.count * Rule.expansion)
    let isValid = Rule.put(text, to: &cursor)
    commit(cursor)
    return isValid
  }
}
