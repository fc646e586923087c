import GeoChange
import GeoFormats
import GeoPipeline
import GeoProjection
import GeoTree
import TestSupport

@testable import GeoDraw

/// Two states of a folder on disk, and drawings of both.
struct ComparedWorld {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for state in ["old", "new"] { try folder.makeFolder(state) }
  }

  /// Folders that are new, gone, the same, larger and smaller.
  static func usual() throws -> ComparedWorld {
    let world = try ComparedWorld()
    for state in ["old", "new"] {
      try world.file(state, "same/file", 70_000)
      try world.file(state, "grown/a/file", state == "old" ? 10_000 : 90_000)
      try world.file(state, "shrunk/file", state == "old" ? 160_000 : 40_000)
    }
    try world.file("old", "gone/file", 30_000)
    try world.file("new", "fresh/file", 25_000)
    try world.file("new", "grown/a/large.bin", 60_000)
    return world
  }

  /// The sheet of the usual states, drawn once for all tests.
  static let usualSheet = Task { try await usual().poster() }

  func file(_ state: String, _ path: String, _ size: Int) throws {
    try folder.makeFile("\(state)/\(path)", size: size)
    try folder.setModified("\(state)/\(path)", 1_700_000_000)
  }

  /// The states compared, and the totals and projection of their union.
  private struct Inputs {
    let roots: WorldRoots
    let totals: TreeTotals
    let states: ComparedStates
  }

  private func inputs(threads: Int, times: [Int64?]) async throws -> Inputs {
    func root(_ state: String) -> ScanRoot {
      ScanRoot(label: Array("world".utf8), directory: Array(folder(state).utf8))
    }
    var comparison = Comparison(old: [root("old")], new: [root("new")])
    comparison.keepsSums = true
    comparison.measure = .bytes
    comparison.scan.threads = threads
    let roots = try WorldRoots(comparison.union, .settled)
    var batches = try await comparison.start().makeAsyncIterator()
    while try await batches.next(isolation: nil) != nil {}
    let states = ComparedStates(
      try batches.finish(),
      zip(["before", "after"], times).map { MapState(name: Array($0.utf8), time: $1) }
    )
    let totals = try await TreeTotals.all(of: roots.roots, options: comparison.scan)
    return Inputs(roots: roots, totals: totals, states: states)
  }

  func poster(
    threads: Int = 2, states times: [Int64?] = [nil, nil],
    _ change: (inout PosterOptions) -> Void = { _ in }
  ) async throws -> Poster {
    let found = try await inputs(threads: threads, times: times)
    var options = PosterOptions()
    options.size = SheetSize(parsing: Array("170x120".utf8)) ?? .a3
    change(&options)
    return try Poster(
      of: found.totals, by: found.roots.engine, showing: .world, options, comparing: found.states)
  }

  func card(
    threads: Int = 2, _ change: (inout CardOptions) -> Void = { _ in }
  ) async throws -> ChangeCard {
    let found = try await inputs(threads: threads, times: [nil, nil])
    var options = CardOptions()
    options.rootFiles = found.roots.roots.map(\.listing.files)
    change(&options)
    return try ChangeCard(
      of: found.totals, by: found.roots.engine, comparing: found.states, options)
  }
}
