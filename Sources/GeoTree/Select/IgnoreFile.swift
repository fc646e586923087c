extension RuleList {
  /// The rules of a file such as `.gitignore`, with git's semantics.
  convenience init(ignoreFile bytes: [UInt8]) {
    var text = bytes[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    var rules: [PathRule] = []
    for line in text.split(separator: UInt8(ascii: "\n")) {
      var line = line
      if line.first == UInt8(ascii: "#") { continue }
      if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
      line = line.prefix { $0 != 0 }.trimmingSpaces
      if let rule = PathRule(ignoreLine: line) { rules.append(rule) }
    }
    self.init(rules)
  }
}

extension PathRule {
  /// Parses a line of a `.gitignore` file; nil if it can't match anything.
  ///
  /// The semantics are those of git's `match_basename` and `match_pathname` (dir.c), where the
  /// literal bytes before the first wildcard are compared separately. The glob begins after them,
  /// so `a**/b` crosses folders like `**/b`.
  init?(ignoreLine line: ArraySlice<UInt8>) {
    var body = line
    let keeps = body.first == UInt8(ascii: "!")
    if keeps { body = body.dropFirst() }
    let isForFolders = body.last == .slash
    if isForFolders { body = body.dropLast() }
    let matchesName = !body.contains(.slash)
    if body.first == .slash { body = body.dropFirst() }
    if body.isEmpty { return nil }

    let head = Array(body.prefix { !Glob.isSpecial($0) })
    // A malformed pattern matches nothing.
    guard let glob = try? Glob(parsing: body.dropFirst(head.count), .git) else { return nil }
    self.init(
      matcher: Matcher(after: head, glob, ofName: matchesName), matchesName: matchesName,
      isForFolders: isForFolders, keeps: keeps)
  }
}

extension ArraySlice<UInt8> {
  /// The line without trailing spaces, unless escaped by `\`.
  fileprivate var trimmingSpaces: ArraySlice<UInt8> {
    var end = startIndex
    var index = startIndex
    while index < endIndex {
      let byte = self[index]
      index += 1
      if byte == UInt8(ascii: " ") { continue }
      if byte == UInt8(ascii: "\\") {
        if index == endIndex { return self }
        index += 1
      }
      end = index
    }
    return self[..<end]
  }
}
