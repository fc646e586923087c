import GeoCore
import GeoFormats

/// Which files that a state removed and added are one file that moved, by the rule of comparisons
/// (``MovePairs``).
struct HistoryMoves: Sendable {
  /// The node of the old path, by the event at the new one.
  private var origins: [Key: Int32] = [:]
  private var left: Set<Key> = []

  private struct Key: Hashable {
    let state, node: Int32

    init(state: Int32, node: Int32) { (self.state, self.node) = (state, node) }

    init(_ event: History.Event) { self.init(state: event.state, node: event.node) }
  }

  init() {}

  init(of history: History, where admits: (Int32) -> Bool) {
    guard history.contents.count == history.events.count else { return }
    // The contents of each file, and the number of files with each, after the last state.
    var contents = [UInt64](repeating: 0, count: history.nodes.count)
    var counts: [UInt64: Int] = [:]
    let events = history.events
    // Those of states that are not commits are in the order of the map.
    let order = events.indices.filter { admits(events[$0].node) }
      .sorted { (events[$0].state, $0) < (events[$1].state, $1) }
    var rest = order[...]
    while let first = rest.first {
      let state = events[first].state
      let indices = rest.prefix { events[$0].state == state }
      rest = rest[indices.endIndex...]
      var old: [UInt64: [Int32]] = [:]
      for index in indices {
        let event = events[index]
        let before = contents[Int(event.node)]
        counts[before, default: 0] -= 1
        if event.change == .removed { old[before, default: []].append(event.node) }
      }
      old[0] = nil
      var new: [UInt64: [Int32]] = [:]
      for index in indices where !old.isEmpty {
        let (event, content) = (events[index], Self.key(history, index))
        // A file is not moved if the same contents stay elsewhere.
        if event.change == .added, old[content] != nil, counts[content, default: 0] <= 0 {
          new[content, default: []].append(event.node)
        }
      }
      for (content, nodes) in new {
        let pairs = MovePairs.pairs(
          old[content] ?? [], nodes,
          name: { Array(history.name(of: Int($0))) }, path: { history.path(of: Int($0)) })
        for (from, to) in pairs {
          origins[Key(state: state, node: to)] = from
          left.insert(Key(state: state, node: from))
        }
      }
      for index in indices {
        let content = Self.key(history, index)
        contents[Int(events[index].node)] = content
        counts[content, default: 0] += 1
      }
    }
  }

  /// What identifies the contents of a regular file after an event; 0 if it is empty or unknown.
  private static func key(_ history: History, _ index: Int) -> UInt64 {
    let content = history.contents[index]
    return history.events[index].size == 0 || content.kind == ContentFingerprint.Kind.other.rawValue
      ? 0 : content.key
  }

  func origin(of event: History.Event) -> Int32? { origins[Key(event)] }

  func isLeft(_ event: History.Event) -> Bool {
    event.change == .removed && left.contains(Key(event))
  }
}
