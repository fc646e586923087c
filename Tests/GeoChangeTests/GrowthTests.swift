import GeoCore
import GeoTree
import TestSupport
import Testing

@testable import GeoChange

/// What grew and shrank, against the definition.
@Suite struct GrowthTests {
  private func tree(_ pair: StatePair, measure: SizeMeasure? = nil) async throws -> ChangeTree {
    var comparison = Comparison(
      old: [MemorySource(pair.old).root()], new: [MemorySource(pair.new).root()])
    comparison.measure = measure
    comparison.keepsSums = true
    comparison.memory = 0
    var batches = try await comparison.start().makeAsyncIterator()
    while try await batches.next(isolation: nil) != nil {}
    return try batches.finish()
  }

  private func rows(_ tree: ChangeTree) -> [GrowthRow] {
    let rows = GrowthRows(tree, top: .max)
    return rows.grown + rows.shrunk
  }

  private func fault(_ pair: StatePair, _ measure: SizeMeasure) async throws -> String? {
    let tree = try await tree(pair, measure: measure)
    let model = SizeModel(pair, measure)
    for number in tree.folders.indices {
      let path = text(tree.path(of: number))
      let change = tree.growth(of: number)?.all.change ?? 0
      if change != model.change(of: path) {
        return "\(path) has \(change), \(model.change(of: path)) expected"
      }
      let sums = tree.sums(ofFolder: number)
      let sizes = [sums?.old.bytes(measure), sums?.new.bytes(measure)]
      if sizes != [model.old.bytes(below: path), model.new.bytes(below: path)] {
        return "\(path) has the sizes \(sizes)"
      }
      let files = [sums?.old.files, sums?.new.files].map { $0.map { Int($0) } }
      if files != [model.old.files(below: path).count, model.new.files(below: path).count] {
        return "\(path) has \(files) files"
      }
    }
    let rows = rows(tree)
    let wholes = rows.filter { $0.part == .folder }.map { text($0.path) }
    for row in rows {
      let path = text(row.path)
      if wholes.contains(where: { path.hasPrefix($0 + "/") || $0 == path && row.part != .folder }) {
        return "\(path) is in another row"
      }
      let expected =
        switch row.part {
        case .folder: model.change(of: path)
        case .files: model.ownChange(of: path)
        case .names: Int64(row.bytes)
        }
      if row.bytes != expected { return "\(path) is \(row.bytes), \(expected) expected" }
    }
    let sum = rows.reduce(0) { $0 + $1.bytes }
    return sum == model.change(of: "r") && sum == tree.totalGrowth
      ? nil : "the rows are \(sum), \(model.change(of: "r")) expected"
  }

  @Test func rowsAreDisjointAndComplete() async throws {
    try await StatePair.check("growth", cases: 150, mayFail: false) { pair in
      try await fault(pair, .bytes)
    }
  }

  @Test func filesWithSeveralNamesCountOnceInEachFolder() async throws {
    try await StatePair.check("growth with links", cases: 200, mayFail: false) { pair in
      let pair = pair.linked
      if let found = try await fault(pair, .bytes) { return found }
      return try await fault(pair, .allocated)
    }
  }

  @Test func rowsFollowTheDefinition() async throws {
    try await StatePair.check("rows", cases: 200, mayFail: false) { pair in
      let tree = try await tree(pair)
      let found = Set(rows(tree).map { "\($0.part) \(text($0.path))" })
      let expected = SizeModel(pair, .bytes).rows
      return found == expected ? nil : "\(found.sorted()) are found, \(expected.sorted()) expected"
    }
  }

  // MARK: Cases

  private func state(_ files: [String: Int64]) -> MemoryState {
    var state = MemoryState()
    state.room = 1
    for (path, size) in files {
      state.entries[path] = .file(kind: .regular, size: size, seconds: 1, nanoseconds: 0)
      var parts = path.split(separator: "/").dropLast()
      while !parts.isEmpty {
        state.entries[parts.joined(separator: "/")] = .folder
        parts.removeLast()
      }
    }
    return state
  }

