import GeoCore
import GeoSystem

/// A tree in memory whose folders have numbers: what the sources of such trees are read by.
package protocol NumberedTree: AnyObject, Sendable {
  /// What its listings are good for.
  var stamp: ListingStamp { get }

  /// The number of the folder that names lead to from a root; nil if there is none.
  func folder(at names: [[UInt8]], of root: ScanRoot) -> Int?

  /// The number of the folder that a listing of it marked; nil if that was the listing of another tree.
  func folder(marked mark: UInt64) -> Int?

  /// Tells what is known of a folder itself, in an empty listing.
  func look(
    at folder: Int, _ options: FileSystemScanner.Options, into listing: inout FolderListing)

  /// Adds what is in a folder to a listing that says what is known of the folder itself.
  func list(_ folder: Int, into listing: inout FolderListing)

  /// Tells what is known of the files of a folder, one after the other, in the order of their names, with
  /// facts as the listing gave them; false for one that is not there.
  func files(
    in folder: Int, _ options: FileSystemScanner.Options
  ) -> (Span<UInt8>, inout EntryFacts) -> Bool

  /// Why files could not be read whose facts say so.
  var unreadableFiles: String? { get }

  /// Tells what the contents of files of a folder are, as ``FolderReader/readObjects(of:_:into:)``.
  func readObjects(
    of names: NameTable, _ range: Range<Int>, in folder: Int, into objects: inout [ObjectID?])
}

extension NumberedTree {
  /// Nothing, for trees that know what is in folders alone.
  package func look(
    at folder: Int, _ options: FileSystemScanner.Options, into listing: inout FolderListing
  ) {}

  /// None, for trees all of whose files can be read.
  package var unreadableFiles: String? { nil }

  /// None, for trees that know sizes and times at most.
  package func readObjects(
    of names: NameTable, _ range: Range<Int>, in folder: Int, into objects: inout [ObjectID?]
  ) {}
}

/// Trees with numbers while they are read.
package final class NumberedSession<Tree: NumberedTree>: TreeSession {
  fileprivate let current: @Sendable () -> Tree
  fileprivate let options: FileSystemScanner.Options

  /// - Parameter current: The tree at hand; another one may take its place.
  package init(_ options: FileSystemScanner.Options, _ current: @escaping @Sendable () -> Tree) {
    self.options = options
    self.current = current
  }

  package func makeReader() -> any FolderReader { NumberedReader(self) }

  package func stamp(of folder: FolderReference) -> ListingStamp? { current().stamp }
}

/// A folder of a tree in which something is still to be read.
private final class NumberedFolder<Tree: NumberedTree>: KeptFolder {
  let tree: Tree
  let number: Int?

  init(_ tree: Tree, _ number: Int?) {
    self.tree = tree
    self.number = number
  }
}

/// Reads folders of trees with numbers.
private final class NumberedReader<Tree: NumberedTree>: FolderReader {
  private let session: NumberedSession<Tree>
  private var tree: Tree
  /// The number of the folder that the reader is in; nil for none.
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
    case .child(let parent, _, _, _, let mark):
      tree = unsafe unsafeDowncast(parent, to: NumberedFolder<Tree>.self).tree
      return mark.flatMap { tree.folder(marked: $0) }
    case .path(let root, let path, let mark):
      tree = session.current()
      return mark.flatMap { tree.folder(marked: $0) }
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
    look(at: folder, into: &listing)
    guard let number = self.folder else { return }
    tree.list(number, into: &listing)
    if listing.outcome == .listed, session.options.hasStamp { listing.stamp = tree.stamp }
  }

  func look(at folder: FolderReference, into listing: inout FolderListing) {
    listing.removeAll()
    self.folder = find(folder)
    guard let number = self.folder else {
      listing.failure = .unreadable(.noEntry)
      return
    }
    tree.look(at: number, session.options, into: &listing)
  }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FileSystem.Failure]
  ) {
    let known = folder.map { tree.files(in: $0, session.options) }
    tell(
      of: names, range, into: &facts, storage: &storage, failures: &failures,
      asksForStorage: session.options.asksForStorage, unreadable: tree.unreadableFiles
    ) { known?($1, &$2) ?? false }
  }

  func readObjects(of names: NameTable, _ range: Range<Int>, into objects: inout [ObjectID?]) {
    objects.removeAll(keepingCapacity: true)
    if let folder { tree.readObjects(of: names, range, in: folder, into: &objects) }
  }

  func readFile(_ path: [UInt8], following: Bool, limit: Int) throws(Errno) -> [UInt8]? { nil }
}
