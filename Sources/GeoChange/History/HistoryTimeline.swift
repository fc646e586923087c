import GeoFormats
import GeoCore
import GeoProjection

/// A history as data for the page that plays it: nodes with their places, then states with their
/// changes.
///
/// The format is JSON with one value a line, in which `<` is escaped:
///
/// 1. A header object.
/// 2. For each folder, in the order of the map, `[path, lon, lat, minzoom, files]`, where `files`
///   is `name, lon, lat` of each file in turn. Nodes are numbered in this order, a folder before
///   its files.
/// 3. For each state `[time, author, name, subject, changes, sizes, contents]`.
///
/// - `time` is in Unix seconds, `author` is an index or −1, `name` is the revision's or the
///   state's.
/// - `changes` has an integer for each changed node: the increase of its number since the previous
///   one, times four, plus 0 if it was added, 1 changed, 2 removed, 3 if it existed when the time
///   line begins.
/// - `sizes` has the bytes of each of these files that was not removed, −1 if unknown.
/// - `contents` has two integers for each of these files whose contents occur more than once in the
///   history: the distance in `sizes` from the previous such file (for the first, from the start),
///   then four times the number of the contents, from 1, plus 1 for an executable file, 2 for a
///   file that is not regular.
package struct HistoryTimeline: Sendable {
  private let world: HistoryWorld
  private let filter: HistoryFilter
  private let source: HistorySource.Content

  /// - Parameter source: A source whose history has events.
  package init(_ source: HistorySource, filter: HistoryFilter) {
    self.source = source.content
    world = self.source.world
    self.filter = filter
  }

  /// A change of a node, or that it existed before the time line begins.
  private enum Step: UInt64 {
    case added, changed, removed, remained

    init(_ change: NodeChange) {
      switch change {
      case .added: self = .added
      case .removed: self = .removed
      default: self = .changed
      }
    }
  }

  /// Maximum length of a subject, in bytes.
  private static let longestSubject = 300

  private struct Entry {
    var state, number: Int32
    var step: Step
    /// For a file, its bytes afterwards, negative if unknown; for a folder, nil.
    var size: Int64?
    var content = ContentFingerprint.unknown
  }

  package func text() -> [UInt8] {
    var nodes = OutputBuffer(capacity: 1 << 16)
    var numbers = [Int32](repeating: -1, count: world.history.nodes.count)
    let count = writeNodes(to: &nodes, numbering: &numbers)
    var states = OutputBuffer(capacity: 1 << 16)
    let entries = self.entries(numbers)
    let stateCount = writeStates(entries, repeated: repeated(in: entries), to: &states)

    var header = JSONBuilder()
    header.object { json in
      json.member("version", 2)
      json.member("nodes", Int64(count))
      json.member("states", Int64(stateCount))
      json.member("changes", Int64(entries.count))
      json.member("authors", each: world.history.authors) { $1.value(text: $0) }
    }
    return header.scriptBytes + [UInt8(ascii: "\n")] + nodes.bytes + states.bytes
  }

  private func writeNodes(
    to buffer: inout OutputBuffer, numbering numbers: inout [Int32]
  ) -> Int {
    let history = world.history
    var count: Int32 = 0
    var hasFiles = false
    world.walk { (node, place, path) in
      // The contents of a hidden folder are hidden, too.
      if !source.isShown[node] { return }
      let record = history.nodes[node]
      if record.isFolder {
        if count > 0 { buffer.append("]]\n") }
        buffer.append("[\"")
        buffer.append(script: path.span)
        buffer.append("\",")
        append(place, to: &buffer)
        buffer.append(",[")
        hasFiles = false
      } else {
        buffer.append(hasFiles ? ",\"" : "\"")
        buffer.append(script: history.names.span.extracting(record.name))
        buffer.append("\",")
        append(place, to: &buffer)
        hasFiles = true
      }
      numbers[node] = count
      count += 1
    }
    if count > 0 { buffer.append("]]\n") }
    return Int(count)
  }

  private func append(_ place: HistoryWorld.Place, to buffer: inout OutputBuffer) {
    func append(_ position: Coordinate, _ digits: UInt8) {
      buffer.append(degrees: position.longitude, digits: digits)
      buffer.append(",")
      buffer.append(degrees: position.latitude, digits: digits)
    }
    switch place {
    case .folder(let place):
      append(world.engine.coordinate(of: place), place.digits)
      buffer.append(",")
      buffer.append(UInt64(place.minzoom))
    case .file(let place, let digits, _): append(place.coordinate, digits)
    }
  }

  /// The changes of shown nodes, in the order of states, then of the map.
  private func entries(_ numbers: [Int32]) -> [Entry] {
    let history = world.history
    let first = filter.since.map { since in
      history.states.firstIndex { $0.time >= since } ?? history.states.count
    }
    let end =
      filter.until.flatMap { until in history.states.firstIndex { $0.time > until } }
      ?? history.states.count
    var entries: [Entry] = []
    var before: [Int32: Entry] = [:]
    func add(
      _ state: Int32, _ node: Int32, _ step: Step, _ size: Int64?,
      _ content: ContentFingerprint = .unknown
    ) {
      let number = numbers[Int(node)]
      if number < 0 || state >= end { return }
      let entry = Entry(state: state, number: number, step: step, size: size, content: content)
      if let first, state < first { before[number] = entry } else { entries.append(entry) }
    }
    let contents = history.contents.count == history.events.count ? history.contents : []
    for (index, event) in history.events.enumerated() {
      let content = contents.isEmpty ? .unknown : contents[index]
      add(event.state, event.node, Step(event.change), event.size, content)
    }
    for life in history.lives
    where history.nodes[Int(life.node)].isFolder && !life.isLeftOut {
      add(life.start, life.node, .added, nil)
      if life.end >= 0 { add(life.end, life.node, .removed, nil) }
    }
    for entry in before.values where entry.step != .removed {
      var entry = entry
      (entry.state, entry.step) = (-1, .remained)
      entries.append(entry)
    }
    entries.sort { ($0.state, $0.number) < ($1.state, $1.number) }
    return entries
  }

  /// Sorted fingerprints of contents that occur more than once; the index is their number.
  private func repeated(in entries: [Entry]) -> [UInt64] {
    let keys = entries.lazy.map(\.content.key).filter { $0 != 0 }.sorted()
    var repeated: [UInt64] = []
    for (key, next) in zip(keys, keys.dropFirst()) where key == next && repeated.last != key {
      repeated.append(key)
    }
    return repeated
  }

  private static func write(
    contentsOf files: some Sequence<Entry>, repeated: [UInt64], to buffer: inout OutputBuffer
  ) {
    var last = 0
    var isFirst = true
    for (index, entry) in files.enumerated() {
      let number = repeated.indices.boundary { repeated[$0] >= entry.content.key }
      if number == repeated.count || repeated[number] != entry.content.key { continue }
      if !isFirst { buffer.append(",") }
      buffer.append(UInt64(index - last))
      buffer.append(",")
      buffer.append(UInt64(number + 1) << 2 | entry.content.kind)
      (last, isFirst) = (index, false)
    }
  }

  private func writeStates(
    _ entries: [Entry], repeated: [UInt64], to buffer: inout OutputBuffer
  ) -> Int {
    let states = world.history.states
    var next = 0
    var count = 0
    func write(_ state: Int, to buffer: inout OutputBuffer) {
      let isEmpty = next >= entries.count || entries[next].state != state
      if state < 0, isEmpty { return }
      if state >= 0, !filter.admits(states[state].time) { return }
      // In a part of the tree, states without changes are left out.
      if filter.path != nil || world.history.isPart, isEmpty { return }
      count += 1
      writeFacts(of: state, to: &buffer)
      let own = entries[next...].prefix { $0.state == state }
      var last: Int32 = 0
      for (index, entry) in own.enumerated() {
        if index > 0 { buffer.append(",") }
        buffer.append(UInt64(entry.number - last) << 2 | entry.step.rawValue)
        last = entry.number
      }
      buffer.append("],[")
      let files = own.lazy.filter { $0.step != .removed && $0.size != nil }
      for (index, entry) in files.enumerated() {
        if index > 0 { buffer.append(",") }
        buffer.append(max(-1, entry.size ?? -1))
      }
      buffer.append("],[")
      Self.write(contentsOf: files, repeated: repeated, to: &buffer)
      buffer.append("]]\n")
      next = own.endIndex
    }
    for state in -1..<states.count { write(state, to: &buffer) }
    return count
  }

  private func writeFacts(of state: Int, to buffer: inout OutputBuffer) {
    buffer.append("[")
    guard state >= 0 else {
      buffer.append(filter.since ?? 0)
      buffer.append(",-1,\"\",\"\",[")
      return
    }
    let state = world.history.states[state]
    buffer.append(state.time)
    buffer.append(",")
    buffer.append(Int64(state.author))
    buffer.append(",\"")
    let name = state.revision.isEmpty ? state.name : state.revision
    buffer.append(script: name.span)
    buffer.append("\",\"")
    let subject = Array(state.subject.prefix(Self.longestSubject))
    buffer.append(script: subject.span)
    buffer.append("\",[")
  }
}