  @Test func hardLinkedCopiesAddNothing() async throws {
    let old = state(["a/x": 700, "a/y": 50, "z": 1])
    var new = state(["a/x": 700, "a/y": 50, "b/x": 700, "b/y": 50, "z": 1])
    new.inodes = ["a/x": 1, "b/x": 1, "a/y": 2, "b/y": 2]
    let tree = try await tree(StatePair(old: old, new: new))
    let summary = ChangeSummary(tree, top: 5)
    #expect(tree.totalGrowth == 0 && summary.added.bytes == 0 && summary.added.files == 2)
    #expect(summary.grown.isEmpty && summary.shrunk.isEmpty && summary.largest.isEmpty)
    // Where something else grew, the copy is a row, and what counts once another.
    new.entries["new"] = .file(kind: .regular, size: 9, seconds: 1, nanoseconds: 0)
    let more = rows(try await self.tree(StatePair(old: old, new: new)))
    #expect(
      more.map { "\($0.part) \(text($0.path)) \($0.bytes)" } == [
        "folder r/b 750", "files r 9", "names r -750",
      ])
  }

  @Test func sparseFilesUseNoSpace() async throws {
    let old = state(["x": 5])
    var new = state(["x": 5])
    new.entries["x"] = .file(kind: .regular, size: 1 << 40, seconds: 2, nanoseconds: 0)
    let pair = StatePair(old: old, new: new)
    #expect(try await tree(pair, measure: .bytes).totalGrowth == 1 << 40 - 5)
    // A file system that reports no room for any file knows none.
    var other = pair
    (other.old.room, other.new.room) = (0, 0)
    #expect(try await tree(other).measure == .bytes)
    #expect(try await tree(pair).measure == .allocated)
  }

  @Test func renamedFoldersNameTheOtherPath() async throws {
    let pair = StatePair(
      old: state(["t/a/f": 5000, "t/a/in/g": 300]), new: state(["t/b/f": 5000, "t/b/in/g": 300]))
    let rows = GrowthRows(try await tree(pair), top: 5)
    #expect(rows.grown.map { text($0.path) } == ["r/t/b"])
    #expect(rows.grown.first?.moved == 5300)
    #expect(rows.grown.first?.otherPath.map(text) == "r/t/a")
    #expect(rows.shrunk.first?.moved == 5300)
    #expect(rows.shrunk.first?.otherPath.map(text) == "r/t/b")
  }

  @Test func sumsSaturate() async throws {
    var old = state(["a/x": .max, "a/y": .max])
    old.room = 1
    let tree = try await tree(StatePair(old: old, new: state(["b": 0])))
    let summary = ChangeSummary(tree, top: 5)
    #expect(summary.removed.bytes == .max)
    #expect(summary.shrunk.first?.bytes == .min)
    #expect(tree.totalGrowth == .min)
    #expect(summary.deleted.first?.bytes == .max)
  }

  @Test func timesCanBeIgnored() async throws {
    let old = state(["a": 5, "b": 6])
    var new = old
    new.entries["a"] = .file(kind: .regular, size: 5, seconds: 9, nanoseconds: 0)
    new.entries["b"] = .file(kind: .regular, size: 7, seconds: 1, nanoseconds: 0)
    var comparison = Comparison(old: [MemorySource(old).root()], new: [MemorySource(new).root()])
    comparison.ignoresTimes = true
    var batches = try await comparison.start().makeAsyncIterator()
    while try await batches.next(isolation: nil) != nil {}
    let summary = ChangeSummary(try batches.finish(), top: 0)
    #expect(summary.changed.files == 1 && summary.changed.bytes == 1)
  }
}

private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

/// Sizes by the definition, without any order.
private struct SizeModel {
  struct Side {
    /// What identifies each file, and its size, by path.
    let all: [String: (identity: String, bytes: Int64)]

