import GeoCore
import GeoTree
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

  var entryCount: Int? {
    var sum = 0
    var waiting = [number]
    while let folder = waiting.popLast() {
      sum += 1 + tree.folders[folder].files.count
      waiting += tree.folders[folder].children
    }
    return sum
  }

  func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    if folder(at: root.names, of: root) == nil { throw .notFound(.noEntry) }
  }

  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    NumberedSession(options) { self }
  }
}

extension MapRoot: NumberedTree {
  /// A map that was read doesn't change.
  var stamp: ListingStamp {
    ListingStamp(identity: FileSystem.Identity(device: 0, inode: 1))
  }

  func folder(at names: [[UInt8]], of root: ScanRoot) -> Int? {
    tree.folder(at: names, from: number)
  }

  func folder(marked mark: UInt64) -> Int? { Int(truncatingIfNeeded: mark) }

  func look(
    at folder: Int, _ options: FileSystemScanner.Options, into listing: inout FolderListing
  ) {
    let known = tree.folders[folder]
    if known.isLoop { listing.outcome = .loop }
    if known.own.status == .unreadable { listing.failure = .listed(Self.unreadable) }
    // A folder without a size has its time all the same.
    if options.readsMetadata, known.own.status == .known || known.own.modified != 0 {
      listing.facts = FolderFacts(modified: known.own.modified)
    }
  }

  func list(_ folder: Int, into listing: inout FolderListing) {
    let known = tree.folders[folder]
    if !known.isListed { return }
    listing.outcome = .listed
    listing.files = known.files
    listing.folders = known.folders
    listing.marks = known.children.map { UInt64($0) }
  }

  func files(
    in folder: Int, _ options: FileSystemScanner.Options
  ) -> (Span<UInt8>, inout EntryFacts) -> Bool {
    let known = tree.folders[folder]
    return { name, facts in
      guard let number = known.files.index(of: name) else { return false }
      facts = known.facts[number]
      if facts.status != .unreadable, !options.readsMetadata { facts.status = .unasked }
      return true
    }
  }

  private static let unreadable = "could not be read when the map was made"

  var unreadableFiles: String? { Self.unreadable }
}
