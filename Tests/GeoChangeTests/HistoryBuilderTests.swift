import GeoCore
import TestSupport
import Testing

@testable import GeoChange

/// The lives in a history are those of the nodes of each state.
@Suite struct HistoryBuilderTests {
  /// States, each as its files with their contents; a folder of another repository ends in `/`.
  private typealias States = [[String: Int]]

  private static func random(_ random: inout SeededGenerator) -> States {
    var files: [String: Int] = [:]
    return (0..<random.number(in: 1...8)).map { _ in
      for _ in 0..<random.number(in: 0...4) {
        let names = (0..<random.number(in: 1...3)).map { _ in
          ["a", "b", "c"][random.number(in: 0...2)]
        }
        let path = names.joined(separator: "/")
        // A name is either a file or a folder.
        files = files.filter { other, _ in
          let other = other.hasSuffix("/") ? String(other.dropLast()) : other
          return other != path && !other.hasPrefix(path + "/") && !path.hasPrefix(other + "/")
        }
        switch random.number(in: 0...5) {
        case 0: break
        case 1: files[path + "/"] = 0
        default: files[path] = random.number(in: 1...3)
        }
      }
      return files
    }
  }

  /// All nodes of a state as paths; folders end in a slash.
  private static func nodes(_ files: [String: Int]) -> Set<String> {
    var nodes: Set<String> = ["r/"]
    for path in files.keys {
      let names = path.split(separator: "/")
      for count in 1..<names.count where names.count > 1 {
        nodes.insert("r/" + names[..<count].joined(separator: "/") + "/")
      }
      nodes.insert("r/" + path)
    }
    return nodes
  }

  private static func builder(_ states: States, asksForSizes: Bool = true) -> HistoryBuilder {
    var builder = HistoryBuilder(
      label: Array("r".utf8), keepsEvents: true, asksForSizes: asksForSizes)
    var before: [String: Int] = [:]
    for (number, state) in states.enumerated() {
      builder.begin(
        time: Int64(number), author: Array("author \(number % 2)".utf8), revision: [])
      for path in Set(before.keys).union(state.keys).sorted() where before[path] != state[path] {
        let mode: UInt32 = path.hasSuffix("/") ? 0o160000 : 0o100644
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        let object = Array(String(repeating: "\(state[path] ?? 0)", count: 40).utf8)
        builder.apply(
          Array(name.utf8), oldMode: before[path] == nil ? 0 : mode,
          newMode: state[path] == nil ? 0 : mode, object: object.span)
      }
      before = state
    }
    return builder
  }

  private static func history(_ states: States) -> History { builder(states).finish().0 }

  private static func fault(_ states: States) -> String? {
    let history = history(states)
    var present: [Set<String>] = Array(repeating: [], count: states.count)
    var changes: [String: Int] = [:]
    for life in history.lives {
      let node = history.nodes[Int(life.node)]
      let path = String(decoding: history.path(of: Int(life.node)), as: UTF8.self)
      let name = path + (node.isFolder ? "/" : "")
      let end = life.end < 0 ? states.count : Int(life.end)
      for state in Int(life.start)..<end {
        if !present[state].insert(name).inserted { return "\(name) lives twice in \(state)" }
      }
      if !node.isFolder {
        let own = String(path.dropFirst(2))
        var count = 1
        for state in (Int(life.start) + 1)..<max(end, Int(life.start) + 1)
        where states[state][own] != states[state - 1][own] {
          count += 1
        }
        if Int(life.changes) != count {
          return "\(name) changes \(life.changes) times, not \(count)"
        }
        changes[name, default: 0] += count + (life.end < 0 ? 0 : 1)
      } else if life.facts.size >= 0 {
        let inner = present.indices.contains(end - 1) ? nodes(states[end - 1]) : []
        let entries = inner.count { other in
          other != name && other.hasPrefix(name)
            && !other.dropFirst(name.count).dropLast().contains("/")
        }
        if Int(life.facts.size) != entries {
          return "\(name) has \(life.facts.size) entries, not \(entries)"
        }
      }
    }
    for (state, files) in states.enumerated() where present[state] != nodes(files) {
      return "in state \(state) \(present[state].sorted()) live, not \(nodes(files).sorted())"
    }
    let events = Dictionary(grouping: history.events) {
      String(decoding: history.path(of: Int($0.node)), as: UTF8.self)
    }
    if events.mapValues(\.count) != changes { return "events are \(events.mapValues(\.count))" }
    return nil
  }

  @Test func livesFollowFromTheStates() throws {
    let property = Property<States>("lives") {
      Self.random(&$0)
    } shrink: { states in
      states.indices.map { index in
        var fewer = states
        fewer.remove(at: index)
        return fewer
      }
    } fault: {
      Self.fault($0)
    }
    if let found = try property.counterexample(cases: 300) { Issue.record("\(found)") }
  }

  @Test func requestsSizesOnlyOnDemand() {
    let states: States = [["a": 1], ["a": 2, "b/c": 1], ["b/c": 3]]
    let (history, objects) = Self.builder(states).finish()
    #expect(objects.count == 4 * 41)
    let (other, none) = Self.builder(states, asksForSizes: false).finish()
    #expect(none.isEmpty)
    #expect(other.events.map(\.node) == history.events.map(\.node))
    #expect(other.lives.map(\.changes) == history.lives.map(\.changes))
  }

  @Test func timesNeverGoBack() {
    var builder = HistoryBuilder(label: Array("r".utf8), keepsEvents: false)
    for time: Int64 in [5, 3, 9, 8] { builder.begin(time: time, author: [], revision: []) }
    #expect(builder.finish().0.states.map(\.time) == [5, 5, 9, 9])
  }
}
