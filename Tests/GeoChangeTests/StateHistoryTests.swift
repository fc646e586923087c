import GeoCore
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoChange

/// Lives over several states are those of the nodes of each state.
@Suite struct StateHistoryTests {
  private func world(_ states: [MemoryState], threads: Int = 2) async throws -> HistoryWorld {
    var history = StateHistory(
      states.map { [MemorySource($0).root()] }, times: states.indices.map { Int64($0) })
    history.scan.threads = threads
    return try await history.world(layout: .settled, keepsEvents: true) { _ in }
  }

  /// The nodes of a state as paths; folders end in a slash.
  private static func nodes(_ state: MemoryState) -> Set<String> {
    Set(state.entries.map { $0.value == .folder ? "r/\($0.key)/" : "r/\($0.key)" }).union(["r/"])
  }

  private func fault(_ states: [MemoryState]) async throws -> String? {
    let history = try await world(states).history
    var present: [Set<String>] = Array(repeating: [], count: states.count)
    var happened: [String: Int] = [:]
    for life in history.lives {
      let isFolder = history.nodes[Int(life.node)].isFolder
      let path = String(decoding: history.path(of: Int(life.node)), as: UTF8.self)
      let name = path + (isFolder ? "/" : "")
      let end = life.end < 0 ? states.count : Int(life.end)
      for state in Int(life.start)..<end {
        if !present[state].insert(name).inserted { return "\(name) lives twice in \(state)" }
      }
      let own = path == "r" ? "" : String(path.dropFirst(2))
      var changes = 1
      for state in (Int(life.start) + 1)..<max(end, Int(life.start) + 1) where !isFolder {
        if states[state].entries[own] != states[state - 1].entries[own] { changes += 1 }
      }
      if Int(life.changes) != changes { return "\(name) changes \(life.changes) times" }
      if !isFolder { happened[path, default: 0] += changes + (life.end < 0 ? 0 : 1) }
      let size: Int64 =
        if isFolder {
          Int64(states[end - 1].names(in: own).count)
        } else if case .file(_, let size, _, _)? = states[end - 1].entries[own] { size } else { -1 }
      if life.facts.size != size { return "\(name) has the size \(life.facts.size), not \(size)" }
    }
    for (number, state) in states.enumerated() where present[number] != Self.nodes(state) {
      return "in state \(number) there live \(present[number].sorted())"
    }
    let events = Dictionary(grouping: history.events) {
      String(decoding: history.path(of: Int($0.node)), as: UTF8.self)
    }.mapValues(\.count)
    return events == happened ? nil : "events are \(events), not \(happened)"
  }

  @Test func livesFollowFromTheStates() async throws {
    for seed in TestScale.seeds(40) {
      var random = SeededGenerator(seed: seed)
      var states: [MemoryState] = []
      for _ in 0..<random.number(in: 1...3) {
        let pair = StatePair.random(mayFail: false, using: &random)
        states += [pair.old, pair.new]
      }
      if let fault = try await fault(states) { Issue.record("seed \(seed): \(fault)") }
    }
  }

  @Test func unreadableFoldersStayAlive() async throws {
    var state = MemoryState()
    state.entries = [
      "d": .folder, "d/f": .file(kind: .regular, size: 1, seconds: 1, nanoseconds: 0),
    ]
    var closed = state
    closed.remove("d")
    closed.entries["d"] = .closed
    let history = try await world([state, closed, state]).history
    #expect(history.lives.count == 3)
    #expect(history.lives.allSatisfy { $0.start == 0 && $0.end == -1 && $0.changes == 1 })
  }
}
