import GeoCore
import GeoTree
import TestSupport
import Testing

/// How rule files are read; other tests compare with git itself.
@Suite struct IgnoreScopeTests {
  private var selection: Selection {
    var selection = Selection()
    selection.excludeIgnored()
    return selection
  }

  private func ignores(_ rules: String, _ path: String, isFolder: Bool = false) -> Bool {
    let scope = IgnoreScope().adding(Array(rules.utf8), at: [])
    return isFolder
      ? verdict(selection, folder: path, scope).reason == .gitignore
      : reason(selection, file: Array(path.utf8), scope) == .gitignore
  }

  @Test func parsesLines() {
    #expect(ignores("\u{FEFF}a", "a"))
    #expect(ignores("#a\n\n\\#b\r\n", "#b"))
    #expect(!ignores("#a\n", "#a"))
    #expect(ignores("a   ", "a"))
    #expect(ignores("a\\ ", "a "))
    #expect(ignores("\\!a", "!a"))
    #expect(ignores("a\0b", "a"))
    #expect(!ignores("!\n/\n//\n\r\n", "a"))
    #expect(!ignores("[a\na\\", "[a"))
  }

  /// Any bytes in rule files, settings and globs are read to their end.
  @Test func anyBytesAreRead() throws {
    let bytes = Array("**//[]!^-\\ab:?#\n\r\t \"=;@+.0Z".utf8) + [0, 0x80, 0xFF]
    let property = Property<[UInt8]>(
      "any bytes are read",
      generate: { generator in
        (0..<generator.number(in: 0...90)).map { _ in
          bytes.randomElement(using: &generator) ?? 0
        }
      },
      fault: { text in
        let scope = IgnoreScope().adding(text, at: [])
        let path = text.filter { $0 != 0 && $0 != UInt8(ascii: "/") } + [UInt8(ascii: "a")]
        _ = reason(selection, file: path, scope)
        var globs = Selection()
        if (try? globs.exclude(text)) != nil { _ = reason(globs, file: path) }
        if (try? globs.requireName(text)) != nil { _ = reason(globs, file: path) }
        _ = Moment.seconds(parsing: text)
        _ = Selection.SizeCondition(parsing: text)
        // Settings can't be longer than their file.
        return GitConfig.settings(in: text).count <= text.count ? nil : "made up"
      })
    let found = try property.counterexample(cases: 2000)
    #expect(found == nil, "\(found?.description ?? "")")
  }

  @Test func matchesAnchorsAndFolders() {
    #expect(ignores("a", "x/y/a"))
    #expect(ignores("/a", "a") && !ignores("/a", "x/a"))
    #expect(ignores("x/a", "x/a") && !ignores("x/a", "y/x/a"))
    #expect(ignores("a/", "x/a", isFolder: true) && !ignores("a/", "x/a"))
    #expect(!ignores("a\n!a", "a") && ignores("!a\na", "a"))
  }

  @Test func innerRulesCountFirst() {
    let outer = IgnoreScope().adding(Array("*.o\n".utf8), at: [])
    let inner = outer.adding(Array("!k.o\n/x\n".utf8), below: Array("r/d".utf8))
    #expect(reason(selection, file: Array("d/k.o".utf8), outer) == .gitignore)
    #expect(reason(selection, file: Array("d/k.o".utf8), inner) == nil)
    #expect(reason(selection, file: Array("d/l.o".utf8), inner) == .gitignore)
    #expect(reason(selection, file: Array("d/x".utf8), inner) == .gitignore)
    #expect(reason(selection, file: Array("d/e/x".utf8), inner) == nil)
  }

  @Test func rulesAboveTheRootApply() {
    let scope = IgnoreScope(above: Array("p/q".utf8))
      .adding(Array("/p/q/a\n".utf8), at: [])
      .adding(Array("q/b\n".utf8), at: Array("p".utf8))
    #expect(reason(selection, file: Array("a".utf8), scope) == .gitignore)
    #expect(reason(selection, file: Array("b".utf8), scope) == .gitignore)
    #expect(reason(selection, file: Array("x/b".utf8), scope) == nil)
    // Globs on the command line start at the root.
    var selection = Selection()
    try? selection.exclude(Array("a".utf8))
    #expect(reason(selection, file: Array("a".utf8), scope) == .pattern)
    #expect(scope.ignores(folderAt: Array("p/q/a".utf8)))
    #expect(!scope.ignores(folderAt: Array("p/q".utf8)))
  }

  @Test func gitFoldersAndIgnoredRootsAreIgnored() {
    #expect(ignores("", "x/.git") && ignores("!.git", ".git", isFolder: true))
    #expect(!ignores("", ".gitx"))
    #expect(reason(selection, file: Array("a".utf8), IgnoreScope().ignored) == .gitignore)
    #expect(reason(selection, file: Array("a".utf8), IgnoreScope().ignored.empty) == nil)
  }

  @Test func includedFoldersStayIgnored() throws {
    let scope = IgnoreScope().adding(Array("a\n".utf8), at: [])
    var selection = selection
    try selection.include(Array("?".utf8))
    #expect(
      verdict(selection, folder: "a", scope)
        == Selector.FolderVerdict(reason: nil, isIgnored: true))
    #expect(verdict(selection, folder: "b", scope).isIgnored == false)
  }
}
