import Foundation
import GeoFormats
import GeoTree
import TestSupport
import Testing

@testable import GeoChange

/// Moved files and folders, against the definition and the page.
@Suite struct MoveTests {
  private func tree(_ pair: StatePair) async throws -> ChangeTree {
    let comparison = Comparison(
      old: [MemorySource(pair.old).root("x")], new: [MemorySource(pair.new).root()])
    var batches = try await comparison.start().makeAsyncIterator()
    while try await batches.next(isolation: nil) != nil {}
    return try batches.finish()
  }

  /// The folders that moved as a whole: new paths by old ones.
  private func folderMoves(in tree: ChangeTree) -> [String: String] {
    let moves = ChangeSummary(tree, top: 1000).folderMoves
    return Dictionary(moves.map { (path($0.from), path($0.to)) }) { first, _ in "\(first) twice" }
  }

  /// The files that moved: new paths by old ones.
  private func fileMoves(in tree: ChangeTree) -> [String: String] {
    var moves: [String: String] = [:]
    for number in tree.files.indices where tree.files[number].change == .left {
      let partner = Int(tree.files[number].partner)
      moves[path(tree.path(ofFile: number))] = path(tree.path(ofFile: partner))
    }
    return moves
  }

  /// The path below the root.
  private func path(_ path: [UInt8]) -> String {
    String(decoding: path.drop { $0 != 0x2F }.dropFirst(), as: UTF8.self)
  }

  @Test func movedFoldersFollowTheDefinition() async throws {
    try await StatePair.check("folders that moved", cases: 150, mayFail: false) { pair in
      let found = folderMoves(in: try await tree(pair))
      let expected = pair.folderMoves
      return found == expected ? nil : "\(found) are found, \(expected) expected"
    }
  }

  /// Of more than some thousand files with the same contents, those with the same name are paired
  /// first.
  @Test func manyEqualFilesArePairedByName() async throws {
    var random = SeededGenerator(seed: 1)
    var pair = StatePair(old: MemoryState(), new: MemoryState())
    let file = MemoryState.Entry.file(kind: .regular, size: 5, seconds: 6, nanoseconds: 7)
    for folder in 0..<40 {
      pair.old.entries["o\(folder)"] = .folder
      pair.new.entries["n\(folder)"] = .folder
      for name in 0..<60 {
        if !random.chance(0.1) { pair.old.entries["o\(folder)/f\(name)"] = file }
        if !random.chance(0.1) { pair.new.entries["n\(folder)/f\(name)"] = file }
      }
    }
    let found = fileMoves(in: try await tree(pair))
    let expected = pair.moves
    #expect(pair.old.entries.count + pair.new.entries.count > 4200)
    #expect(found.count == expected.count)
    #expect(found == expected)
  }

  /// The page finds moves, and the folders that changed most, in a history independently; both have
  /// to pass the same cases.
  @Test func changesEqualThoseOfThePage() async throws {
    let cases = try RuleCase.all(in: "moves.json")
    #expect(cases.count >= 50)
    for one in cases {
      let states = one.list.map { state in
        var made = MemoryState()
        for (path, known) in state as? [String: Any] ?? [:] {
          let numbers = RuleCase.numbers(known)
          made.entries[path] =
            numbers.count == 2
            ? .file(
              kind: .regular, size: Int64(numbers[0]), seconds: Int64(numbers[1]), nanoseconds: 0)
            : .folder
        }
        return made
      }
      try #require(states.count == 2)
      let tree = try await tree(StatePair(old: states[0], new: states[1]))
      if one.rule == "grown" {
        let rows = GrowthRows(tree, top: 10)
        let output = one.output as? [String: [[Any]]] ?? [:]
        for (name, rows) in [("grown", rows.grown), ("shrunk", rows.shrunk)] {
          let expected = output[name]?.map { "\($0)" }
          let found = rows.map { row in
            [path(row.path), row.bytes] + (row.part == .files ? ["files"] : [])
              + (row.mostly.map { [path($0)] } ?? []) as [Any]
          }
          #expect(found.map { "\($0)" } == expected, "\(one.input)")
        }
        continue
      }
      let output = one.output as? [String: [String: String]] ?? [:]
      #expect(fileMoves(in: tree) == output["files"], "\(one.input)")
      #expect(folderMoves(in: tree) == output["folders"], "\(one.input)")
    }
  }
}

extension StatePair {
  /// The folders that moved with all their contents, found by comparing all pairs; none is below
  /// another.
  fileprivate var folderMoves: [String: String] {
    func files(_ state: MemoryState, below folder: String) -> Set<String> {
      Set(
        state.entries.compactMap { path, entry in
          guard path.hasPrefix(folder + "/"), entry != .folder else { return nil }
          return String(path.dropFirst(folder.count))
        })
    }
    func folders(_ state: MemoryState, lackedBy other: MemoryState) -> [String] {
      state.entries.keys.filter {
        state.entries[$0] == .folder && other.entries[$0] != .folder
      }.sorted()
    }
    let moves = moves
    var found: [String: String] = [:]
    for to in folders(new, lackedBy: old)
    where !found.values.contains(where: { to.hasPrefix($0 + "/") }) {
      let rests = files(new, below: to)
      let from = folders(old, lackedBy: new).first { from in
        files(old, below: from) == rests && rests.allSatisfy { moves[from + $0] == to + $0 }
      }
      if let from, !rests.isEmpty { found[from] = to }
    }
    return found
  }
}
