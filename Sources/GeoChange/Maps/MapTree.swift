import GeoCore
import GeoSystem
import GeoTree
import GeoVerify

/// The tree that a map was drawn from: names, kinds, sizes and times, as far as the map has them.
///
/// Memory: about 100 bytes for a file and 300 for a folder, with their names.
package final class MapTree: Sendable {
  struct Folder: Sendable {
    var files = NameTable()
    var facts: [EntryFacts] = []
    var folders = NameTable()
    var children: [Int] = []
    var own = EntryFacts()
    var isLoop = false
    /// Whether the map gives its number of entries.
    var isListed: Bool { own.size >= 0 && !isLoop }
  }

  let folders: [Folder]
  package let labels: [[UInt8]]
  private let numbers: [Int]

  package struct Builder {
    private var folders: [Folder] = []
    private var labels: [[UInt8]] = []
    private var roots: [Int] = []
    private var way: [(path: [UInt8], number: Int)] = []
    /// The path of the first node whose folder is not in the map.
    package private(set) var stray: [UInt8]?

    package init() {}

    /// Adds the next node, in the order of the map.
    package mutating func add(_ node: MapReader.Node) {
      let parent = node.path.parentPath
      while let last = way.last, !(parent?.elementsEqual(last.path) ?? false) {
        // The node is in a folder further up, or is stray.
        way.removeLast()
      }
      let name = node.path.lastComponent
      guard node.isFolder else {
        if let folder = way.last?.number {
          folders[folder].files.append(Array(name).span, kind: node.facts.kind)
          folders[folder].facts.append(node.facts)
        } else {
          stray = stray ?? node.path
        }
        return
      }
      let number = folders.count
      folders.append(Folder(own: node.facts, isLoop: node.isLoop))
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

    package consuming func finish() -> MapTree { MapTree(folders, labels, roots) }
  }

  private init(_ folders: [Folder], _ labels: [[UInt8]], _ numbers: [Int]) {
    self.folders = folders
    self.labels = labels
    self.numbers = numbers
  }

  /// `label` replaces that of the only root; `file` is the map's name in messages.
  package func roots(label: [UInt8]?, file: [UInt8]) -> [ScanRoot] {
    zip(labels, numbers).map { (own, number) in
      ScanRoot(label: label ?? own, directory: file, source: MapRoot(self, number))
    }
  }
}

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

  func check(_ root: ScanRoot) throws(Errno) {
    if folder(at: root.names, of: root) == nil { throw .noEntry }
  }

  func session(_ options: FileSystemScanner.Options, readers: Int) -> any TreeSession {
    NumberedSession(options) { self }
  }
}

extension MapRoot: NumberedTree {
  /// Constant, as a map in memory doesn't change.
  var stamp: ListingStamp {
    ListingStamp(identity: FileSystem.Identity(device: 0, inode: 1))
  }

  func folder(at names: [[UInt8]], of root: ScanRoot) -> Int? {
    var folder = number
    for name in names {
      guard let index = tree.folders[folder].folders.index(of: name) else { return nil }
      folder = tree.folders[folder].children[index]
    }
    return folder
  }

  func folder(handle: UInt64) -> Int? { Int(truncatingIfNeeded: handle) }

  func inspect(
    _ folder: Int, _ options: FileSystemScanner.Options, into listing: inout FolderListing
  ) {
    let known = tree.folders[folder]
    if known.isLoop { listing.outcome = .loop }
    if known.own.status == .unreadable { listing.failure = .listed(Self.unreadable) }
    // A folder of unknown size may have a time.
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
    listing.handles = known.children.map { UInt64($0) }
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
