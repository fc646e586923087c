import GeoCore

extension RuleList {
  /// The rules of a file such as `.gitignore`, with git's semantics.
  ///
  /// - Complexity: O(bytes).
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
    let matcher: Matcher
    if glob.tokens.isEmpty {
      matcher = .literal(head)
    } else if matchesName, head.isEmpty, case .star? = glob.tokens.first,
      glob.tail.count == glob.tokens.count - 1
    {
      matcher = .suffix(glob.tail)
    } else {
      matcher = .glob(after: head, glob)
    }
    self.init(
      matcher: matcher, matchesName: matchesName, isForFolders: isForFolders, keeps: keeps)
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

/// The `.gitignore` rules that apply in a folder, outermost first.
package final class IgnoreScope: Sendable {
  private struct Level: Sendable {
    let rules: RuleList
    /// The length of the path prefix up to the rules' folder.
    let base: Int
  }

  /// The path from the top of the work tree to the root: empty, or ending with `/`.
  let above: [UInt8]
  /// Whether the folder itself is ignored, and so all its contents.
  package let isIgnored: Bool
  private let levels: [Level]

  private init(above: [UInt8], isIgnored: Bool, levels: [Level]) {
    self.above = above
    self.isIgnored = isIgnored
    self.levels = levels
  }

  /// Makes a scope without rules.
  ///
  /// - Parameter above: The path from the top of the work tree to the root; empty if the root is
  ///   the top or in no work tree.
  package convenience init(above: [UInt8] = []) {
    self.init(
      above: above.isEmpty ? [] : above + [.slash], isIgnored: false, levels: [])
  }

  /// The scope of an ignored folder, where all entries are ignored.
  package var ignored: IgnoreScope { IgnoreScope(above: above, isIgnored: true, levels: []) }

  /// The scope without its rules, for the top of another work tree.
  package var empty: IgnoreScope { IgnoreScope(above: above, isIgnored: false, levels: []) }

  /// The scope with more rules, which take precedence over the others.
  ///
  /// - Parameters:
  ///   - file: The bytes of a file such as `.gitignore`.
  ///   - base: The path of the rules' folder, relative to the top of the root's work tree; empty
  ///     for the top itself.
  /// - Complexity: O(bytes + scopes above).
  package func adding(_ file: [UInt8], at base: [UInt8]) -> IgnoreScope {
    adding(RuleList(ignoreFile: file), base: base.isEmpty ? 0 : base.count + 1)
  }

  /// The scope with the rules of a file in a folder at or below the root.
  ///
  /// - Parameter path: The folder's path, beginning with the root's label.
  package func adding(_ file: [UInt8], below path: [UInt8]) -> IgnoreScope {
    let rest = path.firstIndex(of: .slash).map { path.count - $0 } ?? 0
    return adding(RuleList(ignoreFile: file), base: above.count + rest)
  }

  private func adding(_ rules: RuleList, base: Int) -> IgnoreScope {
    if rules.isEmpty { return self }
    return IgnoreScope(
      above: above, isIgnored: isIgnored, levels: levels + [Level(rules: rules, base: base)])
  }

  /// Whether git ignores an entry of the folder; `.git` itself counts as ignored.
  func ignores(_ entry: CandidateName, in arena: Span<UInt8>, path: inout EntryPath) -> Bool {
    if entry.isGit || isIgnored { return true }
    var index = levels.count - 1
    while index >= 0 {
      let level = levels[index]
      if let keeps = level.rules.keeps(entry, in: arena, path: &path, base: level.base) {
        return !keeps
      }
      index -= 1
    }
    return false
  }

  /// Whether git ignores a folder between the top of the work tree and the root.
  ///
  /// - Parameter path: Its path from the top.
  package func ignores(folderAt path: [UInt8]) -> Bool {
    let last = path.lastComponent
    let name = NameTable([Array(last)], kind: .directory)
    var way = EntryPath()
    way.enter(above: Array(path[..<last.startIndex]), [])
    let arena = name.bytes.span
    let entry = CandidateName(name.records[0], in: arena, isFolder: true)
    return ignores(entry, in: arena, path: &way)
  }
}

/// Reads the settings about ignore rules from a git configuration file.
package enum GitConfig {
  /// A setting.
  package enum Setting: Hashable, Sendable {
    /// `core.excludesFile`: the file with the user's global rules.
    case excludesFile([UInt8])
    /// `include.path`: another configuration file.
    case include([UInt8])
  }

  /// The settings in order; malformed text is skipped.
  ///
  /// - Complexity: O(bytes).
  package static func settings(in bytes: [UInt8]) -> [Setting] {
    var reader = Reader(rest: bytes[...])
    var settings: [Setting] = []
    while let (section, key, value) = reader.next() {
      switch (section, key) {
      case ("core", "excludesfile"): settings.append(.excludesFile(value))
      case ("include", "path"): settings.append(.include(value))
      default: break
      }
    }
    return settings
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>
    var section = ""

    mutating func next() -> (section: String, key: String, value: [UInt8])? {
      while let byte = rest.first {
        switch byte {
        case UInt8(ascii: "["): takeSection()
        case UInt8(ascii: "#"), UInt8(ascii: ";"): skipLine()
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
          let key = takeWord { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "\n") }
          if rest.first == UInt8(ascii: "=") {
            rest = rest.dropFirst()
            return (section, key, takeValue())
          }
        default: rest = rest.dropFirst()
        }
      }
      return nil
    }

    private mutating func skipLine() { rest = rest.drop { $0 != UInt8(ascii: "\n") } }

    private mutating func takeWord(while isPart: (UInt8) -> Bool) -> String {
      let word = rest.prefix(while: isPart)
      rest = rest.dropFirst(word.count)
      return String(decoding: word.filter { $0 > 0x20 }, as: UTF8.self).lowercased()
    }

    /// Takes `[name]`. Subsections are not distinguished.
    private mutating func takeSection() {
      rest = rest.dropFirst()
      section = takeWord { $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "\n") }
      if rest.first == UInt8(ascii: "]") { rest = rest.dropFirst() }
    }

    /// Takes the rest of a line: quotes, escapes, continuation lines, and a trailing comment.
    private mutating func takeValue() -> [UInt8] {
      var value: [UInt8] = []
      var end = 0
      var isQuoted = false
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\n"): return Array(value[..<end])
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: "#"), UInt8(ascii: ";"):
          if !isQuoted {
            skipLine()
            return Array(value[..<end])
          }
          value.append(byte)
        case UInt8(ascii: "\\"):
          guard let escaped = rest.popFirst() else { break }
          switch escaped {
          case UInt8(ascii: "\n"): continue
          case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
          case UInt8(ascii: "t"): value.append(UInt8(ascii: "\t"))
          default: value.append(escaped)
          }
          end = value.count
        case 0x20, 0x09, 0x0D:
          // Spaces inside a value or in quotes count; leading and trailing ones don't.
          if isQuoted || !value.isEmpty { value.append(byte) }
          if isQuoted { end = value.count }
          continue
        default: value.append(byte)
        }
        if byte != UInt8(ascii: "\"") || isQuoted { end = value.count }
      }
      return Array(value[..<end])
    }
  }
}
