import TestSupport
import Testing

@testable import GeoTree

@Suite struct GlobTests {
  private func matches(_ pattern: String, _ path: String, isFolder: Bool = false) throws -> Bool {
    var selection = Selection()
    try selection.exclude(Array(pattern.utf8))
    return isFolder ? leavesOut(selection, folder: path) : leavesOut(selection, file: path)
  }

  @Test(arguments: [
    ("a", "a"), ("/a", "a"), ("a/b", "a/b"), ("*", "a"), ("*.c", "x.c"), ("a*c", "abbc"),
    ("a*c", "ac"), ("?", "a"), ("a?c", "abc"), ("*/b", "a/b"), ("**", "a/b/c"),
    ("**/b", "b"), ("**/b", "x/y/b"), ("a/**", "a/b"), ("a/**", "a/b/c"), ("a/**/b", "a/b"),
    ("a/**/b", "a/x/y/b"), ("a**b", "axb"), ("src/**.c", "src/x/y.c"),
    ("**/*.c", "x.c"), ("**/*.c", "d/x.c"), ("[ab]", "b"), ("[a-c]", "b"), ("[!a]", "b"),
    ("[^a]", "b"), ("[]]", "]"), ("[a-]", "-"), ("[[:digit:]]", "7"), ("[\\]]", "]"),
    ("\\*", "*"), ("\\a", "a"), ("a\\ b", "a b"), ("é", "é"), ("??", "é"), ("**/**/a", "a"),
    ("***/a", "x/y/a"), ("a/*/c", "a/b/c"),
    // without a slash, at any depth
    ("a", "x/a"), ("a", "x/y/a"), ("*", "a/b"), ("*.c", "d/x.c"), ("**", "a"), ("a*", "x/ab"),
    ("a**b", "x/ayb"), ("/*", "a"), ("/a**b", "ax/yb"),
  ])
  func matches(pattern: String, path: String) throws {
    #expect(try matches(pattern, path) == !path.isEmpty)
  }

  @Test(arguments: [
    ("a", "b"), ("/a", "x/a"), ("/*", "a/b"), ("/*.c", "d/x.c"), ("?", "ab"), ("?", ""),
    ("b/a", "x/b/a"), ("a**b", "ax/yb"), ("a", "a/x"),
    ("a/**", "a"), ("a/**", "b/c"), ("**/b", "xb"), ("**/b", "x/yb"), ("a/**/b", "axb"),
    ("[ab]", "c"), ("[!a]", "a"), ("[a-c]", "d"), ("a[/]b", "a/b"), ("a[!x]b", "a/b"),
    ("a?b", "a/b"), ("\\*", "a"), ("A", "a"), ("a/*/c", "a/c"), ("*/b", "x/y/b"),
    ("[[:digit:]]", "a"), ("a/", "a"),
  ])
  func doesNotMatch(pattern: String, path: String) throws {
    #expect(try !matches(pattern, path))
  }

  @Test func slashAtTheEndMeansFolders() throws {
    #expect(try matches("a/", "a", isFolder: true))
    #expect(try matches("**/a/", "x/a", isFolder: true))
    // A trailing slash doesn't anchor a glob.
    #expect(try matches("a/", "x/a", isFolder: true))
    #expect(try !matches("a/", "x/a"))
    #expect(try !matches("/a/", "x/a", isFolder: true))
    #expect(try matches("/a/", "a", isFolder: true))
    #expect(try !matches("**/a/", "x/a"))
  }

  /// Globs written to files keep their meaning in every version.
  @Test(arguments: [
    ("a", "**/a"), ("a/", "**/a/"), ("*.o", "**/*.o"), ("/a", "/a"), ("a/b", "a/b"),
    ("**/a", "**/a"), ("/a/", "/a/"),
  ])
  func readsGlobsFromFiles(typed: String, kept: String) {
    #expect(Selection.ageless(Array(typed.utf8)) == Array(kept.utf8))
    #expect(Selection.modern(Array(kept.utf8)) == Array(kept.utf8))
    if !typed.dropLast().contains("/") {
      #expect(Selection.modern(Array(typed.utf8)) == Array("/\(typed)".utf8))
    }
  }

