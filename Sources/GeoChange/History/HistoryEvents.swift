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
        let name = world.history.names[world.history.nodes[node].name]
        if !filter.admits(path: path.appending(component: name)) { return }
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
      time: Self.milliseconds(state.time), change: event.change, revision: state.revision,
      author: state.author < 0 ? nil : world.history.authors[Int(state.author)])
    return parts
  }

  private static func milliseconds(_ seconds: Int64) -> Int64 {
    seconds.multiplied(saturating: 1000)
  }

  package var count: Int { events.count }

  package struct Record: Sendable {
    package let path: [UInt8]
    package let longitude: Double
    package let latitude: Double
    package let state: Int
    package let change: NodeChange
    package let from: [UInt8]?
    /// Its size afterwards, in bytes; nil if removed or unknown.
    package let size: Int64?
  }

  /// Nil if the file has no place.
  package func record(_ index: Int) -> Record? {
    let event = events[index]
    guard let spot = spots[Int(event.node)] else { return nil }
    let (longitude, latitude) = spot.place.coordinate.degrees(digits: spot.digits)
    let origin = event.change == .added ? moves.origin(of: event) : nil
    return Record(
      path: world.history.path(of: Int(event.node)), longitude: longitude, latitude: latitude,
      state: Int(event.state), change: origin == nil ? event.change : .moved,
      from: origin.map { world.history.path(of: Int($0)) },
      size: event.size < 0 ? nil : event.size)
  }

  package struct Touch: Sendable {
    package let path: [UInt8]
    package let depth: Int
    package let longitude: Double
    package let latitude: Double
    /// Unix time in milliseconds.
    package let time: Int64
  }

  package struct Track: Sequence {
    package let author: [UInt8]
    private let events: HistoryEvents
    private let own: [History.Event]

    fileprivate init(_ author: [UInt8], _ own: [History.Event], _ events: HistoryEvents) {
      self.author = author
      self.own = own
      self.events = events
    }

    package func makeIterator() -> AnyIterator<Touch> {
      var next = own.makeIterator()
      return AnyIterator { next.next().flatMap { events.touch($0) } }
    }
  }

  /// The files that each author's states changed, in the order of the events; authors in the byte
  /// order of their names.
  package func tracks() -> [Track] {
    let history = world.history
    let groups = Dictionary(grouping: events) { history.states[Int($0.state)].author }
    let authors = groups.keys.filter { $0 >= 0 }.sorted {
      history.authors[Int($0)].lexicographicallyPrecedes(history.authors[Int($1)])
    }
    return authors.map { Track(history.authors[Int($0)], groups[$0] ?? [], self) }
  }

  private func touch(_ event: History.Event) -> Touch? {
    guard let spot = spots[Int(event.node)] else { return nil }
    let (longitude, latitude) = spot.place.coordinate.degrees(digits: spot.digits)
    return Touch(
      path: world.history.path(of: Int(event.node)),
      depth: Int(world.history.nodes[Int(event.node)].depth), longitude: longitude,
      latitude: latitude,
      time: Self.milliseconds(world.history.states[Int(event.state)].time))
  }
}

/// The last change of each file up to some state.
struct LatestEvents: Sendable {
  /// The states that last added or changed each file; −1 without an event.
  private var states: [Int32]
  /// Their sizes since, in bytes; negative if unknown.
  private var sizes: [Int64]
  /// Whether a later state changed the file, so that its life's metadata may be newer.
  private var isOutdated: [Bool]
  /// Whether states are revisions; these have no modification times, so the states' times replace
  /// them.
  private let areRevisions: Bool

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

  /// Corrects the metadata of a file's last life to those of the state.
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
