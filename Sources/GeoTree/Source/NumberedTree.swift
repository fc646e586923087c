import GeoCore
import GeoSystem

/// A tree in memory with numbered folders. ``NumberedSession`` makes a source of it.
package protocol NumberedTree: AnyObject, Sendable {
  var stamp: ListingStamp { get }

  /// The number of the folder at a path below a root; nil if there is no such folder.
  func folder(at names: [[UInt8]], of root: ScanRoot) -> Int?

  /// The number of the folder with a handle from a listing; nil if the handle is of another tree.
  func folder(handle: UInt64) -> Int?

  /// Sets the facts of a folder in an empty listing.
  func inspect(
    _ folder: Int, _ options: FileSystemScanner.Options, into listing: inout FolderListing)

  /// Adds the contents of a folder to a listing that has its facts.
  func list(_ folder: Int, into listing: inout FolderListing)

  /// A function to call for the files of a folder, in the order of their names. It updates facts
  /// that have the listing's kind, and returns false if the file doesn't exist.
  func files(
    in folder: Int, _ options: FileSystemScanner.Options
  ) -> (Span<UInt8>, inout EntryFacts) -> Bool

  var unreadableFiles: String? { get }

  /// Appends the objects of some files, as ``FolderReader/readObjects(of:_:into:)``.
  func readObjects(
    of names: NameTable, _ range: Range<Int>, in folder: Int, into objects: inout [ObjectID?])
}

extension NumberedTree {
  package func inspect(
    _ folder: Int, _ options: FileSystemScanner.Options, into listing: inout FolderListing
  ) {}

  package var unreadableFiles: String? { nil }

  package func readObjects(
    of names: NameTable, _ range: Range<Int>, in folder: Int, into objects: inout [ObjectID?]
  ) {}
}

package final class NumberedSession<Tree: NumberedTree>: TreeSession {
  fileprivate let current: @Sendable () -> Tree
  fileprivate let options: FileSystemScanner.Options

  /// - Parameter current: Returns the current tree, which may be replaced by another one.
  package init(_ options: FileSystemScanner.Options, _ current: @escaping @Sendable () -> Tree) {
    self.options = options
    self.current = current
  }

  package func makeReader() -> any FolderReader { NumberedReader(self) }
  package func stamp(of folder: FolderReference) -> ListingStamp? { current().stamp }
}

/// A folder with contents still to read, and the tree it is from.
private final class NumberedFolder<Tree: NumberedTree>: KeptFolder {
  let tree: Tree
  let number: Int?

  init(_ tree: Tree, _ number: Int?) {
    self.tree = tree
    self.number = number
  }
}

private final class NumberedReader<Tree: NumberedTree>: FolderReader {
  private let session: NumberedSession<Tree>
  private var tree: Tree
  /// The number of the current folder; nil if it was not found.
  private var folder: Int?

  init(_ session: NumberedSession<Tree>) {
    self.session = session
    tree = session.current()
  }

  private func find(_ reference: FolderReference) -> Int? {
    switch reference {
    case .kept(let kept):
      let kept = unsafe unsafeDowncast(kept, to: NumberedFolder<Tree>.self)
      tree = kept.tree
      return kept.number
    case .child(let parent, _, _, _, let handle):
      tree = unsafe unsafeDowncast(parent, to: NumberedFolder<Tree>.self).tree
      return handle.flatMap { tree.folder(handle: $0) }
    case .path(let root, let path, let handle):
      tree = session.current()
      return handle.flatMap { tree.folder(handle: $0) }
        ?? tree.folder(at: root.names(to: path), of: root)
    }
  }

  func enter(_ folder: FolderReference) throws(Errno) {
    self.folder = find(folder)
    if self.folder == nil { throw .noEntry }
  }

  func keep() -> any KeptFolder { NumberedFolder(tree, folder) }
  func leave() {}

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    inspect(folder, into: &listing)
    guard let number = self.folder else { return }
    tree.list(number, into: &listing)
    if listing.outcome == .listed, session.options.hasStamp { listing.stamp = tree.stamp }
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    self.folder = find(folder)
    guard let number = self.folder else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    tree.inspect(number, session.options, into: &listing)
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    storage.removeAll(keepingCapacity: true)
    if session.options.asksForStorage {
      storage.append(contentsOf: repeatElement(.unknown, count: range.count))
    }
    let known = folder.map { tree.files(in: $0, session.options) }
    let unreadable = tree.unreadableFiles
    for (position, index) in range.enumerated() where facts[position].status != .hidden {
      let name = names.bytes.span.extracting(names.records[index].range)
      if !(known?(name, &facts[position]) ?? false) {
        facts[position].status = .vanished
        failures.append(FactFailure(index: index, reason: .noEntry))
      } else if let unreadable, facts[position].status == .unreadable {
        failures.append(FactFailure(index: index, reason: .inputOutput, words: unreadable))
      }
    }
  }

  func readObjects(of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?]) {
    objects.removeAll(keepingCapacity: true)
    if let folder { tree.readObjects(of: names, range, in: folder, into: &objects) }
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
}
