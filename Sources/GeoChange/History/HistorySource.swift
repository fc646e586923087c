import GeoCore
import GeoTree
import GeoSystem
import Synchronization

/// All that was ever there in the course of a history, as the source of one tree.
///
/// A folder's listing has every name that any state had in it, so its world is that of the history.
/// What is known of a file is what its last life says, and of git when it was changed last. Another
/// history may take the place of the one at hand; listings of before are then no longer good.
package final class HistorySource: TreeSource {
  /// A history as the source of a tree, up to the time when another one takes its place.
  final class Content: NumberedTree {
    let world: HistoryWorld
    /// Which nodes are shown, by their numbers; the others have their places all the same.
    let isShown: [Bool]
    /// The last state that is shown.
    let lastState: Int
    /// What is known of each file in that state.
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

  /// - Parameters:
  ///   - world: A history, with what happened in it.
  ///   - filter: What of it is shown.
  package init(_ world: HistoryWorld, filter: HistoryFilter = HistoryFilter()) {
    self.filter = filter
    current = Mutex(Content(world, filter, version: 0))
  }

  /// The roots, as what a scan begins with.
  package var roots: [ScanRoot] {
    content.world.history.labels.map { ScanRoot(label: $0, directory: $0, source: self) }
  }

  /// Puts another history of the same roots in the place of the one at hand.
  package func replace(by world: HistoryWorld) {
    current.withLock { $0 = Content(world, filter, version: $0.version + 1) }
  }

  package func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    if content.folder(at: root.names, of: root) == nil { throw .notFound(.noEntry) }
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
    // The label may lead on into the root, as do the names.
    guard var folder = world.root(labelled: root.label.prefix { $0 != .slash }) else { return nil }
    for name in names {
      let found = world.nodes(in: folder).first {
        let node = world.history.nodes[Int($0)]
        return node.isFolder && world.history.names[node.name].elementsEqual(name)
      }
      guard let found else { return nil }
      folder = Int(found)
    }
    return folder
  }

  func folder(marked mark: UInt64) -> Int? {
    mark >> 32 == version ? Int(mark & 0xFFFF_FFFF) : nil
  }

  func list(_ folder: Int, into listing: inout FolderListing) {
    let history = world.history
    let inner = world.nodes(in: folder)
    // Of what is left out there is its place alone.
    if !isShown[folder] { return }
    // What no state has listed, such as a submodule, isn't here either.
    if inner.isEmpty, let life = world.lastLife(of: folder), life.facts.size < 0 { return }
    listing.outcome = .listed
    for node in inner {
      let record = history.nodes[Int(node)]
      let name = history.names.span.extracting(record.name)
      if record.isFolder {
        if !isShown[Int(node)] { listing.leftOut.append(listing.folders.count) }
        listing.folders.append(name, kind: .directory)
        // Numbers are good for this version.
        listing.marks.append(UInt64(version) << 32 | UInt64(UInt32(bitPattern: node)))
      } else {
        if !isShown[Int(node)] { listing.leavesOutFiles = true }
        listing.files.append(name, kind: facts(of: Int(node))?.kind ?? .regular)
      }
    }
  }

  func files(
    in folder: Int, _ options: FileSystemScanner.Options
  ) -> (Span<UInt8>, inout EntryFacts) -> Bool {
    let history = world.history
    var next = world.nodes(in: folder).prefix { !history.nodes[Int($0)].isFolder }
    return { [self] name, facts in
      // Both are in the order of their names.
      while let node = next.first,
        history.names.span.extracting(history.nodes[Int(node)].name).orders(before: name)
      {
        next.removeFirst()
      }
      guard let node = next.first,
        history.names.span.extracting(history.nodes[Int(node)].name).equals(name)
      else { return false }
      if !isShown[Int(node)] {
        facts.status = .hidden
      } else if options.readsMetadata, let known = self.facts(of: Int(node)) {
        facts = known
      }
      return true
    }
  }

  /// What is known of a node in the last state that is shown, or was when it was there last; nil if nobody
  /// knows of it.
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
  /// The last life of a node; nil if it has none.
  func lastLife(of node: Int) -> History.Life? { lives(of: node).last }

  /// Which nodes a filter shows, and those on the way to them, by their numbers.
  fileprivate func shown(_ filter: HistoryFilter) -> [Bool] {
    var shown = [Bool](repeating: false, count: history.nodes.count)
    let chosen = filter.path == nil ? nil : below(filter)
    for life in history.lives where filter.admits(life, of: history.states) {
      if chosen?[Int(life.node)] ?? true { shown[Int(life.node)] = true }
    }
    // A folder comes before what is in it.
    for node in shown.indices.reversed() where shown[node] {
      let parent = history.nodes[node].parent
      if parent >= 0 { shown[Int(parent)] = true }
    }
    return shown
  }

  /// Which nodes are at the filter's path, or below it.
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
