import GeoCore

/// What became of each file last, up to some state.
struct LatestEvents: Sendable {
  /// The states in which files came or were changed last; −1 of those of which no event tells.
  private var states: [Int32]
  /// Their bytes since; less than 0 if nobody knows.
  private var sizes: [Int64]
  /// Whether what is known of a file's life may be of a later state.
  private var isOutdated: [Bool]
  /// Whether states are revisions: files have no times of their own then.
  private let areRevisions: Bool

  /// - Complexity: O(n) for n nodes and events.
  init(of history: History, upTo state: Int) {
    states = Array(repeating: -1, count: history.nodes.count)
    sizes = Array(repeating: -1, count: history.nodes.count)
    isOutdated = Array(repeating: false, count: history.nodes.count)
    areRevisions = history.states.last.map { !$0.revision.isEmpty } ?? false
    for event in history.events where event.change != .removed {
      let node = Int(event.node)
      if event.state > state {
        isOutdated[node] = true
      } else if event.state >= states[node] {
        (states[node], sizes[node]) = (event.state, event.size)
      }
    }
  }

  /// Puts what is known of a file's last life right for the state.
  func complete(_ facts: inout EntryFacts, of node: Int, in history: History) {
    guard states[node] >= 0 else { return }
    if areRevisions {
      facts.modified = history.states[Int(states[node])].time
    } else if !isOutdated[node] {
      return
    }
    facts.size = max(0, sizes[node])
    facts.status = sizes[node] < 0 ? .unasked : areRevisions ? .known : .sized
  }
}
