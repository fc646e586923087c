import GeoPath
import GeoScan
import GeoSystem
import Synchronization

/// All that was ever there in the course of a history, as the source of one tree.
///
/// A folder's listing has every name that any state had in it, so its world is that of the history.
/// What is known of a file is what its last life says, and of git when it was changed last. Another
/// history may take the place of the one at hand; listings of before are then no longer good.
package final class HistorySource: TreeSource {
  /// A history as the source of a tree, up to the time when another one takes its place.
  final class Content: Sendable {
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
    if content.folder(at: root.label, root.names) == nil { throw .notFound(.noEntry) }
  }

  package var isPartial: Bool { filter.isActive }

  package func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession { HistorySession(self, options) }
}

extension HistorySource.Content {
  /// The number of a folder; nil if there is none.
  func folder(at label: [UInt8], _ names: [[UInt8]]) -> Int? {
    // The label may lead on into the root, as do the names.
    guard var folder = world.root(labelled: label.prefix { $0 != .slash }) else { return nil }
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

  /// What is known of a node in the last state that is shown, or was when it was there last; nil if nobody
  /// knows of it.
  func facts(of node: Int) -> EntryFacts? {
    let lives = world.lives(of: node)
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

/// A history while it is read.
private final class HistorySession: TreeSession {
  let source: HistorySource
  let options: FileSystemScanner.Options

  init(_ source: HistorySource, _ options: FileSystemScanner.Options) {
    self.source = source
    self.options = options
  }

  func makeReader() -> any FolderReader { HistoryReader(self) }

  func witness(of folder: FolderReference) -> ListingWitness? {
    Self.witness(of: source.content.version)
  }

  static func witness(of version: UInt32) -> ListingWitness {
    ListingWitness(
      identity: FileSystem.Identity(device: 0, inode: 0), seconds: Int64(version))
  }
}

/// A folder of a history in which something is still to be read.
private final class HistoryFolder: KeptFolder {
  let content: HistorySource.Content
  let number: Int

  init(_ content: HistorySource.Content, _ number: Int) {
    self.content = content
    self.number = number
  }
}

/// Reads folders of a history.
private final class HistoryReader: FolderReader {
  private let session: HistorySession
  private var content: HistorySource.Content
  /// The number of the folder that the reader is in; nil for none.
  private var current: Int?

  init(_ session: HistorySession) {
    self.session = session
    content = session.source.content
  }

  /// Sub-folders are marked with their numbers, and the version that these are good for.
  private static func mark(_ folder: Int32, _ version: UInt32) -> UInt64 {
    UInt64(version) << 32 | UInt64(UInt32(bitPattern: folder))
  }

  private func find(_ folder: FolderReference) -> Int? {
    switch folder {
    case .kept(let folder):
      let folder = unsafe unsafeDowncast(folder, to: HistoryFolder.self)
      content = folder.content
      return folder.number
    case .child(let parent, _, _, _, let mark?):
      content = unsafe unsafeDowncast(parent, to: HistoryFolder.self).content
      return number(of: mark)
    case .path(let root, let path, let mark):
      content = session.source.content
      return mark.flatMap { number(of: $0) }
        ?? content.folder(at: root.label, root.names(to: path))
    case .child:
      return nil
    }
  }

  private func number(of mark: UInt64) -> Int? {
    mark >> 32 == content.version ? Int(mark & 0xFFFF_FFFF) : nil
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    current = find(folder)
    if current == nil { throw .noEntry }
  }

  func keep() -> any KeptFolder { HistoryFolder(content, current ?? 0) }

  func leave() {}

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    current = find(folder)
    guard let number = current else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    let (world, history) = (content.world, content.world.history)
    let inner = world.nodes(in: number)
    // Of what is left out there is its place alone.
    if !content.isShown[number] { return }
    // What no state has listed, such as a submodule, isn't here either.
    if inner.isEmpty, let life = world.lastLife(of: number), life.facts.size < 0 { return }
    listing.outcome = .listed
    if session.options.bearsWitness {
      listing.witness = HistorySession.witness(of: content.version)
    }
    for node in inner {
      let record = history.nodes[Int(node)]
      let name = history.names.span.extracting(record.name)
      if record.isFolder {
        if !content.isShown[Int(node)] { listing.leftOut.append(listing.folders.count) }
        listing.folders.append(name, kind: .directory)
        listing.marks.append(Self.mark(node, content.version))
      } else {
        if !content.isShown[Int(node)] { listing.leavesOutFiles = true }
        listing.files.append(name, kind: content.facts(of: Int(node))?.kind ?? .regular)
      }
    }
  }

  func look(at folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    current = find(folder)
    if current == nil { listing.failure = .unreadable(.noEntry) }
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    let (world, history) = (content.world, content.world.history)
    var next = current.map { world.nodes(in: $0) } ?? []
    tell(
      of: names, range, into: &facts, storage: &storage, failures: &failures,
      asksForStorage: session.options.asksForStorage
    ) { (_, name, facts) in
      // Both are in the order of their names.
      while let node = next.first, !history.nodes[Int(node)].isFolder,
        history.names.span.extracting(history.nodes[Int(node)].name).orders(before: name)
      {
        next.removeFirst()
      }
      guard let node = next.first, !history.nodes[Int(node)].isFolder,
        history.names.span.extracting(history.nodes[Int(node)].name).equals(name)
      else { return false }
      if !content.isShown[Int(node)] {
        facts.status = .hidden
      } else if session.options.readsMetadata, let known = content.facts(of: Int(node)) {
        facts = known
      }
      return true
    }
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
}