  @Test func signaturesFollowTheMeaning() throws {
    func signature(_ glob: String) throws -> [UInt8] {
      var selection = Selection()
      try selection.exclude(Array(glob.utf8))
      return selection.signature
    }
    #expect(try signature("a") == signature("**/a"))
    #expect(try signature("a") != signature("/a"))
    // In older parts, `exclude a` means what `/a` means today.
    #expect(try !signature("a").starts(with: Array("exclude a".utf8)))
  }

  @Test func anyBytesMatch() throws {
    var selection = Selection()
    try selection.exclude([0xFF, UInt8(ascii: "*"), 0x80])
    #expect(leavesOut(selection, file: [0xFF, 0x0A, 0x80]))
    #expect(!leavesOut(selection, file: [0xFF, 0x0A, 0x81]))
  }

  @Test(arguments: [
    ("", Selection.GlobError.empty), ("/", .impossible), ("a//b", .impossible),
    ("./a", .impossible),
    ("a/../b", .impossible), ("[a", .openSet), ("[]", .openSet), ("[!]", .openSet),
    ("[[:x:]]", .unknownClass), ("a\\", .danglingEscape),
  ])
  func refusesMalformedGlobs(pattern: String, reason: Selection.GlobError) {
    #expect(!reason.description.isEmpty)
    #expect(throws: reason) { try PathRule(glob: Array(pattern.utf8), keeps: false) }
  }

  @Test func namesHaveNoSlash() {
    #expect(throws: Selection.GlobError.slashInName) { try PathRule(name: Array("a/b".utf8)) }
  }

  /// A matcher that backtracks would need nearly endless time.
  @Test(arguments: [20, 500])
  func stubbornPatternsEnd(count: Int) throws {
    let text = String(repeating: "a", count: 5000)
    for piece in ["*a", "**a", "*[ab]", "**/*a", "?*"] {
      let pattern = String(repeating: piece, count: count)
      #expect(try !matches(pattern + "b", text))
      #expect(try !matches("x/" + pattern + "b", "x/" + text))
    }
  }

  /// The automaton agrees with a literal reading of the definition.
  @Test func agreesWithTheDefinition() throws {
    let property = Property<(pattern: String, text: String)>(
      "matches by definition",
      generate: { generator in
        let pieces = ["a", "b", "/", "*", "**", "**/", "?", "[ab]", "[!a]", "/**/"]
        let count = generator.number(in: 1...7)
        let pattern = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
        let text = (0..<generator.number(in: 0...8)).map { _ in
          ["a", "b", "c", "/"].randomElement(using: &generator) ?? ""
        }
        return (pattern.joined(), text.joined())
      },
      shrink: { value in
        value.text.indices.map { index in
          var text = value.text
          text.remove(at: index)
          return (value.pattern, text)
        }
      },
      fault: { value in
        let glob = try Glob(parsing: Array(value.pattern.utf8), .plain)
        let long = Glob(tokens: glob.tokens + Array(repeating: .star, count: 70))
        let expected = Definition.matches(glob.tokens[...], Array(value.text.utf8)[...])
        if glob.matches(Array(value.text.utf8).span) != expected { return "not \(expected)" }
        let longExpected = Definition.matches(
          (glob.tokens + [.star])[...], Array(value.text.utf8)[...])
        return long.matches(Array(value.text.utf8).span) == longExpected ? nil : "long"
      })
    let found = try property.counterexample(cases: 3000)
    #expect(found == nil, "\(found?.description ?? "")")
  }
}

/// Matches a pattern by trying everything.
private enum Definition {
  static func matches(_ tokens: ArraySlice<Glob.Token>, _ text: ArraySlice<UInt8>) -> Bool {
    guard let token = tokens.first else { return text.isEmpty }
    let slash = UInt8(ascii: "/")
    let rest = tokens.dropFirst()
    switch token {
    case .literal(let byte): return text.first == byte && matches(rest, text.dropFirst())
    case .set(let set):
      return text.first.map(set.contains) ?? false && matches(rest, text.dropFirst())
    case .star, .anything:
      if matches(rest, text) { return true }
      guard let byte = text.first, byte != slash || token == .anything else { return false }
      return matches(tokens, text.dropFirst())
    case .folders: return matches(rest.dropFirst(), text) || matches(rest, text)
    case .folderLoop:
      guard let byte = text.first else { return false }
      return (byte == slash && matches(rest, text.dropFirst()))
        || matches(tokens, text.dropFirst())
    }
  }
}
