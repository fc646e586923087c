import GeoChange
import GeoCore
import GeoTree
import GeoSystem
import Testing

@testable import GeoVerify

/// A map read as a tree returns what the map's source returned.
@Suite struct MapTreeTests {
  private static let words = "could not be read when the map was made"

  /// A map of a root `r` with files, a folder that is a loop, and an unreadable one.
  private var root: ScanRoot? {
    var builder = MapTree.Builder()
    func node(
      _ path: String, _ facts: EntryFacts, isFolder: Bool = false, isLoop: Bool = false
    ) -> MapReader.Node {
      MapReader.Node(path: Array(path.utf8), isFolder: isFolder, facts: facts, isLoop: isLoop)
    }
    let unknown = EntryFacts(size: -1, modified: 7, status: .unreadable, kind: .directory)
    let loop = EntryFacts(size: -1, modified: 0, status: .sized, kind: .directory)
    builder.add(
      node("r", EntryFacts(size: 5, modified: 9, status: .known, kind: .directory), isFolder: true))
    builder.add(
      node("r/a", EntryFacts(size: 3, modified: 1, status: .known, kind: .regular)))
    builder.add(
      node("r/b", EntryFacts(size: 0, modified: 0, status: .unreadable, kind: .regular)))
    builder.add(
      node("r/c", EntryFacts(size: 4, modified: 2, status: .known, kind: .symlink)))
    builder.add(node("r/closed", unknown, isFolder: true))
    builder.add(node("r/loop", loop, isFolder: true, isLoop: true))
    #expect(builder.stray == nil)
    return builder.finish().roots(label: nil, file: Array("map".utf8)).first
  }

  private func reader(_ root: ScanRoot, readsMetadata: Bool = true) -> any FolderReader {
    var options = FileSystemScanner.Options()
    options.readsMetadata = readsMetadata
    return root.source.session(options, readers: 1).makeReader()
  }

  @Test func listingsEqualTheMap() throws {
    let root = try #require(root)
    let reader = reader(root)
    var listing = FolderListing()
    reader.list(.path(root: root, path: root.label, handle: nil), into: &listing)
    #expect(listing.outcome == .listed)
    #expect(listing.facts?.modified == 9)
    #expect((0..<listing.files.count).map { listing.files.name(at: $0) } == [[97], [98], [99]])
    #expect(listing.folders.count == 2)
    let handles = listing.handles
    let kept = reader.keep()
    func list(_ name: String, _ handle: UInt64) {
      let path = root.label.appending(component: Array(name.utf8))
      reader.list(
        .child(of: kept, path: path, name: Array(name.utf8), isLink: false, handle: handle),
        into: &listing)
    }
    try #require(handles.count == 2)
    list("closed", handles[0])
    #expect(listing.outcome == .unlisted)
    #expect(listing.failure == .listed(Self.words))
    #expect(listing.facts?.modified == 7)
    list("loop", handles[1])
    #expect(listing.outcome == .loop)
    #expect(listing.failure == nil)
  }

  @Test(arguments: [true, false])
  func unreadableFilesAreReported(readsMetadata: Bool) throws {
    let root = try #require(root)
    let reader = reader(root, readsMetadata: readsMetadata)
    var listing = FolderListing()
    reader.list(.path(root: root, path: root.label, handle: nil), into: &listing)
    var names = listing.files
    names.append(Array("gone".utf8).span, kind: .regular)
    var facts = (0..<names.count).map { EntryFacts(kind: names.records[$0].kind) }
    var storage: [FileStorage] = []
    var failures: [FileSystem.Failure] = []
    reader.readFacts(
      of: names, 0..<names.count, into: &facts, storage: &storage, failures: &failures)
    let status: EntryFacts.Status = readsMetadata ? .known : .unasked
    #expect(facts.map(\.status) == [status, .unreadable, status, .vanished])
    #expect(facts.map(\.size).prefix(3) == [3, 0, 4])
    #expect(failures.map(\.index) == [1, 3])
    #expect(failures.map(\.words) == [Self.words, nil])
  }

  @Test func pathsOffTheMapDontExist() throws {
    let root = try #require(root)
    #expect(throws: Errno.self) {
      try root.source.check(root.below(Array("r/none".utf8)))
    }
    let reader = reader(root)
    var listing = FolderListing()
    reader.list(.path(root: root, path: Array("r/none".utf8), handle: nil), into: &listing)
    #expect(listing.outcome == .unlisted)
    #expect(listing.failure == .unreadable(.noEntry))
  }
}
