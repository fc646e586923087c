import Foundation
import GeoSources
import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem
import TestSupport
import Testing

@testable import GeoSources

/// A snapshot holds what was on the disk.
@Suite struct SnapshotTests {
  /// The lines of ``SnapshotContents``, made from the disk.
  private func lines(_ path: String, _ shown: String) throws -> [String] {
    var names = NameTable()
    var folders = NameTable()
    let descriptor = try FileSystem.openRoot(Array(path.utf8))
    var reader = DirectoryReader()
    #expect(reader.read(descriptor.rawValue, files: &names, folders: &folders) == nil)
    names.sort()
    folders.sort()
    let own = try FileSystem.facts(of: descriptor.rawValue, storage: true)
    var lines = ["\(shown)/ true \(own.modified) \(text(own.storage))"]
    for index in 0..<names.count {
      let facts = try FileSystem.facts(
        of: names.name(at: index), in: descriptor.rawValue, storage: true)
      let name = String(decoding: names.name(at: index), as: UTF8.self)
      lines.append(
        "\(shown)/\(name) known \(facts.kind) \(facts.size) \(facts.modified) "
          + text(facts.storage))
    }
    for index in 0..<folders.count {
      let name = String(decoding: folders.name(at: index), as: UTF8.self)
      lines += try self.lines("\(path)/\(name)", "\(shown)/\(name)")
    }
    return lines
  }

  private func text(_ storage: FileStorage) -> String {
    "\(storage.identity.inode) \(storage.allocated) \(storage.nanoseconds) "
      + "\(storage.links) \(storage.owner) \(storage.group)"
  }

