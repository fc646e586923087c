import GeoFormats
import GeoCore

/// Follows the commits of a repository from the root on, and keeps what lived when.
package struct HistoryBuilder {
  /// What is known of a node in the state at hand.
  private struct Present {
    /// The first state of the life at hand; −1 if the node doesn't live.
    var start: Int32 = -1
    var changes: Int32 = 0
    /// Of a folder, how many of the nodes in it live; of a file, its mode.
    var number: Int32 = 0
    /// Of a folder, how many lived at the end of the last state.
    var shown: Int32 = 0
    /// The number of the object's name; −1 if there is none.
    var object: Int = -1
    /// Whether a folder is the top of another repository.
    var isForeign = false
  }

  private var history: History
  private var present: [Present] = []
  private var files: [[UInt8]: Int32] = [:]
  private var folders: [[UInt8]: Int32] = [:]
  private var authors: [[UInt8]: Int32] = [:]
  /// Folders in which something was born or died in the state at hand, by depth.
  private var touched: [[Int32]] = [[]]
  private var isTouched: [Bool] = []
  private let keepsEvents: Bool
  private let asksForSizes: Bool
  /// The names of objects whose sizes are wanted, in hex digits, each with a line end: if events are kept,
  /// of all that came or was changed, else of the last states of lives.
  private var objects: [UInt8] = []
  private var objectLength = 0
  /// Paths that can't be on a map.
  package private(set) var refused = 0

  /// - Parameters:
  ///   - keepsEvents: Whether somebody wants to know what happened, too.
  ///   - asksForSizes: Whether somebody wants to know how large files were.
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

  /// Begins the next state.
  ///
  /// - Parameters:
  ///   - time: In Unix seconds; counts as that of the state before if it is earlier.
  ///   - author: Who made it.
  ///   - revision: What names it.
  ///   - subject: The first line of what its author says of it, as far as it is wanted.
  package mutating func begin(
    time: Int64, author: [UInt8], revision: [UInt8], subject: [UInt8] = []
  ) {
    end()
    let number = authors[author] ?? Int32(history.authors.count)
    if number == history.authors.count {
      authors[author] = number
      history.authors.append(author)
    }
    // A repository may say any time: each has to have a text, and none goes back.
    let told = CivilTime.unixSeconds
    let time = min(max(time, history.states.last?.time ?? told.lowerBound), told.upperBound)
    history.states.append(
      History.State(time: time, author: number, revision: revision, subject: subject))
  }

  private var state: Int32 { Int32(history.states.count - 1) }

  /// Takes account of what the state did to a path.
  ///
  /// - Parameters:
  ///   - object: What is there then, in hex digits.
  package mutating func take(
    _ path: [UInt8], oldMode: UInt32, newMode: UInt32, object: Span<UInt8>
  ) {
    let (old, new) = (Kind(oldMode), Kind(newMode))
    if old == .file || new == .file {
      guard let node = file(path) else { return }
      if new == .file {
        setObject(object, of: node)
        present[node].number = Int32(bitPattern: newMode)
        if present[node].start < 0 { bear(node) } else { change(node) }
      } else if present[node].start >= 0 {
        die(node)
      }
    }
    if old == .foreign || new == .foreign {
      guard let node = folder(path) else { return }
      present[node].isForeign = new == .foreign
      touch(Int32(node))
    }
  }

  private enum Kind {
    case nothing, file, foreign

    init(_ mode: UInt32) {
      switch mode >> 12 {
      case 0o10, 0o12: self = .file
      case 0o16: self = .foreign
      default: self = .nothing
      }
    }
  }

  private mutating func bear(_ node: Int) {
    present[node].start = state
    present[node].changes = 1
    let parent = history.nodes[node].parent
    present[Int(parent)].number += 1
    touch(parent)
    note(.added, node)
  }

  private mutating func change(_ node: Int) {
    present[node].changes += 1
    note(.changed, node)
  }

  private mutating func die(_ node: Int) {
    endLife(of: node, at: state)
    let parent = history.nodes[node].parent
    present[Int(parent)].number -= 1
    touch(parent)
    note(.removed, node)
  }

  private mutating func note(_ change: NodeChange, _ node: Int) {
    guard keepsEvents, !history.nodes[node].isFolder else { return }
    // The size is asked for when all objects are known; until then it is the number of the name.
    let size = change == .removed ? -1 : Int64(present[node].object)
    history.events.append(
      History.Event(state: state, node: Int32(node), size: size, change: change))
    if asksForSizes { history.contents.append(change == .removed ? .unknown : content(of: node)) }
  }

  private func content(of node: Int) -> ContentMark {
    let known = present[node]
    if known.object < 0 { return .unknown }
    let start = known.object * objectLength
    return ContentMark(
      mode: UInt32(bitPattern: known.number), digits: objects[start..<(start + objectLength - 1)])
  }

  /// Without events the object is kept in the node's own place, which is written over as long as it lives.
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
      // As that of an event.
      facts = EntryFacts(
        size: Int64(known.object), status: .unasked,
        kind: UInt32(bitPattern: known.number) >> 12 == 0o12 ? .symlink : .regular)
      // Another life has another object.
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

  /// Ends the state at hand: folders live while anything in them does.
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
    // A new one may have new ones above it, as many as it has names.
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

  /// Ends all lives that have not ended.
  ///
  /// - Returns: The history but for sizes, and the names of the objects whose sizes are wanted.
  package consuming func finish() -> (History, objects: [UInt8]) {
    end()
    for node in present.indices where present[node].start >= 0 { endLife(of: node, at: -1) }
    if history.states.isEmpty { history.lives = [] }
    return (history, objects)
  }
}

extension History {
  /// Says how large the files were, in the order in which their objects were asked for.
  package mutating func setSizes(_ sizes: [Int64?]) {
    func size(_ number: Int64) -> Int64? {
      sizes.indices.contains(Int(number)) ? sizes[Int(number)] : nil
    }
    for index in lives.indices where !nodes[Int(lives[index].node)].isFolder {
      let size = size(lives[index].facts.size)
      lives[index].facts.size = size ?? 0
      lives[index].facts.status = size == nil ? .unasked : .sized
    }
    for index in events.indices { events[index].size = size(events[index].size) ?? -1 }
  }
}
