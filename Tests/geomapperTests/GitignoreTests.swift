import Foundation
import TestSupport
import Testing

/// `--gitignore` says what git says.
@Suite(.enabled(if: GitWorkTree.hasGit, "needs git"))
struct GitignoreTests {
  /// What differs between the map of a folder and git, nil if nothing.
  private func difference(_ tree: GitWorkTree, _ made: GitCase) throws -> String? {
    let paths = made.paths
    let ignored = try tree.ignored(paths)
    let slash: [UInt8] = [UInt8(ascii: "/")]
    let prefix = made.root.isEmpty ? [] : made.root + slash
    let expected = paths.filter { $0.starts(with: prefix) && !ignored.contains($0) }
    let rules = made.rules.keys.filter { !$0.hasPrefix(".git/") }.map { Array($0.utf8) }
    let mapped = try tree.mapped(Array("\(tree.top)/".utf8) + made.root)
    // The files of rules are part of the tree, too, but not of the case.
    let found = Set(mapped.map { prefix + $0 }).subtracting(rules)
    let whole = expected.subtracting(rules)
    if found == whole { return nil }
    func text(_ paths: Set<[UInt8]>) -> String {
      paths.map { String(decoding: $0, as: UTF8.self) }.sorted().joined(separator: ", ")
    }
    return "ignored by git only: \(text(found.subtracting(whole))); "
      + "ignored by us only: \(text(whole.subtracting(found)))"
  }

  @Test func agreesOnGeneratedTrees() throws {
    let property = Property(
      "ignores what git ignores", generate: { GitCase.random(&$0) }, shrink: { $0.smaller },
      fault: { try difference(GitWorkTree($0), $0) })
    let found = try property.counterexample(cases: 80)
    #expect(found == nil, "\(found?.description ?? "")")
  }
}
