extension PageFile {
  /// A script or a style sheet without what only its readers need: comments that have lines of their
  /// own, indentation and empty lines.
  ///
  /// It looks at lines alone, so no text of a script may run over several lines.
  ///
  /// - Complexity: O(bytes).
  static func slim(_ bytes: [UInt8]) -> [UInt8] {
    var slim: [UInt8] = []
    slim.reserveCapacity(bytes.count)
    var isComment = false
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if !isComment {
        isComment = text.starts(with: "/*".utf8)
        if !isComment, !text.isEmpty, !text.starts(with: "//".utf8) {
          slim += text
          slim.append(UInt8(ascii: "\n"))
        }
      }
      if isComment, text.suffix(2).elementsEqual("*/".utf8) { isComment = false }
    }
    return slim
  }
}
