import GeoCore
import GeoPipeline
import GeoTree
import TestSupport
import Testing

@testable import GeoSources

/// Parts of a tree make the snapshot of the whole.
@Suite struct JoinedSourceTests {
  /// The bytes of a snapshot, as if it was taken at time 0.
  private func bytes(of stream: SnapshotStream) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in stream {
      chunk.withBytes { part in for index in 0..<part.count { bytes.append(part[index]) } }
    }
    return bytes
  }

  private func snapshot(
    of roots: [ScanRoot], _ selection: Selection, only list: FolderList? = nil
  ) async throws -> [UInt8] {
    var request = SnapshotRequest(roots: roots)
    request.selection = selection
    request.options = selection.conditions.map(\.text)
    if let list {
      request.options += list.paths.map { KeptCondition(.only, $0).text }
      request.roots = PartSource.roots(roots, in: list)
    }
    return try await bytes(of: MapPipeline.openSnapshot(request))
  }

  /// The paths of all folders below a root.
  private func folders(_ tree: Tree, in path: [UInt8]) -> [[UInt8]] {
    tree.folders.flatMap { folder in
      let own = path + Array("/".utf8) + folder.name
      return [own] + folders(folder.contents, in: own)
    }
  }

  /// Deals random folders to some lists; the first one has the roots.
  private func lists(
    _ folders: [[UInt8]], roots: [[UInt8]], using generator: inout SeededGenerator
  ) throws -> [FolderList] {
    var owners: [[UInt8]: Int] = [:]
    let count = generator.number(in: 1...4)
    for root in roots { owners[root] = 0 }
    for folder in folders where generator.number(in: 0...2) == 0 {
      owners[folder] = generator.number(in: 0...count - 1)
    }
    func owner(_ path: ArraySlice<UInt8>) -> Int? {
      guard let cut = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      return owners[Array(path[..<cut])] ?? owner(path[..<cut])
    }
    var paths = [[[UInt8]]](repeating: [], count: count)
    for (path, own) in owners where owner(path[...]) != own {
      paths[own].append(path)
      if let above = owner(path[...]) { paths[above].append(path) }
    }
    return try paths.filter { !$0.isEmpty }.map { try FolderList($0) }
  }

  @Test func joinedPartsEqualOneSnapshot() async throws {
    for seed in TestScale.seeds(30) {
      var generator = SeededGenerator(seed: seed)
      let tree = Tree.random(
        Tree.Shape(nodes: generator.number(in: 0...60)), roots: 1, using: &generator)
      let folder = try TemporaryFolder()
      try folder.makeFolder("in")
      try folder.make(tree.folders[0].contents, in: Array("in".utf8))
      let root = ScanRoot(label: Array("r".utf8), directory: Array(folder("in").utf8))
      var selection = Selection()
      if seed % 3 == 0 { selection.excludeHidden() }
      if seed % 4 == 0 { selection.requireSize(.above(3)) }
      let lists = try lists(
        folders(tree.folders[0].contents, in: root.label), roots: [root.label], using: &generator)
      let whole = try await snapshot(of: [root], selection)
      var parts: [Snapshot] = []
      for (number, list) in lists.enumerated() {
        #expect(try FolderList(parsing: list.bytes) == list, "seed \(seed)")
        let name = Array("part\(number)".utf8)
        try folder.makeFile(bytes: name, try await snapshot(of: [root], selection, only: list))
        parts.append(try Snapshot(opening: Array(folder("part\(number)").utf8)))
      }
      let source = try JoinedSource(parts.shuffled(using: &generator), allowsGaps: false)
      let joined = try await bytes(
        of: MapPipeline.openJoined(source, scan: FileSystemScanner.Options()))
      #expect(joined == whole, "seed \(seed), \(lists.count) lists")
      if parts.count > 1 {
        #expect(throws: Failure.self, "seed \(seed)") {
          try JoinedSource(Array(parts.dropFirst()), allowsGaps: false)
        }
        #expect(throws: Failure.self, "seed \(seed)") {
          try JoinedSource(parts + [parts[0]], allowsGaps: false)
        }
        // With gaps, everything can still be read.
        let rest = try JoinedSource(Array(parts.dropFirst()), allowsGaps: true)
        _ = try await bytes(of: MapPipeline.openJoined(rest, scan: FileSystemScanner.Options()))
      }
    }
  }

  @Test func divisionsCoverTheTreeEvenly() throws {
    let folder = try TemporaryFolder()
    for number in 0..<40 {
      for file in 0..<5 { try folder.makeFile("in/\(number % 8)/\(number)/\(file)", "") }
    }
    let root = ScanRoot(label: Array("r".utf8), directory: Array(folder("in").utf8))
    let division = try TreeDivision([root], into: 3)
    #expect(division.lists.count == 4)
    #expect(division.entries == 249)
    #expect(abs(division.shares.reduce(0, +) - 1) < 1e-9)
    #expect(division.shares.allSatisfy { $0 > 0.1 && $0 < 0.4 })
    let owners = ListedFolders(division.lists)
    var open = Array(owners.folders.values)
    while let next = open.popLast() {
      #expect(next.owners.count == 1)
      open += next.folders.values
    }
    #expect(try TreeDivision([root], into: 3).lists == division.lists)
  }
}