  /// A redacted snapshot has no inode, device, owner, group or number of names under a new name.
  @Test func redactsSnapshots() async throws {
    let (tree, file) = (try TemporaryFolder(), try TemporaryFolder())
    try tree.makeFile("open/a", "1")
    try tree.makeFile("secret/b", "22")
    for (old, new) in [("open/a", "secret/c"), ("secret/b", "secret/d"), ("open/a", "open/e")] {
      #expect(link(tree(old), tree(new)) == 0)
    }
    let root = ScanRoot(label: Array("r".utf8), directory: Array(tree.path.utf8))
    let key = try #require(RedactionKey(parsing: Array(repeating: UInt8(ascii: "7"), count: 64)))
    let redaction = try Redaction([Array("secret".utf8)], key: key)
    let roots = redaction.roots([root], keepsIdentity: false)
    let bytes = try await snapshot(SnapshotRequest(roots: roots)).bytes
    let opened = try file.open(bytes)
    let lines = SnapshotContents(opened).lines
    #expect(lines.count == 8)
    for line in lines {
      let words = line.split(separator: " ").suffix(6).map(String.init)
      if line.contains("~") || line.hasPrefix("r/ ") {
        #expect(
          words[0] == "0" && Array(words[3...]) == ["0", "4294967295", "4294967295"], "\(line)")
      } else {
        #expect(words[0] != "0" && words[3] != "0" && words[4] != "4294967295", "\(line)")
      }
    }
    #expect(opened.header.roots[0].directory == Array("r".utf8))
  }

  @Test func randomTreesRoundTrip() async throws {
    for seed in TestScale.seeds(12) {
      var generator = SeededGenerator(seed: seed)
      let tree = Tree.random(
        Tree.Shape(nodes: generator.number(in: 0...400)), roots: 1, using: &generator)
      let folder = try TemporaryFolder()
      try folder.makeFolder("in")
      try folder.make(tree.folders[0].contents, in: Array("in".utf8))
      let bytes = try await snapshot(of: folder("in"), threads: 1 + Int(seed % 4))
      let contents = SnapshotContents(try folder.open(bytes))
      #expect(contents.lost.isEmpty, "seed \(seed)")
      let expected = try lines(folder("in"), "r")
      #expect(contents.lines == expected, "seed \(seed)")
      #expect(try folder.open(bytes).check { _ in }.isSound, "seed \(seed)")
    }
  }

  @Test func largeListingsSpanBlocks() async throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 3)
    try folder.makeFolder("a")
    try folder.makeFolder("b")
    for name in Tree.names(6000, using: &generator) {
      try folder.makeFile(bytes: Array("a/".utf8) + name)
    }
    for name in Tree.names(900, using: &generator) {
      try folder.makeFolder(bytes: Array("b/".utf8) + name)
    }
    let bytes = try await snapshot(of: folder.path)
    let file = try TemporaryFolder()
    let snapshot = try file.open(bytes)
    #expect(snapshot.blocks > 2)
    let contents = SnapshotContents(snapshot)
    #expect(try contents.lines == lines(folder.path, "r"))
    #expect(contents.lost.isEmpty)
  }

  @Test func foldersAreFoundByTheirMark() async throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 5)
    let tree = Tree.random(Tree.Shape(nodes: 800, depth: 0.6), roots: 1, using: &generator)
    try folder.make(tree.folders[0].contents)
    let file = try TemporaryFolder()
    let opened = try file.open(try await snapshot(of: folder.path))
    var reader = SnapshotRecordReader(opened, asksForStorage: false)
    var other = SnapshotRecordReader(opened, asksForStorage: false)
    var (listing, again) = (SnapshotListing(), SnapshotListing())
    var stack = opened.roots()
    var folders = 0
    while !stack.isEmpty {
      // In an order that a reader can't predict.
      let child = stack.remove(at: generator.number(in: 0...(stack.count - 1)))
      guard case .success(let reference) = child else { continue }
      folders += 1
      stack += try reader.read(reference, into: &listing)
      let found = try #require(opened.reference(handle: reference.handle))
      _ = try other.read(found, into: &again)
      #expect(again.files.bytes == listing.files.bytes)
      #expect(again.folders.bytes == listing.folders.bytes)
    }
    #expect(folders == Int(opened.folders))
  }

  @Test func threadsDontChangeTheBytes() async throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 9)
    let tree = Tree.random(Tree.Shape(nodes: 3000), roots: 1, using: &generator)
    try folder.make(tree.folders[0].contents)
    let first = try await snapshot(of: folder.path, threads: 1)
    for threads in [1, 2, 3, 7] {
      #expect(try await snapshot(of: folder.path, threads: threads) == first)
    }
  }

  @Test func excludedEntriesKeepNameAndKind() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("keep/a.c", "12")
    try folder.makeFile("keep/b.o", "123")
    try folder.makeFile("gone/x.c")
    try folder.makeFile("zone/y.c")
    var request = SnapshotRequest(
      roots: [ScanRoot(label: Array("r".utf8), directory: Array(folder.path.utf8))])
    try request.selection.exclude(Array("gone/".utf8))
    try request.selection.exclude(Array("**/*.o".utf8))
    request.options = [Array("--exclude=**/*.o".utf8)]
    let file = try TemporaryFolder()
    let opened = try file.open(try await snapshot(request).bytes)
    #expect(opened.header.options == request.options)
    var reader = SnapshotRecordReader(opened, asksForStorage: true)
    var listing = SnapshotListing()
    guard case .success(let root) = opened.roots()[0] else {
      Issue.record("no root")
      return
    }
    let children = try reader.read(root, into: &listing)
    #expect(listing.folders.count == 3)
    #expect(listing.foldersLeftOut.map(\.index) == [0])
    #expect(listing.foldersLeftOut.map(\.reason) == [.pattern])
    #expect(children[0] == .failure(.leftOut))
    guard case .success(let keep) = children[1] else {
      Issue.record("no folder")
      return
    }
    _ = try reader.read(keep, into: &listing)
    #expect(listing.files.count == 2)
    #expect(listing.facts.map(\.status) == [.known, .hidden])
    #expect(listing.facts.compactMap(\.leftOut) == [.pattern])
    #expect(listing.facts[0].size == 2)
    #expect(opened.check { _ in }.leftOut == 2)
  }

  @Test func reasonsOfFaultsAreStored() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("in/a")
    // A list that names its unreadable folders.
    try folder.makeFile(
      "list",
      #"[1,2,{},[{"name":"/in"},{"name":"x","asize":5},{"name":"y","read_error":true}],"#
        .replacing("],", with: "]]"))
    var request = SnapshotRequest(
      roots: [ScanRoot(label: Array("r".utf8), directory: Array("/in".utf8))])
    var list = ListSource(file: Array(folder("list").utf8))
    list.format = .ncdu
    try request.read(list)
    let opened = try folder.open(try await snapshot(request).bytes)
    #expect(opened.header.origin == .list)
    #expect(opened.header.knowledge == [.links, .room, .identity])
    var reader = SnapshotRecordReader(opened, asksForStorage: true)
    var listing = SnapshotListing()
    guard case .success(let root) = opened.roots()[0] else {
      Issue.record("no root")
      return
    }
    _ = try reader.read(root, into: &listing)
    #expect(listing.facts.map(\.status) == [.sized, .unreadable])
    #expect(listing.modified == nil)
    #expect(listing.failures.map(\.index) == [1])
  }
}
