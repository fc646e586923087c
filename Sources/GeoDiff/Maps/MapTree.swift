import GeoPath
import GeoScan
import GeoSystem
import GeoVerify

/// The tree that a map was drawn of: what the map says of names, kinds, sizes and times.
///
/// Memory: about 100 bytes for a file and 300 for a folder, with their names.
package final class MapTree: Sendable {
  /// A folder of the map.
  struct Folder: Sendable {
    var files = NameTable()
    /// One for each of the files.
    var facts: [EntryFacts] = []
    var folders = NameTable()
    /// The numbers of these.
    var children: [Int] = []
    var own = EntryFacts()
    var isLoop = false
    /// Whether the map says how many entries it has.
    var isListed: Bool { own.size >= 0 && !isLoop }
  }

  let folders: [Folder]
  /// The labels of the roots, and their numbers.
  package let labels: [[UInt8]]
  private let numbers: [Int]

  /// Collects the nodes of a map.
  package struct Builder {
    private var folders: [Folder] = []
    private var labels: [[UInt8]] = []
    private var roots: [Int] = []
    /// The folders on the way to the one at hand: the lengths of their paths, and their numbers.
    private var way: [(path: [UInt8], number: Int)] = []
    /// A node that is in no folder of the map.
    package private(set) var stray: [UInt8]?

    /// Nothing yet.
    package init() {}

    /// Takes the next node, in the order of the map.
    package mutating func add(_ node: MapReader.Node) {
      let parent = node.path.parentPath
      while let last = way.last, !(parent?.elementsEqual(last.path) ?? false) {
        // What follows is in one of the folders above, or stands apart.
        way.removeLast()
      }
      let name = node.path.lastComponent
      guard node.isFolder else {
        guard let folder = way.last?.number else {
          stray = stray ?? node.path
          return
        }
        folders[folder].files.append(Array(name).span, kind: node.facts.kind)
        folders[folder].facts.append(node.facts)
        return
      }
      var folder = Folder()
      folder.own = node.facts
      folder.isLoop = node.isLoop
      let number = folders.count
      folders.append(folder)
      if let parent = way.last?.number {
        folders[parent].folders.append(Array(name).span, kind: .directory)
        folders[parent].children.append(number)
      } else if parent == nil {
        labels.append(node.path)
        roots.append(number)
      } else {
        stray = stray ?? node.path
      }
      way.append((node.path, number))
    }

    /// The tree of all nodes.
    package consuming func finish() -> MapTree { MapTree(folders, labels, roots) }
  }

  private init(_ folders: [Folder], _ labels: [[UInt8]], _ numbers: [Int]) {
    self.folders = folders
    self.labels = labels
    self.numbers = numbers
  }

  /// Its roots.
  ///
  /// - Parameters:
  ///   - label: What its only root is called; nil for its own label.
  ///   - file: What the map is called in messages.
  package func roots(label: [UInt8]?, file: [UInt8]) -> [ScanRoot] {
    zip(labels, numbers).map { (own, number) in
      ScanRoot(label: label ?? own, directory: file, source: MapRoot(self, number))
    }
  }

  /// The number of the folder that names lead to; nil if there is none.
  func folder(at names: [[UInt8]], from root: Int) -> Int? {
    guard folders.indices.contains(root) else { return nil }
    var folder = root
    for name in names {
      guard let index = folders[folder].folders.index(of: name) else { return nil }
      folder = folders[folder].children[index]
    }
    return folder
  }
}

/// A root of a map, in the place of a folder on a disk.
private final class MapRoot: TreeSource {
  let tree: MapTree
  let number: Int

  init(_ tree: MapTree, _ number: Int) {
    self.tree = tree
    self.number = number
  }

  func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    if tree.folder(at: root.names, from: number) == nil { throw .notFound(.noEntry) }
  }

  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    MapSession(tree, number, options)
  }
}

/// A map while it is read.
private final class MapSession: TreeSession {
  let tree: MapTree
  let root: Int
  let options: FileSystemScanner.Options

  init(_ tree: MapTree, _ root: Int, _ options: FileSystemScanner.Options) {
    self.tree = tree
    self.root = root
    self.options = options
  }

  func makeReader() -> any FolderReader { MapFolderReader(self) }

  /// A map that was read doesn't change.
  func witness(of folder: FolderReference) -> ListingWitness? { witness }

  var witness: ListingWitness {
    ListingWitness(identity: FileSystem.Identity(device: 0, inode: 1))
  }
}

private final class MapFolder: KeptFolder {
  let number: Int

  init(_ number: Int) { self.number = number }
}

/// Reads folders of a map.
private final class MapFolderReader: FolderReader {
  private let session: MapSession
  private var current: Int?

  init(_ session: MapSession) { self.session = session }

  private func number(_ folder: FolderReference) -> Int? {
    switch folder {
    case .kept(let kept): return unsafe unsafeDowncast(kept, to: MapFolder.self).number
    case .child(_, _, _, _, let mark?), .path(_, _, let mark?): return Int(truncatingIfNeeded: mark)
    case .child: return nil
    case .path(let root, let path, nil):
      return session.tree.folder(at: root.names(to: path), from: session.root)
    }
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    look(at: folder, into: &listing)
    guard let current else { return }
    let known = session.tree.folders[current]
    if !known.isListed { return }
    listing.outcome = .listed
    listing.files = known.files
    listing.folders = known.folders
    listing.marks = known.children.map { UInt64($0) }
    if session.options.bearsWitness { listing.witness = session.witness }
  }

  func look(at folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    current = number(folder)
    guard let current else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    let known = session.tree.folders[current]
    if known.isLoop { listing.outcome = .loop }
    if known.own.status == .unreadable {
      listing.failure = .listed("could not be read when the map was made")
    }
    // A folder without a size has its time all the same.
    if session.options.readsMetadata, known.own.status == .known || known.own.modified != 0 {
      listing.facts = FolderFacts(modified: known.own.modified)
    }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    current = number(folder)
    if current == nil { throw .noEntry }
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    guard let current else { return }
    let known = session.tree.folders[current]
    var unreadable: [FileSystem.Failure] = []
    tell(
      of: names, range, into: &facts, storage: &storage, failures: &failures,
      asksForStorage: session.options.asksForStorage
    ) { (index, name, facts) in
      guard let number = known.files.index(of: name) else { return false }
      facts = known.facts[number]
      if facts.status == .unreadable {
        unreadable.append(
          FileSystem.Failure(
            index: index, reason: .inputOutput, words: "could not be read when the map was made"))
      } else if !session.options.readsMetadata {
        facts.status = .unasked
      }
      return true
    }
    if unreadable.isEmpty { return }
    failures = (failures + unreadable).sorted { $0.index < $1.index }
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }

  func keep() -> any KeptFolder { MapFolder(current ?? -1) }

  func leave() {}
}
