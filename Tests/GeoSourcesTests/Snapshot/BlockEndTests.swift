import GeoCore
import GeoTree
import TestSupport
import Testing

@testable import GeoSources

/// Two snapshots of nearly equal trees have nearly the same blocks.
@Suite struct BlockEndTests {
  /// A tree and the same with one change.
  struct Change: Sendable, CustomStringConvertible {
    var old: Tree
    var new: Tree
    var description: String { "\(old.nodeCount) and \(new.nodeCount) nodes" }
  }

  private static let ends = BlockEnds(minimum: 512, maximum: 1024, rarity: 16)

  /// The blocks of a snapshot of a tree whose metadata follows from names.
  private static func blocks(
    _ tree: Tree, _ ends: BlockEnds = Self.ends
  ) throws -> [[UInt8]] {
    var header = SnapshotHeader(roots: [.init(label: Array("r".utf8), directory: [0x2F])])
    header.seconds = 1
    var writer = SnapshotWriter(header, ends: ends)
    var part = SnapshotPart()
    add(tree, depth: 0, number: 0, to: &part)
    try writer.add(part, faults: [])
    try writer.finishTree()
    let bytes = writer.takeOutput()
    var blocks: [[UInt8]] = []
    var start = header.bytes.count
    while start < bytes.count {
      let head = SnapshotNumbers.blockHeader
      let end = start + head + Int(bytes.span.loadHalfWord(at: start + 4) as UInt32)
      blocks.append(Array(bytes[start..<end]))
      start = end
    }
    return blocks
  }

  private static func add(
    _ tree: Tree, depth: Int, number: Int, to part: inout SnapshotPart
  ) {
    let folders = tree.folders.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    let files = tree.files.sorted { $0.lexicographicallyPrecedes($1) }
    var folder = SnapshotPart.Folder(
      depth: depth, number: number, modified: Int64(files.count), storage: nil)
    folder.fileCount = files.count
    folder.folderCount = folders.count
    part.add(
      folder, at: [], folders: NameTable(folders.map(\.name), kind: .directory))
    let facts = files.map { name in
      let mark = Int64(BlockEnds.nameHash(of: name.span))
      return EntryFacts(size: mark & 0xFFFF, modified: mark >> 8, status: .known, kind: .regular)
    }
    part.addFiles(
      NameTable(files, kind: .regular), 0..<files.count, of: [], facts: facts)
    for (number, folder) in folders.enumerated() {
      add(folder.contents, depth: depth + 1, number: number, to: &part)
    }
  }

  /// Adds, removes or renames a file somewhere.
  private static func change(_ tree: inout Tree, using generator: inout SeededGenerator) {
    if !tree.folders.isEmpty, generator.chance(0.8) || tree.files.isEmpty {
      let index = generator.number(in: 0...(tree.folders.count - 1))
      return change(&tree.folders[index].contents, using: &generator)
    }
    let name = Array("new file \(generator.number(in: 0...999))".utf8)
    guard !tree.files.isEmpty, generator.chance(0.7) else { return tree.files.append(name) }
    let index = generator.number(in: 0...(tree.files.count - 1))
    if generator.chance(0.5) { tree.files.remove(at: index) } else { tree.files[index] = name }
  }

  private func property(
    _ name: String, differing: Int, _ tree: @escaping (inout SeededGenerator) -> Tree
  ) -> Property<Change> {
    Property(name) { generator in
      let old = tree(&generator)
      var new = old
      Self.change(&new, using: &generator)
      return Change(old: old, new: new)
    } fault: { change in
      let (old, new) = (try Self.blocks(change.old), try Self.blocks(change.new))
      let count = new.count - Set(old).intersection(new).count
      if new.count < 40 { return "only \(new.count) blocks" }
      return count <= differing ? nil : "\(count) of \(new.count) blocks differ"
    }
  }

  @Test func changesKeepMostBlocks() throws {
    let property = property("a tree", differing: 20) { generator in
      let shape = Tree.Shape(nodes: 4000, folders: 0.1)
      return Tree.random(shape, roots: 1, using: &generator).folders[0].contents
    }
    if let found = try property.counterexample(cases: 15) { Issue.record("\(found)") }
  }

  @Test func changesInAHugeFolderKeepMostBlocks() throws {
    let property = property("one folder", differing: 20) { generator in
      Tree(files: Tree.names(4000, using: &generator))
    }
    if let found = try property.counterexample(cases: 15) { Issue.record("\(found)") }
  }

  @Test func blockLengthsAreLimited() throws {
    var generator = SeededGenerator(seed: 8)
    let tree = Tree(files: Tree.names(6000, using: &generator))
    for block in try Self.blocks(tree, BlockEnds()).dropLast() {
      let length: UInt32 = block.span.loadHalfWord(at: 8)
      #expect(length >= 16 * 1024 && length < 34 * 1024)
    }
  }
}
