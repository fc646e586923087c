import Foundation
import GeoMap
import TestSupport
import Testing

/// The events of histories, and the changes between their states.
@Suite struct HistoryChangeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func git(_ arguments: String...) throws {
    let outcome = try Subprocess.run(
      "/usr/bin/git",
      ["-C", folder.path, "-c", "user.name=A", "-c", "user.email=a@a"] + arguments)
    #expect(outcome.status == 0, "\(arguments): \(outcome.text)")
  }

  /// Any events are the changes of the commits, and those of one second are in their order.
  @Test(arguments: TestScale.seeds(4)) func eventsAreTheChangesOfCommits(seed: UInt64) async throws
  {
    var generator = SeededGenerator(seed: seed)
    try git("init", "-q")
    func path() -> String { "d\(generator.number(in: 0...2))/f\(generator.number(in: 0...4))" }
    let commits = 8
    for commit in 0..<commits {
      for _ in 0..<6 {
        let (one, other) = (path(), path())
        switch generator.number(in: 0...3) {
        case 0: try? FileManager.default.removeItem(atPath: folder(one))
        case 1:
          try? FileManager.default.createDirectory(
            atPath: folder(String(other.prefix(2))), withIntermediateDirectories: true)
          try? FileManager.default.moveItem(atPath: folder(one), toPath: folder(other))
        // Some files have the contents of others; some are empty.
        default: try folder.makeFile(one, size: generator.number(in: 0...6))
        }
      }
      try git("add", "-A")
      try git(
        "commit", "-q", "--allow-empty", "-m", "\(commit)", "--date", "@1700000000 +0000")
    }
    let repository = URL(filePath: folder.path)
    let history = try await GeoHistory(of: repository, label: "r")
    #expect(history.states.count == commits)
    var events = [[String]](repeating: [], count: commits)
    var last = 0
    for await event in history.events {
      #expect(event.state >= last)
      last = event.state
      events[event.state].append(Self.line(event.change))
    }
    for state in 1..<commits {
      let revisions = (commits - state, commits - 1 - state)
      let old = try await GeoWorld(
        revision: "HEAD~\(revisions.0)", of: repository, label: "r")
      let new = try await GeoWorld(
        revision: "HEAD~\(revisions.1)", of: repository, label: "r")
      var changes: [String] = []
      for try await change in try await new.allChanges(since: old) where !change.isFolder {
        changes.append(Self.line(change))
      }
      #expect(events[state].sorted() == changes.sorted(), "seed \(seed), state \(state)")
    }
  }

  private static func line(_ change: GeoChange) -> String {
    let kind =
      switch change.kind {
      case .grew, .shrank: GeoChange.Kind.changed
      default: change.kind
      }
    return "\(kind) \(change.path) \(change.oldPath ?? "-")"
  }

  /// The same of states that are not commits.
  @Test func filesOfStatesMove() async throws {
    try folder.makeFile("old/a/file", size: 5)
    try folder.makeFile("old/same", size: 3)
    try FileManager.default.copyItem(atPath: folder("old"), toPath: folder("new"))
    for state in ["old", "new"] {
      for path in ["a/file", "same"] { try folder.setModified("\(state)/\(path)", 1_700_000_000) }
    }
    try FileManager.default.moveItem(atPath: folder("new/a/file"), toPath: folder("new/b"))
    func world(_ name: String) -> GeoWorld {
      GeoWorld(roots: [.init(label: "w", folder: URL(filePath: folder(name)))])
    }
    let history = try await GeoHistory(of: [
      .init(world("new"), date: Date(timeIntervalSince1970: 2000)),
      .init(world("old"), date: Date(timeIntervalSince1970: 1000)),
    ])
    var moves: [String] = []
    for await event in history.events where event.state == 1 {
      moves.append("\(Self.line(event.change)) \(event.change.growth ?? -1)")
    }
    #expect(moves == ["moved w/b w/a/file 0"])
  }
}
