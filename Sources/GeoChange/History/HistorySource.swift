import GeoCore
import GeoSystem
import GeoTree
import Synchronization

/// A source of one tree with everything that existed at any time in a history.
///
/// A folder lists every name that any state had in it, so places are those of the history's map. A
/// file has the metadata of its last life; with git, its time is that of its last change. The
/// history can be replaced; listings read before are then invalid.
package final class HistorySource: TreeSource {
  final class Content: NumberedTree {
    let world: HistoryWorld
    /// Which nodes are shown, by number; hidden nodes keep their places.
    let isShown: [Bool]
    let lastState: Int
    let latest: LatestEvents
    let version: UInt32

    init(_ world: HistoryWorld, _ filter: HistoryFilter, version: UInt32) {
      self.world = world
      isShown = world.shown(filter)
      lastState = filter.until.map { world.state(at: $0) } ?? world.history.states.count - 1
      latest = LatestEvents(of: world.history, upTo: lastState)
      self.version = version
    }
  }

  private let current: Mutex<Content>
  private let filter: HistoryFilter

  var content: Content { current.withLock { $0 } }

  /// - Parameter world: A history with its events.
  package init(_ world: HistoryWorld, filter: HistoryFilter = HistoryFilter()) {
    self.filter = filter
    current = Mutex(Content(world, filter, version: 0))
  }

  package var roots: [ScanRoot] {
    content.world.history.labels.map { ScanRoot(label: $0, directory: $0, source: self) }
  }

  /// Replaces the history by another one with the same roots.
  package func replace(by world: HistoryWorld) {
    current.withLock { $0 = Content(world, filter, version: $0.version + 1) }
  }

  package func check(_ root: ScanRoot) throws(Errno) {
    if content.folder(at: root.names, of: root) == nil { throw .noEntry }
  }

  package var isPartial: Bool { filter.isActive || content.world.history.isPart }

  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession { NumberedSession(options) { self.content } }
}

extension HistorySource.Content {
  var stamp: ListingStamp {
    ListingStamp(
      identity: FileSystem.Identity(device: 0, inode: 0), seconds: Int64(version))
  }

  func folder(at names: [[UInt8]], of root: ScanRoot) -> Int? {
    // The label may continue with a path into the root, and `names` repeat that path.
    guard var folder = world.root(labelled: root.label.prefix { $0 != .slash }) else { return nil }
    for name in names {
      let found = world.nodes(in: folder).first {
        world.history.nodes[Int($0)].isFolder
          && world.history.name(of: Int($0)).elementsEqual(name)
      }
      guard let found else { return nil }
      folder = Int(found)
    }
    return folder
  }

  func folder(handle: UInt64) -> Int? {
    handle >> 32 == version ? Int(handle & 0xFFFF_FFFF) : nil
  }

  func list(_ folder: Int, into listing: inout FolderListing) {
    let history = world.history
    let inner = world.nodes(in: folder)
    // A hidden folder has a place, but no listing.
    if !isShown[folder] { return }
    // A folder that no state could list, such as a submodule, has no listing either.
    if inner.isEmpty, let life = world.lives(of: folder).last, life.facts.size < 0 { return }
    listing.outcome = .listed
    for node in inner {
      let record = history.nodes[Int(node)]
      let name = history.names.span.extracting(record.name)
      if record.isFolder {
        if !isShown[Int(node)] {
          listing.leftOut.append(LeftOutEntry(index: listing.folders.count, reason: nil))
        }
        listing.folders.append(name, kind: .directory)
        // A handle is valid for this version only.
        listing.handles.append(UInt64(version) << 32 | UInt64(UInt32(bitPattern: node)))
      } else {
        if !isShown[Int(node)] { listing.leavesOutFiles = .byFacts }
        listing.files.append(name, kind: facts(of: Int(node))?.kind ?? .regular)
      }
    }
  }

  func files(
    in folder: Int, _ options: FileSystemScanner.Options
  ) -> (Span<UInt8>, inout EntryFacts) -> Bool {
    let (nodes, names) = (world.history.nodes, world.history.names)
    var next = world.nodes(in: folder).prefix { !nodes[Int($0)].isFolder }
    return { [self] name, facts in
      // Both lists are sorted by name.
      while let node = next.first, names.span.extracting(nodes[Int(node)].name).orders(before: name)
      {
        next.removeFirst()
      }
      guard let node = next.first, names.span.extracting(nodes[Int(node)].name).equals(name)
      else { return false }
      if !isShown[Int(node)] {
        facts.status = .hidden
      } else if options.readsMetadata, let known = self.facts(of: Int(node)) {
        facts = known
      }
      return true
    }
  }

  /// Metadata of a node in the last state that is shown, else in its last or first life; nil if the
  /// node has no life that is shown.
  func facts(of node: Int) -> EntryFacts? {
    let lives = world.lives(of: node).filter { !$0.isLeftOut }
    guard var facts = (lives.last { $0.start <= lastState } ?? lives.last)?.facts else {
      return nil
    }
    latest.complete(&facts, of: node, in: world.history)
    return facts
  }
}

extension HistoryWorld {
  /// Which nodes a filter shows, with their ancestors, by number.
  fileprivate func shown(_ filter: HistoryFilter) -> [Bool] {
    var shown = [Bool](repeating: false, count: history.nodes.count)
    let chosen = filter.path == nil ? nil : below(filter)
    for life in history.lives where filter.admits(life, of: history.states) {
      if chosen?[Int(life.node)] ?? true { shown[Int(life.node)] = true }
    }
    // Folders precede their contents, so each parent comes later in this loop.
    for node in shown.indices.reversed() where shown[node] {
      let parent = history.nodes[node].parent
      if parent >= 0 { shown[Int(parent)] = true }
    }
    return shown
  }

  private func below(_ filter: HistoryFilter) -> [Bool] {
    var chosen: [Bool] = []
    chosen.reserveCapacity(history.nodes.count)
    for (number, node) in history.nodes.enumerated() {
      let isBelow = node.parent >= 0 && chosen[Int(node.parent)]
      chosen.append(isBelow || filter.admits(path: history.path(of: number)))
    }
    return chosen
  }
}
