import GeoCore
import GeoFormats
import GeoPipeline
import GeoTree

package struct History: Forest, Sendable {
  struct Node: Sendable {
    /// Number of the parent folder; −1 for a root.
    var parent: Int32
    var nameStart: Int
    var nameLength: Int32
    var isFolder: Bool
    var depth: Int32

    var name: Range<Int> { nameStart..<(nameStart + Int(nameLength)) }
  }

  /// A period from the first state that has a node to the first that doesn't.
  struct Life: Sendable {
    var node: Int32
    var start: Int32
    /// Number of the first state that doesn't; −1 if it still exists.
    var end: Int32
    var changes: Int32
    /// Metadata in its last state; for a folder, the size is the number of entries, negative if it
    /// was not listed.
    var facts: EntryFacts

    var isLeftOut: Bool { facts.status == .hidden }
  }

  struct Event: Sendable {
    var state, node: Int32
    /// Its size afterwards, in bytes; negative if removed or unknown.
    var size: Int64
    var change: NodeChange
  }

  struct State: Sendable {
    /// Unix time in seconds; never earlier than that of the previous state.
    var time: Int64
    var author: Int32 = -1
    /// The revision's ID; empty if the state is not a revision.
    var revision: [UInt8] = []
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
  var contents: [ContentFingerprint] = []
  var states: [State] = []
  var authors: [[UInt8]] = []
  var isPart = false
  package internal(set) var labels: [[UInt8]]

  init(labels: [[UInt8]]) { self.labels = labels }

  package var stateCount: Int { states.count }

  package func name(of node: Int) -> ArraySlice<UInt8> { names[nodes[node].name] }

  package func parent(of node: Int) -> Int? {
    nodes[node].parent < 0 ? nil : Int(nodes[node].parent)
  }
}

/// The part of a history to write; positions don't depend on it.
package struct HistoryFilter: Sendable {
  /// Bounds of the period in Unix seconds; nil for no limit.
  package var since: Int64?
  package var until: Int64?
  /// Only nodes at this path or below it; relative to a root, without its label.
  package var path: [UInt8]?

  package init() {}

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

  func admits(path: [UInt8]) -> Bool {
    guard let own = self.path else { return true }
    let rest = path.drop { $0 != .slash }.dropFirst()
    return rest.isPath(atOrBelow: own)
  }
}

extension HistoryWorld {
  /// The same history with replaced names, authors and revisions, without subjects. Places follow
  /// from the new names. Labels and the names of other states stay, as the user chooses them.
  package func redacted(by redaction: Redaction) -> HistoryWorld {
    let redactor = NameRedactor(redaction)
    var shown = history
    shown.names = []
    func set(_ name: ArraySlice<UInt8>, of node: Int) {
      shown.nodes[node].nameStart = shown.names.count
      shown.nodes[node].nameLength = Int32(name.count)
      shown.names += name
    }
    var stack: [(node: Int, folder: NameRedactor.Folder)] = []
    for label in history.labels {
      guard let root = root(labelled: label[...]) else { continue }
      set(label[...], of: root)
      stack.append((root, NameRedactor.Folder(root: label, shown: label)))
    }
    while let (node, folder) = stack.popLast() {
      let inner = nodes(in: node).map { Int($0) }
      let (fileNodes, folderNodes) = (
        inner.filter { !history.nodes[$0].isFolder }, inner.filter { history.nodes[$0].isFolder }
      )
      let (files, folders) = redactor.redact(
        files: table(of: fileNodes, .regular), folders: table(of: folderNodes, .directory),
        of: folder)
      for (node, position) in zip(fileNodes, files.positions) {
        set(files.shown.name(at: position)[...], of: node)
      }
      for (node, position) in zip(folderNodes, folders.positions) {
        let name = folders.shown.name(at: position)
        set(name[...], of: node)
        let own = Array(history.name(of: node))
        stack.append((node, folder.folder(own: own, shown: name)))
      }
    }
    shown.authors = history.authors.map { redaction.word(for: $0) }
    for index in shown.states.indices {
      shown.states[index].subject = []
      let revision = history.states[index].revision
      if !revision.isEmpty { shown.states[index].revision = redaction.word(for: revision) }
    }
    return HistoryWorld(shown, engine)
  }

  private func table(of nodes: [Int], _ kind: EntryKind) -> NameTable {
    var table = NameTable()
    for node in nodes {
      table.append(history.names.span.extracting(history.nodes[node].name), kind: kind)
    }
    return table
  }
}
