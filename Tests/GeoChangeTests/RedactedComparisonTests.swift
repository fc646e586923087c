import GeoChange
import GeoCore
import GeoPipeline
import GeoTree
import TestSupport
import Testing

/// Comparisons of sources with replaced names, and the folder that holds all differences.
@Suite struct RedactedComparisonTests {
  private func tree(_ old: [ScanRoot], _ new: [ScanRoot]) async throws -> ChangeTree {
    var batches = try await Comparison(old: old, new: new).start().makeAsyncIterator()
    while try await batches.next(isolation: nil) != nil {}
    return try batches.finish()
  }

  /// The sums of what differs. Without object ids moves count as added and removed: where several
  /// files have one size and time, only names show which of them moved.
  private func amounts(_ tree: ChangeTree, by knowledge: ContentKnowledge) -> [Int64] {
    let summary = ChangeSummary(tree, top: 0)
    let (moved, hasIDs) = (summary.moved, knowledge == .objects)
    var amounts: [Int64] = []
    for amount in [summary.added, summary.removed] {
      let files = amount.files + (hasIDs ? 0 : moved.files)
      let bytes = amount.bytes + (hasIDs ? 0 : moved.bytes)
      amounts += [Int64(files), Int64(amount.folders), bytes]
    }
    amounts += [Int64(summary.changed.files), summary.changed.bytes]
    if hasIDs { amounts += [Int64(moved.files), moved.bytes] }
    return amounts
  }

  @Test(arguments: [ContentKnowledge.seconds, .nanoseconds, .objects], ["**", "**/*a*", "none"])
  func redactedNamesDontChangeTheResult(knowledge: ContentKnowledge, glob: String) async throws {
    let key = try #require(RedactionKey(parsing: [UInt8](repeating: UInt8(ascii: "5"), count: 64)))
    let redaction = try Redaction([Array(glob.utf8)], key: key)
    try await StatePair.check("redacted states", cases: 8, mayFail: false) { pair in
      let roots = [pair.old, pair.new].map { [MemorySource($0, knowledge).root()] }
      let redacted = roots.map { redaction.roots($0, keepsObjects: true) }
      let plain = try await amounts(tree(roots[0], roots[1]), by: knowledge)
      let other = try await amounts(tree(redacted[0], redacted[1]), by: knowledge)
      return plain == other ? nil : "\(plain) became \(other)"
    }
  }

  @Test func changedFolderHoldsAllDifferences() async throws {
    try await StatePair.check("the changed folder", cases: 40, mayFail: false) { pair in
      let found = try await tree(
        [MemorySource(pair.old, .nanoseconds).root()], [MemorySource(pair.new, .nanoseconds).root()]
      ).changedFolder
      let parents = try await written(pair).nodes.filter { !$0.value.change.isEmpty }
        .map { $0.key.path.split(separator: "/").dropLast().map(String.init) }
      var common = parents.first
      for parent in parents {
        common = common.map { zip($0, parent).prefix { $0 == $1 }.map(\.0) }
      }
      let expected = common.map { $0.map { Array($0.utf8) } }
      return found == expected ? nil : "\(found ?? []) instead of \(common ?? [])"
    }
  }
}
