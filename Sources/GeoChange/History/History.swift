import GeoCore
import GeoFormats

/// The history of a tree: its nodes, and when each of them existed.
package struct History: Sendable {
  /// A folder or file that existed at any time.
  struct Node: Sendable {
    /// Number of the parent folder; −1 for a root.
    var parent: Int32
    var nameStart: Int
    var nameLength: Int32
    var isFolder: Bool
    /// Depth; 0 for a root.
    var depth: Int32

    var name: Range<Int> { nameStart..<(nameStart + Int(nameLength)) }
  }

  /// A period from the first state that has a node to the first that doesn't.
  struct Life: Sendable {
    var node: Int32
    /// Number of the first state that has the node.
    var start: Int32
    /// Number of the first state that doesn't; −1 if it still exists.
    var end: Int32
    /// Number of states that changed it, including the first.
    var changes: Int32
    /// Metadata in its last state; for a folder, the size is the number of entries, negative if it
    /// was not listed.
    var facts: EntryFacts

    /// Whether a selection excludes it.
    var isLeftOut: Bool { facts.status == .hidden }
  }

  /// A change of a file.
  struct Event: Sendable {
    var state: Int32
    var node: Int32
    /// Its size afterwards, in bytes; negative if removed or unknown.
    var size: Int64
    /// Added, changed or removed.
    var change: NodeChange
  }

  /// A state of the tree.
  struct State: Sendable {
    /// Unix time in seconds; never earlier than that of the previous state.
    var time: Int64
    /// Index of its author; −1 if unknown.
    var author: Int32 = -1
    /// The revision's ID; empty if the state is not a revision.
    var revision: [UInt8] = []
    /// The name of a state that is not a revision.
    var name: [UInt8] = []
    /// First line of the commit message; empty if not requested.
    var subject: [UInt8] = []
  }

  /// Folders precede their contents; roots are in the byte order of their labels.
  var nodes: [Node] = []
  var names: [UInt8] = []
  var lives: [Life] = []
  /// In the order of states; empty unless requested.
  var events: [Event] = []
  /// The file's contents after each event; empty unless requested.
  var contents: [ContentMark] = []
  var states: [State] = []
  var authors: [[UInt8]] = []
  /// Whether a selection has excluded lives.
  var isPart = false
  /// The labels of the roots, in byte order.
  package internal(set) var labels: [[UInt8]]

  /// Creates an empty history.
  init(labels: [[UInt8]]) { self.labels = labels }

  /// Number of states.
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

/// The part of a history to write; positions don't depend on it.
package struct HistoryFilter: Sendable {
  /// Start of the period, in Unix seconds; nil for no limit.
  package var since: Int64?
  /// End of the period, in Unix seconds; nil for no limit.
  package var until: Int64?
  /// Only nodes at this path or below it; relative to a root, without its label.
  package var path: [UInt8]?

  /// Creates a filter that admits everything.
  package init() {}

  /// Whether the filter can exclude anything.
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
    // A life of zero length counts if it began in the period.
    return end > since || start == end && start >= since
  }

  /// - Parameter path: A path of the map.
  func admits(path: [UInt8]) -> Bool {
    guard let own = self.path else { return true }
    let rest = path.drop { $0 != .slash }.dropFirst()
    return rest.isPath(atOrBelow: own)
  }
}
