import GeoCore
import GeoFormats

/// What was in a tree in the course of time: its nodes, and when each of them lived.
package struct History: Sendable {
  /// A folder or file that was there at any time.
  struct Node: Sendable {
    /// The number of the folder that it is in; −1 for a root.
    var parent: Int32
    var nameStart: Int
    var nameLength: Int32
    var isFolder: Bool
    /// How deep it is.
    var depth: Int32

    var name: Range<Int> { nameStart..<(nameStart + Int(nameLength)) }
  }

  /// A time from the first state that has a node to the first that has not.
  struct Life: Sendable {
    var node: Int32
    /// The number of the first state that has it.
    var start: Int32
    /// The number of the first that has not; −1 if there is none.
    var end: Int32
    /// In how many states it was changed, its birth included.
    var changes: Int32
    /// What was known of it in its last state; of a folder, the size is the number of its entries, or
    /// less than 0 if it was not listed.
    var facts: EntryFacts

    /// Whether a selection leaves it out.
    var isLeftOut: Bool { facts.status == .hidden }
  }

  /// What happened to a file.
  struct Event: Sendable {
    var state: Int32
    var node: Int32
    /// Its bytes then; less than 0 if it is gone or nobody knows.
    var size: Int64
    /// Added, changed or removed.
    var change: NodeChange
  }

  /// One of the states.
  struct State: Sendable {
    /// In Unix seconds; never earlier than that of the state before.
    var time: Int64
    /// Which of the authors made it; −1 if nobody knows.
    var author: Int32 = -1
    /// What names the revision; empty if it is none.
    var revision: [UInt8] = []
    /// What a state that is no revision is called.
    var name: [UInt8] = []
    /// The first line of the message, as far as it is wanted.
    var subject: [UInt8] = []
  }

  /// Folders before what is in them; roots in the byte order of their labels.
  var nodes: [Node] = []
  var names: [UInt8] = []
  var lives: [Life] = []
  /// In the order of the states; empty if nobody asked.
  var events: [Event] = []
  /// Of each event, the contents that the file has since; none if nobody asked.
  var contents: [ContentMark] = []
  var states: [State] = []
  var authors: [[UInt8]] = []
  /// Whether a selection has left out lives that nodes had.
  var isPart = false
  /// The labels of the roots, in byte order.
  package internal(set) var labels: [[UInt8]]

  /// A history of nothing yet.
  init(labels: [[UInt8]]) { self.labels = labels }

  /// How many states there are.
  package var stateCount: Int { states.count }

  /// The path of a node.
  func path(of node: Int) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    var number = node
    while number >= 0 {
      parts.append(names[nodes[number].name])
      number = Int(nodes[number].parent)
    }
    return Array(parts.reversed().joined(separator: [.slash]))
  }
}

/// What of a history is written; where it is never depends on it.
package struct HistoryFilter: Sendable {
  /// Only what lived, or happened, at this time or later.
  package var since: Int64?
  /// Only what lived, or happened, at this time or earlier.
  package var until: Int64?
  /// Only what is at this path, or below it; from the root on, without its label.
  package var path: [UInt8]?

  /// All.
  package init() {}

  /// Whether anything can be left out.
  package var isActive: Bool { since != nil || until != nil || path != nil }

  func admits(_ time: Int64) -> Bool {
    if let since, time < since { return false }
    if let until, time > until { return false }
    return true
  }

  func admits(_ life: History.Life, of states: [History.State]) -> Bool {
    if life.isLeftOut { return false }
    let start = states[Int(life.start)].time
    if let until, start > until { return false }
    guard let since, life.end >= 0 else { return true }
    let end = states[Int(life.end)].time
    // One of no length is there at no time, but it was.
    return end > since || start == end && start >= since
  }

  /// - Parameter path: A path of the map.
  func admits(path: [UInt8]) -> Bool {
    guard let own = self.path else { return true }
    let rest = path.drop { $0 != .slash }.dropFirst()
    return rest.isPath(atOrBelow: own)
  }
}