    init(_ state: MemoryState, _ measure: SizeMeasure) {
      var all: [String: (String, Int64)] = [:]
      for (path, entry) in state.entries {
        guard case .file(_, let size, _, _) = entry else { continue }
        all["r/" + path] = (
          state.inodes[path].map { "#\($0)" } ?? path,
          measure == .allocated ? size * state.room : size
        )
      }
      self.all = all
    }

    func files(below folder: String) -> [String: Int64] {
      let found = all.filter { $0.key.hasPrefix(folder + "/") }.values
      return Dictionary(found.map { ($0.identity, $0.bytes) }) { first, _ in first }
    }

    func bytes(below folder: String) -> Int64 {
      files(below: folder).values.reduce(0, +)
    }

    func ownBytes(of folder: String) -> Int64 {
      let own = all.filter { path, _ in
        path.hasPrefix(folder + "/") && !path.dropFirst(folder.count + 1).contains("/")
      }.values
      return Dictionary(own.map { ($0.identity, $0.bytes) }) { first, _ in first }.values
        .reduce(0, +)
    }
  }

  let old: Side
  let new: Side
  private let pair: StatePair

  init(_ pair: StatePair, _ measure: SizeMeasure) {
    (old, new) = (Side(pair.old, measure), Side(pair.new, measure))
    self.pair = pair
  }

  func change(of folder: String) -> Int64 { new.bytes(below: folder) - old.bytes(below: folder) }

  func ownChange(of folder: String) -> Int64 { new.ownBytes(of: folder) - old.ownBytes(of: folder) }

  /// The rows of states without links, by the words of the definition.
  var rows: Set<String> {
    var found: Set<String> = []
    look("r", &found)
    return found
  }

  private func parts(of folder: String) -> [String] {
    let below = folder == "r" ? "" : String(folder.dropFirst(2))
    let names = [pair.old, pair.new].flatMap { $0.names(in: below) }
      .filter { $0.entry == .folder }.map(\.name)
    return Set(names).map { "\(folder)/\($0)" }
  }

  /// The sum of gain and loss.
  private func turnover(of folder: String) -> Int64 {
    let paths = Set(old.all.keys).union(new.all.keys).filter { $0.hasPrefix(folder + "/") }
    return paths.reduce(0) { $0 + abs((new.all[$1]?.bytes ?? 0) - (old.all[$1]?.bytes ?? 0)) }
  }

  private func isWhole(_ folder: String) -> Bool {
    let path = String(folder.dropFirst(2))
    return pair.old.hasFolder(path) != pair.new.hasFolder(path)
  }

  private func look(_ folder: String, _ found: inout Set<String>) {
    if ownChange(of: folder) != 0 {
      found.insert((parts(of: folder).isEmpty ? "folder " : "files ") + folder)
    }
    for part in parts(of: folder) {
      let all = change(of: part)
      let inner = parts(of: part).map { change(of: $0) } + [ownChange(of: part)]
      let hasMost = inner.contains { $0 * all > 0 && 5 * abs($0) >= 4 * abs(all) }
      if isWhole(part) || 4 * abs(all) >= 3 * turnover(of: part) && !hasMost {
        if all != 0 { found.insert("folder \(part)") }
      } else {
        look(part, &found)
      }
    }
  }
}

extension StatePair {
  /// The same with files of one content as names of one or two files, in both states.
  fileprivate var linked: StatePair {
    var pair = self
    (pair.old.room, pair.new.room) = (3, 3)
    var seed: UInt64 = 0
    func link(_ state: inout MemoryState, like other: MemoryState?) {
      for path in state.entries.keys.sorted() {
        guard let entry = state.entries[path],
          case .file(let kind, let size, let time, let part) = entry
        else { continue }
        seed += 1
        if other?.entries[path] == entry, let known = other?.inodes[path], seed % 5 > 0 {
          state.inodes[path] = known
          continue
        }
        let content = UInt64(size * 100 + time * 10) + UInt64(part) + (kind == .regular ? 0 : 1000)
        if seed % 3 > 0 { state.inodes[path] = 1 + 2 * content + seed % 2 }
      }
    }
    link(&pair.old, like: nil)
    link(&pair.new, like: pair.old)
    return pair
  }
}
