import GeoCore
import GeoFormats
import GeoProjection
import GeoTree

/// Changes of files, in the order of time, then of the map.
package struct HistoryEvents: Sendable {
  private let world: HistoryWorld
  private let filter: HistoryFilter
  /// Where each file is; nil for folders, and for files that the filter excludes.
  private let spots: [Spot?]
  private let events: [History.Event]
  private let moves: HistoryMoves

  private typealias Spot = (place: FilePlace, digits: UInt8)

  /// - Parameter followsMoves: Whether a removed and an added file that are one file become one
  ///   event, and all events of a state precede those of a later one with the same time.
  package init(_ world: HistoryWorld, filter: HistoryFilter, followsMoves: Bool = false) {
    self.world = world
    self.filter = filter
    var spots = [Spot?](repeating: nil, count: world.history.nodes.count)
    var ranks = [Int32](repeating: -1, count: spots.count)
    var rank: Int32 = 0
    world.walk { (node, place, path) in
      guard case .file(let file, let digits, _) = place else { return }
      if filter.path != nil {
        let file = path.appending(component: world.history.name(of: node))
        if !filter.admits(path: file) { return }
      }
      spots[node] = (file, digits)
      ranks[node] = rank
      rank += 1
    }
    self.spots = spots
    let states = world.history.states
    let moves =
      followsMoves
      ? HistoryMoves(of: world.history) { ranks[Int($0)] >= 0 } : HistoryMoves()
    self.moves = moves
    let events = world.history.events.filter {
      ranks[Int($0.node)] >= 0 && filter.admits(states[Int($0.state)].time) && !moves.isLeft($0)
    }
    // The state breaks ties, so that events of one file stay in order where states have the same
    // time.
    self.events = events.sorted { a, b in
      let (x, y) = (states[Int(a.state)].time, states[Int(b.state)].time)
      if x != y { return x < y }
      if followsMoves, a.state != b.state { return a.state < b.state }
      return (ranks[Int(a.node)], a.state) < (ranks[Int(b.node)], b.state)
    }
  }

  package func write<Failure: Error>(
    _ format: FileFormat, _ emit: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var buffer = OutputBuffer(capacity: 2 * HistoryWorld.portion)
    let writer = HistoryWorld.writer(format, .events)
    writer.writeHeader(world.header(filter), to: &buffer)
    let history = world.history
    var hasFeatures = false
    var folder: Int32 = -1
    var name = NameTable()
    for event in events {
      guard let spot = spots[Int(event.node)] else { continue }
      let node = history.nodes[Int(event.node)]
      if node.parent != folder {
        folder = node.parent
        writer.enterFolder(path: history.path(of: Int(folder)))
      }
      name.removeAll()
      name.append(history.names.span.extracting(node.name), kind: .regular)
      let start = buffer.count
      writer.setParts(parts(of: event))
      _ = writer.writeFiles(
        name, 0..<1, places: [spot.place], facts: [EntryFacts()],
        FileBatch(depth: Int(node.depth), digits: spot.digits, minzoom: Minzoom.unknown),
        to: &buffer)
      writer.removeSeparator(at: start, unless: &hasFeatures, from: &buffer)
      if buffer.count < HistoryWorld.portion { continue }
      try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
      buffer.removeAll()
    }
    writer.writeFooter(MapSummary(files: events.count), to: &buffer)
    try buffer.withBytes { (bytes) throws(Failure) in try emit(bytes) }
  }

  private func parts(of event: History.Event) -> FeatureParts {
    let state = world.history.states[Int(event.state)]
    var parts = FeatureParts(of: .regular)
    parts.event = NodeEvent(
      time: state.time.multiplied(saturating: 1000), change: event.change,
      revision: state.revision,
      author: state.author < 0 ? nil : world.history.authors[Int(state.author)])
    return parts
  }

  package var count: Int { events.count }

  package struct Record: Sendable {
    package let path: [UInt8]
    package let longitude, latitude: Double
    package let state: Int
    /// Unix time of the state in milliseconds.
    package let time: Int64
    package let change: NodeChange
    package let from: [UInt8]?
    package let size: Int64?
  }

  package func record(_ index: Int) -> Record? {
    let event = events[index]
    guard let spot = spots[Int(event.node)] else { return nil }
    let (longitude, latitude) = spot.place.coordinate.degrees(digits: spot.digits)
    let origin = event.change == .added ? moves.origin(of: event) : nil
    return Record(
      path: world.history.path(of: Int(event.node)), longitude: longitude, latitude: latitude,
      state: Int(event.state),
      time: world.history.states[Int(event.state)].time.multiplied(saturating: 1000),
      change: origin == nil ? event.change : .moved,
      from: origin.map { world.history.path(of: Int($0)) },
      size: event.size < 0 ? nil : event.size)
  }

  /// The indices of each author's events; authors in the byte order of their names.
  package func tracks() -> [(author: [UInt8], events: [Int])] {
    let history = world.history
    let groups = Dictionary(grouping: events.indices) {
      history.states[Int(events[$0].state)].author
    }
    return groups.filter { $0.key >= 0 }.map { (history.authors[Int($0.key)], $0.value) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }
  }
}

