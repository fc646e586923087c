import Foundation
import TestSupport
import Testing

/// `--gitignore` agrees with git.
@Suite(.enabled(if: GitWorkTree.hasGit, "needs git"))
struct GitignoreTests {
  /// The difference between the map of a folder and git's answer; nil if they agree.
  private func difference(_ tree: GitWorkTree, _ made: GitCase) throws -> String? {
    let paths = made.paths
    let ignored = try tree.ignored(paths)
    let slash: [UInt8] = [UInt8(ascii: "/")]
    let prefix = made.root.isEmpty ? [] : made.root + slash
    let expected = paths.filter { $0.starts(with: prefix) && !ignored.contains($0) }
    let rules = made.rules.keys.filter { !$0.hasPrefix(".git/") }.map { Array($0.utf8) }
    let mapped = try tree.mapped(Array("\(tree.top)/".utf8) + made.root)
    // Rule files are part of the tree, but not of the case.
    let found = Set(mapped.map { prefix + $0 }).subtracting(rules)
    let whole = expected.subtracting(rules)
    if found == whole { return nil }
    func text(_ paths: Set<[UInt8]>) -> String {
      paths.map { String(decoding: $0, as: UTF8.self) }.sorted().joined(separator: ", ")
    }
    return "ignored by git only: \(text(found.subtracting(whole))); "
      + "ignored by us only: \(text(whole.subtracting(found)))"
  }

  /// The work tree of these tests, and those that `GEOMAPPER_TEST_REPOSITORIES` lists, separated by
  /// colons.
  private static let repositories: [String] = {
    let variable = ProcessInfo.processInfo.environment["GEOMAPPER_TEST_REPOSITORIES"]
    let named = variable?.split(separator: ":").map { String($0) } ?? []
    return named + [URL(fileURLWithPath: #filePath).deletingLastPathComponent().path]
  }()

  @Test func agreesOnRealRepositories() throws {
    for directory in Self.repositories {
      let found = try Subprocess.run(
        "/usr/bin/env", ["git", "rev-parse", "--show-toplevel"], in: directory)
      let top = found.text.split(separator: "\n").first.map { String($0) }
      guard found.status == 0, let top else { continue }
      // Nested work trees have separate rules, and build folders are too large to check.
      let list = try Subprocess.run(
        "/usr/bin/find",
        [
          ".", "-mindepth", "1", "-name", ".git", "-prune", "-o", "-printf", "%P\\0", "-type", "d",
          "(", "-name", ".build", "-o", "-exec", "test", "-e", "{}/.git", ";", ")", "-prune",
        ], in: top)
      let paths = Set(list.output.split(separator: 0).map { Array($0) })
      let tree = try GitWorkTree()
      let ignored = try tree.ignored(paths, in: top)
      let mapped = try tree.mapped(Array(top.utf8))
      #expect(mapped.intersection(paths) == paths.subtracting(ignored), "\(top)")
      #expect(!paths.isEmpty)
    }
  }

  @Test func agreesOnLinkedWorkTreesAndSubmodules() throws {
    let tree = try GitWorkTree()
    // A submodule has the rules of its own repository; those of the outer tree don't apply.
    try tree.folder.makeFile("top/.gitignore", "*.o\nignored/\n")
    try tree.folder.makeFile("top/sub/.git", "gitdir: ../.git/modules/sub\n")
    try tree.folder.makeFile("top/.git/modules/sub/HEAD", "x")
    try tree.folder.makeFile("top/.git/modules/sub/info/exclude", "*.s\n")
    for name in ["a.o", "a.s", "a.w"] {
      try tree.folder.makeFile("top/sub/\(name)")
      try tree.folder.makeFile("linked/\(name)")
    }
    try tree.folder.makeFile("linked/.git", "gitdir: \(tree.top)/.git/worktrees/linked\n")
    try tree.folder.makeFile("top/.git/worktrees/linked/HEAD", "x")
    try tree.folder.makeFile("top/.git/worktrees/linked/commondir", "../..\n")
    try tree.folder.makeFile("top/.git/info/exclude", "*.w\n")
    // Looks like a repository, but isn't one.
    try tree.folder.makeFolder("top/fake/.git")
    try tree.folder.makeFile("top/fake/a.o")
    #expect(
      try tree.names(tree.top) == [
        ".gitignore", "fake", "sub", "sub/a.o", "sub/a.w",
      ])
    #expect(try tree.names(tree.folder("linked")) == ["a.o", "a.s"])
    #expect(try tree.names(tree.folder.path).isSuperset(of: ["linked/a.o", "top/sub/a.o"]))
  }

  @Test func readsTheExcludesFileOfTheSettings() throws {
    let tree = try GitWorkTree()
    for name in ["top/a", "top/b", "top/c", "top/in/a", "bare/a", "bare/c"] {
      try tree.folder.makeFile(name)
    }
    try tree.folder.makeFile("home/.config/git/ignore", "a\n")
    #expect(try tree.names(tree.top) == ["b", "c", "in"])
    #expect(try tree.names(tree.folder("bare")) == ["c"])
    try tree.folder.makeFile("home/config", "[include]\n  path = more\n")
    try tree.folder.makeFile("home/more", "[core]\n  excludesFile = ~/mine\n")
    try tree.folder.makeFile("home/mine", "b\n")
    #expect(try tree.names(tree.top) == ["a", "c", "in", "in/a"])
    try tree.folder.makeFile("top/.git/config", "[core]\n\texcludesfile = \"../c-rules\"\n")
    try tree.folder.makeFile("c-rules", "/c\n")
    #expect(try tree.names(tree.top) == ["a", "b", "in", "in/a"])
    #expect(try tree.names(tree.folder("top/in")) == ["a"])
  }

  @Test func onlyRegularReadableRulesApply() throws {
    let tree = try GitWorkTree()
    try tree.folder.makeFile("top/a")
    try tree.folder.makeFile("rules", "a\n")
    // As in git, links are not followed, and pipes are not read.
    try tree.folder.makeLink("top/.gitignore", to: "../rules")
    #expect(try tree.names(tree.top) == [".gitignore", "a"])
    try tree.folder.makeFolder("top/in")
    try tree.folder.makePipe("top/in/.gitignore")
    #expect(try tree.names(tree.folder("top/in")) == [".gitignore"])
    guard let launcher = Geomapper.unprivileged else { return }
    try tree.folder.makeFile("top/locked/.gitignore", "a\n")
    try tree.folder.setMode("top/locked/.gitignore", 0)
    let outcome = try Geomapper.run(
      ["map", "--gitignore", tree.folder("top/locked")], launcher: launcher)
    #expect(outcome.status == 1)
    #expect(outcome.errorText == "geomapper: locked/.gitignore: Permission denied\n")
  }

  @Test func agreesOnGeneratedTrees() throws {
    let property = Property(
      "ignores what git ignores", generate: { GitCase.random(&$0) }, shrink: { $0.smaller },
      fault: { try difference(GitWorkTree($0), $0) })
    let found = try property.counterexample(cases: 40)
    #expect(found == nil, "\(found?.description ?? "")")
  }
}
