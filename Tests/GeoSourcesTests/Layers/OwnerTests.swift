import GeoCore
import GeoSystem
import GeoTree
import TestSupport
import Testing

@testable import GeoSources

/// Layers of owners: of accounts, of `CODEOWNERS`, and of git.
@Suite struct OwnerTests {
  @Test func accounts() throws {
    let made = try LayerCase()
    let layers = try made.open("owner", "group")
    #expect(layers.needsStorage)
    func values(_ owner: UInt32, _ group: UInt32, allocated: Int64 = 0) -> [String] {
      layers.values(
        at: Array("r/a".utf8),
        storage: FileStorage(
          identity: FileIdentity(device: 1, inode: 1), allocated: allocated, owner: owner,
          group: group))
    }
    #expect(values(0, 0) == ["root", "root"])
    #expect(values(4_123_456_789, 4_123_456_788) == ["4123456789", "4123456788"])
    #expect(values(FileStorage.unknownOwner, 0) == ["-", "root"])
    #expect(values(0, 0, allocated: -1) == ["-", "-"])
  }

  @Test func rulesOfCodeowners() throws {
    let made = try LayerCase()
    try made.folder.makeFile(
      "r/.github/CODEOWNERS",
      """
      # The last rule wins.
      *       @all
      *.js    @js # and a comment
      /build/logs/ @doctocat
      docs/*  docs@example.com\t@docs
      apps/   @octocat
      /apps/github
      **/logs @octo
      [Section]
      !x @none
      with\\ space.txt  @space\r
      a?.[ch] @c
      """)
    let layers = try made.open("@r/.github/CODEOWNERS")
    #expect(layers.shapes == ["codeowners:share"])
    for (path, owners) in [
      ("x", "@all"), ("a/b.js", "@js"), ("build/logs", "@octo"), ("build/logs/a/b.js", "@octo"),
      ("docs/a", "docs@example.com @docs"), ("docs/a/b", "@all"), ("x/docs/a", "@all"),
      ("x/apps/y.js", "@octocat"), ("apps/github", "-"), ("apps/github/a/b", "-"),
      ("with space.txt", "@space"), ("a/ab.c", "@c"), ("a/abc.c", "@all"),
    ] {
      #expect(layers.values("r/\(path)") == owners, "\(path)")
    }
    // Roots above and below the rules' folder.
    let above = ScanRoot(label: Array("t".utf8), directory: Array(made.folder.path.utf8))
    let below = ScanRoot(
      label: Array("docs".utf8), directory: Array(try made.folder.makeFolder("r/docs").utf8))
    let both = try made.open("@r/.github/CODEOWNERS", roots: [above, below])
    #expect(both.values("t/r/docs/a") == "docs@example.com @docs")
    #expect(both.values("t/x.js") == "-")
    #expect(both.values("docs/a") == "docs@example.com @docs")
    #expect(both.values("docs/b/a") == "@all")
  }

  /// The last rule that matches a path or a folder above it has the owner.
  @Test func lastRuleWins() throws {
    let parts = ["a", "b", "*", "**", "?", "[ab]", "a*"]
    let made = try LayerCase()
    let property = Property<[String]>(
      "rules",
      generate: { generator in
        (0..<generator.number(in: 1...20)).map { _ in
          let names = (0..<generator.number(in: 1...3)).map { _ in
            parts.randomElement(using: &generator) ?? ""
          }
          return (generator.chance(0.3) ? "/" : "") + names.joined(separator: "/")
            + (generator.chance(0.3) ? "/" : "")
        }
      },
      shrink: { rules in
        rules.indices.map { index in
          rules.enumerated().filter { $0.offset != index }.map(\.element)
        }
      }
    ) { rules in
      func layers(_ lines: [String]) throws -> LayerSet {
        try made.folder.makeFile("CODEOWNERS", lines.joined(separator: "\n") + "\n")
        return try made.open("@CODEOWNERS")
      }
      let all = try layers(rules.enumerated().map { "\($1) @\($0)" })
      let single = try rules.map { try layers(["\($0) x"]) }
      for path in ["a", "b", "a/b", "ab/a", "a/b/a", "a/ab/b", "b/b/b/b"] {
        let last = single.lastIndex { $0.values("r/\(path)") == "x" }
        let found = all.values("r/\(path)")
        if found != last.map({ "@\($0)" }) ?? "-" { return "\(path): \(found)" }
      }
      return nil
    }
    #expect(try property.counterexample(cases: 100) == nil)
  }

  @Test func git() throws {
    guard (try? Subprocess.run("/usr/bin/env", ["git", "--version"]))?.status == 0 else { return }
    let made = try LayerCase()
    let script = """
      export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
      cd "$0" && git init -q . && git config user.name Ann && git config user.email a@x
      printf '1\\n2\\n' > one; mkdir sub; echo x > sub/two; printf '\\0' > bin; echo d > gone
      git add . && GIT_COMMITTER_DATE='@1000 +0000' git commit -qm 1
      git config user.name Bob; git config user.email b@x
      echo 3 >> one; git rm -q gone; git add . && GIT_COMMITTER_DATE='@2000 +0000' git commit -qm 2
      git checkout -q -b side; echo s > sub/three; git add .
      GIT_COMMITTER_DATE='@2500 +0000' git commit -qm side
      git checkout -q -; echo 4 >> one; git config user.name Annie; git config user.email a@x
      git add . && GIT_COMMITTER_DATE='@3000 +0000' git commit -qm 3
      GIT_COMMITTER_DATE='@4000 +0000' git merge -q --no-edit side
      echo 'Ann <a@x>' > .mailmap
      """
    let outcome = try Subprocess.run("/bin/sh", ["-c", script, made.folder("r")])
    #expect(outcome.status == 0)
    let asked = MapLayer.GitFact.allCases.map { MapLayer(source: .git($0, since: nil)) }
    let layers = try LayerSet.open(asked, over: [made.root])
    #expect(
      layers.shapes
        == ["commits:sum", "authors:sum", "last_author:share", "main_author:share", "lines:sum"])
    #expect(layers.values("r/one") == "3 2 Ann Ann 4")
    #expect(layers.values("r/bin") == "1 1 Ann Ann 0")
    #expect(layers.values("r/sub/two") == "1 1 Ann Ann 1")
    #expect(layers.values("r/sub/three") == "1 1 Ann Ann 1")
    #expect(layers.values("r/gone") == "- - - - -")
    #expect(try layers.unmatched().rows == 0)
    let sub = ScanRoot(label: Array("s".utf8), directory: Array(made.folder("r/sub").utf8))
    #expect(try LayerSet.open(asked, over: [sub]).values("s/three") == "1 1 Ann Ann 1")
    let late = try LayerSet.open(asked.map { $0.counting(since: 2000) }, over: [made.root])
    #expect(late.values("r/one") == "2 2 Ann Ann 2")
    #expect(late.values("r/bin") == "- - - - -")
    let source = try GitRevision(Array("HEAD~2".utf8), of: Array(made.folder("r").utf8))
    let old = ScanRoot(label: Array("r".utf8), directory: Array("HEAD~2".utf8), source: source)
    #expect(try LayerSet.open(asked, over: [old]).values("r/one") == "2 2 Bob Ann 3")
    #expect(try made.open("git:lines", roots: [made.root]).values("r/one") == "4")
    let none = try TemporaryFolder()
    let outside = ScanRoot(label: Array("n".utf8), directory: Array(none.path.utf8))
    #expect(made.refusal("git:lines", roots: [outside])?.contains("as a repository") == true)
  }
}