/// The last change of each file up to some state.
struct LatestEvents: Sendable {
  private struct Latest {
    /// The state that last added or changed the file; −1 without an event.
    var state: Int32 = -1
    /// Its size since, in bytes; negative if unknown.
    var size: Int64 = -1
    /// Whether a later state changed the file, so that its life's metadata may be newer.
    var isOutdated = false
  }

  private var latest: [Latest]
  /// Whether states are revisions; these have no modification times, so the states' times replace
  /// them.
  private let areRevisions: Bool

  init(of history: History, upTo state: Int) {
    latest = Array(repeating: Latest(), count: history.nodes.count)
    areRevisions = history.states.last.map { !$0.revision.isEmpty } ?? false
    for event in history.events where event.change != .removed {
      let node = Int(event.node)
      if event.state > state {
        latest[node].isOutdated = true
      } else if event.state >= latest[node].state {
        (latest[node].state, latest[node].size) = (event.state, event.size)
      }
    }
  }

  /// Corrects the metadata of a file's last life to those of the state.
  func complete(_ facts: inout EntryFacts, of node: Int, in history: History) {
    let latest = latest[node]
    guard latest.state >= 0 else { return }
    if areRevisions {
      facts.modified = history.states[Int(latest.state)].time
    } else if !latest.isOutdated {
      return
    }
    facts.size = max(0, latest.size)
    facts.status = latest.size < 0 ? .unasked : areRevisions ? .known : .sized
  }
}

/// A 60-bit fingerprint of a file's contents, with the kind of file; equal ones mean equal
/// contents and kinds, up to collisions.
struct ContentFingerprint: Hashable, Sendable {
  enum Kind: UInt64 {
    case regular
    case executable
    case other
  }

  static let unknown = ContentFingerprint(bits: 0)

  private let bits: UInt64

  private init(bits: UInt64) { self.bits = bits }

  private init(_ key: UInt64, _ kind: Kind) { bits = (key >> 4 | 1 << 60) << 2 | kind.rawValue }

  /// The fingerprint without the kind; 0 if unknown.
  var key: UInt64 { bits >> 2 }
  var kind: UInt64 { bits & 3 }

  /// The fingerprint of a git object with an ID in hex digits.
  init(mode: UInt32, digits: ArraySlice<UInt8>) {
    var key: UInt64 = 0
    for digit in digits.prefix(16) {
      key = key << 4 | UInt64(digit & 0xF &+ (digit >> 6) &* 9)
    }
    self.init(key, mode >> 12 != 0o10 ? .other : mode & 0o111 == 0 ? .regular : .executable)
  }

  /// The fingerprint of a file's version: by its object, else by size and modification time.
  init(_ version: FileVersion) {
    let facts = version.facts
    let kind = facts.kind == .regular ? Kind.regular : .other
    if let object = version.object {
      let isExecutable = object.mode >> 12 == 0o10 && object.mode & 0o111 != 0
      self.init(object.high, isExecutable ? .executable : kind)
    } else if facts.status == .known, let nanoseconds = version.nanoseconds {
      let time = UInt64(bitPattern: facts.modified)
      self.init(FileKey(size: facts.size, high: time, low: UInt64(nanoseconds)).digest, kind)
    } else {
      self = .unknown
    }
  }
}
