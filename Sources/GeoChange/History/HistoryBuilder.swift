import GeoCore
import GeoFormats

/// Builds a history from a repository's commits, oldest first.
package struct HistoryBuilder {
  private struct Present {
    /// First state of the current life; −1 if the node doesn't exist.
    var start: Int32 = -1
    var changes: Int32 = 0
    /// For a folder, the number of its child nodes that exist; for a file, its mode.
    var number: Int32 = 0
    /// For a folder, `number` at the end of the last state.
    var shown: Int32 = 0
    /// Index of the object's ID in `objects`; −1 if unknown.
    var object: Int = -1
    /// Whether a folder is the top of another repository (a submodule).
    var isForeign = false
  }

  private var history: History
  private var present: [Present] = []
  private var files: [[UInt8]: Int32] = [:]
  private var folders: [[UInt8]: Int32] = [:]
  private var authors: [[UInt8]: Int32] = [:]
  /// Folders with entries added or removed in the current state, by depth.
  private var touched: [[Int32]] = [[]]
  private var isTouched: [Bool] = []
  private let keepsEvents, asksForSizes: Bool
  /// IDs of the objects whose sizes are requested, in hex digits, each followed by a line feed:
  /// with events those of all versions of all files, else those of the last version of each life.
  private var objects: [UInt8] = []
  private var objectLength = 0
  package private(set) var refused = 0

  package init(label: [UInt8], keepsEvents: Bool, asksForSizes: Bool = true) {
    history = History(labels: [label])
    self.keepsEvents = keepsEvents
    self.asksForSizes = asksForSizes
    folders[[]] = append(label[...], in: -1, isFolder: true)
    present[0].start = 0
    present[0].changes = 1
  }

  private mutating func append(
    _ name: ArraySlice<UInt8>, in parent: Int32, isFolder: Bool
  ) -> Int32 {
    let depth = parent < 0 ? 0 : history.nodes[Int(parent)].depth + 1
    history.nodes.append(
      History.Node(
        parent: parent, nameStart: history.names.count, nameLength: Int32(name.count),
        isFolder: isFolder, depth: depth))
    history.names += name
    present.append(Present())
    isTouched.append(false)
    return Int32(history.nodes.count - 1)
  }

  package mutating func begin(
    time: Int64, author: [UInt8], revision: [UInt8], subject: [UInt8] = []
  ) {
    end()
    let number = authors[author] ?? Int32(history.authors.count)
    if number == history.authors.count {
      authors[author] = number
      history.authors.append(author)
    }
    // A repository may hold any times: they are clamped to what can be formatted, and never
    // decrease.
    let range = CivilTime.unixSeconds
    let time = min(max(time, history.states.last?.time ?? range.lowerBound), range.upperBound)
    history.states.append(
      History.State(time: time, author: number, revision: revision, subject: subject))
  }

  private var state: Int32 { Int32(history.states.count - 1) }

  /// `object` is an ID in hex digits.
  package mutating func apply(
    _ path: [UInt8], oldMode: UInt32, newMode: UInt32, object: Span<UInt8>
  ) {
    func isFile(_ mode: UInt32) -> Bool { mode >> 12 == 0o10 || mode >> 12 == 0o12 }
    func isForeign(_ mode: UInt32) -> Bool { mode >> 12 == 0o16 }
    if isFile(oldMode) || isFile(newMode) {
      guard let node = file(path) else { return }
      if isFile(newMode) {
        setObject(object, of: node)
        present[node].number = Int32(bitPattern: newMode)
        if present[node].start < 0 {
          bear(node)
        } else {
          present[node].changes += 1
          record(.changed, node)
        }
      } else if present[node].start >= 0 {
        die(node)
      }
    }
    if isForeign(oldMode) || isForeign(newMode) {
      guard let node = folder(path) else { return }
      present[node].isForeign = isForeign(newMode)
      touch(Int32(node))
    }
  }

  private mutating func bear(_ node: Int) {
    present[node].start = state
    present[node].changes = 1
    let parent = history.nodes[node].parent
    present[Int(parent)].number += 1
    touch(parent)
    record(.added, node)
  }

  private mutating func die(_ node: Int) {
    endLife(of: node, at: state)
    let parent = history.nodes[node].parent
    present[Int(parent)].number -= 1
    touch(parent)
    record(.removed, node)
  }

  private mutating func record(_ change: NodeChange, _ node: Int) {
    guard keepsEvents, !history.nodes[node].isFolder else { return }
    // Holds the object's index until ``History/setSizes(_:)`` replaces it by the size.
    let size = change == .removed ? -1 : Int64(present[node].object)
    history.events.append(
      History.Event(state: state, node: Int32(node), size: size, change: change))
    if asksForSizes { history.contents.append(change == .removed ? .unknown : content(of: node)) }
  }

  private func content(of node: Int) -> ContentFingerprint {
    let known = present[node]
    if known.object < 0 { return .unknown }
    let start = known.object * objectLength
    return ContentFingerprint(
      mode: UInt32(bitPattern: known.number), digits: objects[start..<(start + objectLength - 1)])
  }

  /// Without events a node keeps one slot in `objects` for a whole life, and each version
  /// overwrites it.
  private mutating func setObject(_ object: Span<UInt8>, of node: Int) {
    if !asksForSizes { return }
    if objectLength == 0 { objectLength = object.count + 1 }
    guard object.count + 1 == objectLength else {
      present[node].object = -1
      return
    }
    if keepsEvents || present[node].object < 0 {
      present[node].object = objects.count / objectLength
      objects.append(contentsOf: repeatElement(UInt8(ascii: "\n"), count: objectLength))
    }
    let start = present[node].object * objectLength
    for index in 0..<object.count { objects[start + index] = object[index] }
  }

  private mutating func endLife(of node: Int, at end: Int32) {
    let known = present[node]
    var facts = EntryFacts()
    if history.nodes[node].isFolder {
      facts = EntryFacts(
        size: known.isForeign && known.number == 0 ? -1 : Int64(known.shown), kind: .directory)
    } else {
      // As in events, the object's index stands for the size until sizes are set.
      facts = EntryFacts(
        size: Int64(known.object), status: .unasked,
        kind: UInt32(bitPattern: known.number) >> 12 == 0o12 ? .symlink : .regular)
      // The next life needs a new slot.
      present[node].object = -1
    }
    history.lives.append(
      History.Life(
        node: Int32(node), start: known.start, end: end, changes: known.changes, facts: facts))
    present[node].start = -1
  }

  private mutating func touch(_ folder: Int32) {
    if isTouched[Int(folder)] { return }
    isTouched[Int(folder)] = true
    let depth = Int(history.nodes[Int(folder)].depth)
    while touched.count <= depth { touched.append([]) }
    touched[depth].append(folder)
  }

  /// Ends the current state: a folder exists while anything in it does.
  private mutating func end() {
    guard !history.states.isEmpty else { return }
    for depth in touched.indices.reversed() {
      let level = touched[depth]
      touched[depth].removeAll(keepingCapacity: true)
      for folder in level {
        let node = Int(folder)
        isTouched[node] = false
        let lives = present[node].number > 0 || present[node].isForeign || depth == 0
        if lives, present[node].start < 0 {
          bear(node)
        } else if !lives, present[node].start >= 0 {
          die(node)
        }
        present[node].shown = present[node].number
      }
    }
  }

  private mutating func file(_ path: [UInt8]) -> Int? {
    if let node = files[path] { return Int(node) }
    guard let parent = folder(path.parentPath.map { Array($0) } ?? []) else { return nil }
    let name = path.lastComponent
    guard EntryName.isValid(name) else {
      refused += 1
      return nil
    }
    let node = append(name, in: Int32(parent), isFolder: false)
    files[path] = node
    return Int(node)
  }

  private mutating func folder(_ path: [UInt8]) -> Int? {
    if let node = folders[path] { return Int(node) }
    // A new folder may need new ancestors, too.
    var parent: Int32 = 0
    var start = 0
    while start <= path.count {
      let end = path[start...].firstIndex(of: .slash) ?? path.count
      let above = Array(path[..<end])
      if let known = folders[above] {
        parent = known
      } else {
        guard EntryName.isValid(path[start..<end]) else {
          refused += 1
          return nil
        }
        parent = append(path[start..<end], in: parent, isFolder: true)
        folders[above] = parent
      }
      start = end + 1
    }
    return Int(parent)
  }

  /// Returns the history without sizes, and the IDs of the objects whose sizes are requested.
  package consuming func finish() -> (History, objects: [UInt8]) {
    end()
    for node in present.indices where present[node].start >= 0 { endLife(of: node, at: -1) }
    if history.states.isEmpty { history.lives = [] }
    return (history, objects)
  }
}
