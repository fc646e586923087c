import GeoCore
import GeoPipeline
import GeoProjection
import GeoSystem
import GeoTree

/// The map of a history: places of all nodes that ever existed, in the order of the map.
package struct HistoryWorld: Sendable {
  let history: History
  let engine: GeoProjectionEngine
  private let roots: [Int]
  /// Node numbers, by parent: its files, then its sub-folders, each in byte order.
  private let contents: Groups
  /// Indices of lives, by node, then by time.
  private let lives: Groups

  enum Place {
    case folder(FolderPlace)
    case file(FilePlace, digits: UInt8, minzoom: UInt8)
  }

  package init(_ history: History, _ engine: GeoProjectionEngine) {
    self.history = history
    self.engine = engine
    let (nodes, names) = (history.nodes, history.names)
    roots = nodes.indices.filter { nodes[$0].parent < 0 }
    var order = nodes.indices.filter { nodes[$0].parent >= 0 }.map { Int32($0) }
    order.sort { a, b in
      let (x, y) = (nodes[Int(a)], nodes[Int(b)])
      if x.parent != y.parent { return x.parent < y.parent }
      if x.isFolder != y.isFolder { return y.isFolder }
      return names.span.orders(x.name, before: y.name)
    }
    contents = Groups(order, count: nodes.count) { nodes[Int($0)].parent }
    let lives = history.lives.indices.map { Int32($0) }.sorted { a, b in
      let (x, y) = (history.lives[Int(a)], history.lives[Int(b)])
      return (x.node, x.start) < (y.node, y.start)
    }
    self.lives = Groups(lives, count: nodes.count) { history.lives[Int($0)].node }
  }

  private struct Groups: Sendable {
    private let members: [Int32]
    /// Start of each group in `members`, and the end of the last.
    private let starts: [Int]

    /// - Parameter members: In the order of their groups.
    init(_ members: [Int32], count: Int, of group: (Int32) -> Int32) {
      var starts = [Int](repeating: 0, count: count + 1)
      for member in members { starts[Int(group(member)) + 1] += 1 }
      for index in 1..<starts.count { starts[index] += starts[index - 1] }
      (self.members, self.starts) = (members, starts)
    }

    subscript(group: Int) -> ArraySlice<Int32> { members[starts[group]..<starts[group + 1]] }
  }

  func root(labelled label: ArraySlice<UInt8>) -> Int? {
    history.labels.firstIndex { $0.elementsEqual(label) }.map { roots[$0] }
  }

  package var hasAuthors: Bool { !history.authors.isEmpty }

  /// - Parameter path: Relative to a root, without its label.
  package func has(_ path: [UInt8]) -> Bool {
    var found = roots
    for name in path.split(separator: UInt8.slash, omittingEmptySubsequences: true) {
      found = found.flatMap { nodes(in: $0) }.map { Int($0) }
        .filter { history.name(of: $0).elementsEqual(name) }
    }
    return !found.isEmpty
  }

  func nodes(in folder: Int) -> ArraySlice<Int32> { contents[folder] }

  /// Number of the last state at or before a Unix time; −1 if all states are later.
  package func state(at time: Int64) -> Int {
    history.states.indices.boundary { history.states[$0].time > time } - 1
  }

  package func span(_ filter: HistoryFilter) -> ClosedRange<Int64>? {
    let times = history.states.lazy.map(\.time).filter { filter.admits($0) }
    guard let first = times.first, let last = times.last else { return nil }
    return first...last
  }

  func lives(of node: Int) -> [History.Life] { lives[node].map { history.lives[Int($0)] } }

  /// `visit` receives the number, the place, and the path of the folder: the node or its parent.
  func walk<Failure: Error>(
    _ visit: (Int, Place, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var walk = Walk(self)
    while let step = walk.next() {
      try visit(step.folder, .folder(step.place), step.path)
      for (file, place) in step.files { try visit(file, place, step.path) }
    }
  }

  /// The folders in the order of the map, each with its files.
  struct Walk: IteratorProtocol {
    struct Step {
      let folder: Int
      let place: FolderPlace
      let path: [UInt8]
      var files: [(node: Int, place: Place)] = []
    }

    private let world: HistoryWorld
    private var stack: [(node: Int, place: FolderPlace, path: [UInt8])] = []
    private var files = NameTable()
    private var folders = NameTable()
    private var filePlaces: [FilePlace] = []

    init(_ world: HistoryWorld) {
      self.world = world
      for (number, place) in world.engine.roots.enumerated().reversed()
      where number < world.roots.count {
        stack.append((world.roots[number], place, world.history.labels[number]))
      }
    }

    mutating func next() -> Step? {
      guard let (node, place, path) = stack.popLast() else { return nil }
      var step = Step(folder: node, place: place, path: path)
      let inner = world.nodes(in: node)
      if inner.isEmpty { return step }
      let (history, engine) = (world.history, world.engine)
      files.removeAll()
      folders.removeAll()
      for child in inner {
        let record = history.nodes[Int(child)]
        let name = history.names.span.extracting(record.name)
        if record.isFolder {
          folders.append(name, kind: .directory)
        } else {
          files.append(name, kind: .regular)
        }
      }
      let placed = engine.contents(of: place, folders: folders, fileCount: files.count)
      let city = placed.city
      engine.placeFiles(files, 0..<files.count, in: city, into: &filePlaces)
      for (position, child) in inner.prefix(files.count).enumerated() {
        step.files.append(
          (Int(child), .file(filePlaces[position], digits: city.digits, minzoom: city.minzoom)))
      }
      for (position, child) in inner.dropFirst(files.count).enumerated().reversed() {
        let path = path.appending(component: history.name(of: Int(child)))
        stack.append((Int(child), placed.folders[position], path))
      }
      return step
    }
  }
}

extension HistoryWorld {
  /// The same map with only the selected lives, and the events in them; places don't change.
  ///
  /// A life of a file is judged by its last metadata. The contents of excluded folders are
  /// excluded, too. With `keepsFolders`, folders stay even if the selection admits only files.
  package func selecting(_ selection: Selection, keepsFolders: Bool) -> HistoryWorld {
    if !selection.isActive { return self }
    let isKept = selected(by: selection, keepsFolders: keepsFolders)
    var part = history
    part.isPart = true
    // Excluded lives stay in the array, so that indices remain valid.
    for life in part.lives.indices where !isKept[life] { part.lives[life].facts.status = .hidden }
    let events = history.events.indices.filter { index in
      let event = history.events[index]
      return lives[Int(event.node)].contains { number in
        let life = history.lives[Int(number)]
        return isKept[Int(number)] && life.start <= event.state
          && (life.end < 0 || event.state <= life.end)
      }
    }
    part.events = events.map { history.events[$0] }
    if history.contents.count == history.events.count {
      part.contents = events.map { history.contents[$0] }
    }
    return HistoryWorld(part, engine)
  }

  private func selected(by selection: Selection, keepsFolders: Bool) -> [Bool] {
    let selector = Selector(selection)
    let showsFolders = keepsFolders || selection.showsFolders
    var isKept = [Bool](repeating: false, count: history.lives.count)
    var verdicts: [Selector.FolderVerdict] = []
    var stack = zip(roots, history.labels).map { (node: $0, path: $1) }
    while let (node, path) = stack.popLast() {
      if showsFolders { for life in lives[node] { isKept[Int(life)] = true } }
      var folders = NameTable()
      // One row a life, as a path may be a link in one life and a file in the next.
      var files = NameTable()
      var facts: [EntryFacts] = []
      var fileLives: [Int32] = []
      var subfolders: [Int] = []
      for child in nodes(in: node) {
        let record = history.nodes[Int(child)]
        let name = history.names.span.extracting(record.name)
        if record.isFolder {
          folders.append(name, kind: .directory)
          subfolders.append(Int(child))
          continue
        }
        for life in lives[Int(child)] {
          files.append(name, kind: history.lives[Int(life)].facts.kind)
          facts.append(history.lives[Int(life)].facts)
          fileLives.append(life)
        }
      }
      selector.selectFiles(files, 0..<files.count, in: path, scope: nil, facts: &facts)
      selector.selectByMetadata(&facts)
      for (life, known) in zip(fileLives, facts) where known.status != .hidden {
        isKept[Int(life)] = true
      }
      selector.judgeFolders(folders, in: path, scope: nil, into: &verdicts)
      for (index, folder) in subfolders.enumerated() where verdicts[index].reason == nil {
        stack.append((folder, path.appending(component: history.name(of: folder))))
      }
    }
    return isKept
  }

  /// The map of roots of which only the labels are known.
  package static func empty(labels: [[UInt8]], _ layout: Layout) throws(MapError) -> HistoryWorld {
    let roots = try WorldRoots(
      labels.map { ScanRoot(label: $0, directory: $0) }, layout, areThere: false)
    var history = History(labels: roots.labels)
    history.states = [History.State(time: 0)]
    for (number, label) in roots.labels.enumerated() {
      history.nodes.append(
        History.Node(
          parent: -1, nameStart: history.names.count, nameLength: Int32(label.count),
          isFolder: true, depth: 0))
      history.names += label
      history.lives.append(
        History.Life(
          node: Int32(number), start: 0, end: -1, changes: 1,
          facts: EntryFacts(size: 0, kind: .directory)))
    }
    return HistoryWorld(history, roots.engine)
  }
}

package struct StateHistory: Sendable {
  private let states: [[ScanRoot]]
  private let described: [History.State]
  package var scan = FileSystemScanner.Options()

  /// `times` are Unix seconds in ascending order; `names` may be empty.
  package init(_ states: [[ScanRoot]], times: [Int64], names: [[UInt8]] = []) {
    self.states = states
    described = times.enumerated().map { index, time in
      History.State(time: time, name: names.indices.contains(index) ? names[index] : [])
    }
  }

  /// - Throws: `MapError`; `CancellationError` if the task was cancelled.
  package func world(
    layout: Layout, keepsEvents: Bool, report: ([ScanFault]) -> Void
  ) async throws -> HistoryWorld {
    let roots = try WorldRoots(UnionSource.roots(of: states), layout)
    var options = scan
    options.readsMetadata = true
    options.asksForStorage = true
    options.asksForNanosecondsAlone = true
    let plan = StatePlan(
      depth: 0, views: Array(repeating: SideView.whole, count: states.count))
    let batches: ScanBatches<StatePart>
    do throws(Errno) {
      batches = try await FileSystemScanner(options: options).scan(roots.roots, plan: plan) {
        StateVisitor(keepsEvents: keepsEvents)
      }
    } catch {
      throw MapError.noThread(error)
    }
    var history = History(labels: roots.labels)
    history.states = described
    var way: [Int32] = []
    for try await batch in batches {
      history.add(batch.content, &way)
      report(batch.faults)
    }
    return HistoryWorld(history, roots.engine)
  }
}

extension History {
  /// `way` has the folders that contain the last added node.
  fileprivate mutating func add(_ part: StatePart, _ way: inout [Int32]) {
    let (nodeOffset, nameOffset) = (Int32(nodes.count), names.count)
    names += part.names
    for var node in part.nodes {
      way.removeLast(max(0, way.count - Int(node.depth)))
      node.parent = way.last ?? -1
      node.nameStart += nameOffset
      nodes.append(node)
      if node.isFolder { way.append(Int32(nodes.count - 1)) }
    }
    for var life in part.lives {
      life.node += nodeOffset
      lives.append(life)
    }
    contents += part.contents
    for var event in part.events {
      event.node += nodeOffset
      events.append(event)
    }
  }
}
