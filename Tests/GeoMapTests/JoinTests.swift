import GeoFormats
import GeoCore
import GeoProjection
import GeoTree
import TestSupport
import Testing

@testable import GeoPipeline

/// The joined parts of a map equal the map.
@Suite struct JoinTests {
  /// The fault of a case; nil if its parts join correctly.
  private func fault(_ join: JoinCase) async -> String? {
    do { return try await difference(join) } catch { return "\(error)" }
  }

  /// The map from one run and the map from parts, if they differ.
  private func difference(_ join: JoinCase) async throws -> String? {
    let folder = try TemporaryFolder()
    try folder.make(join.tree)
    if join.requests.contains(3) {
      for root in join.tree.folders where !root.contents.folders.isEmpty {
        let below = root.name + [0x2F] + root.contents.folders[0].name
        try folder.makeFile(bytes: root.name + Array("/.gitignore".utf8), Array("[a-f]*".utf8))
        try folder.makeFile(bytes: below + Array("/.gitignore".utf8), Array("!?*\nz*".utf8))
      }
    }
    var request = try join.request(folder)
    let whole = try await bytes(of: request)

    let store = try TemporaryFolder()
    var files: [String] = []
    for manifest in try join.manifests(folder) {
      request.shard = try ShardManifest(text: manifest.text)
      try store.makeFile(bytes: Array("\(manifest.number)".utf8), try await bytes(of: request))
      files.append(store("\(manifest.number)"))
    }
    let parts = try joined(files.reversed())
    if parts == whole { return nil }
    return "\(String(decoding: parts, as: UTF8.self))\nis not\n"
      + String(decoding: whole, as: UTF8.self)
  }

  @Test func partsMakeTheWhole() async throws {
    for seed in TestScale.seeds(40) {
      var generator = SeededGenerator(seed: seed)
      var join = JoinCase.random(&generator)
      guard var fault = await fault(join) else { continue }
      // Properties run synchronously and maps asynchronously, so the case is shrunk here.
      var goesOn = true
      while goesOn {
        goesOn = false
        for candidate in join.smaller.prefix(200) {
          guard let smaller = await self.fault(candidate) else { continue }
          (join, fault, goesOn) = (candidate, smaller, true)
          break
        }
      }
      Issue.record("seed \(seed): \(fault)\nsmallest case found:\n\(join)")
      return
    }
  }

  /// A landless folder is hidden together with the land whose city holds it.
  @Test(arguments: [Layout.settled, .pinned])
  func landlessFoldersAreHiddenWithTheirLand(layout: Layout) async throws {
    let name = Array("a".utf8)
    var tree = Tree()
    for _ in 0..<24 { tree = Tree(folders: [Tree.Folder(name, tree)], files: [[0x66]]) }
    tree.files = []
    var join = JoinCase(tree: tree, choices: [Int](repeating: 0, count: 25))
    join.layout = layout
    join.requests = [4]
    for cut in [8, 12, 16, 20] {
      join.choices = (0..<25).map { $0 == cut ? 1 : 0 }
      for west in stride(from: -180.0, to: 180, by: 40) {
        join.filter.box = BoundingBox(west: west, south: -70, east: west + 40, north: 70)
        let found = await fault(join)
        #expect(found == nil)
      }
    }
  }

  /// A small world in three parts, and their files.
  private func makeParts(
    _ change: (inout MapRequest) -> Void = { _ in }
  ) async throws -> (store: TemporaryFolder, files: [String], manifests: [ShardManifest]) {
    var generator = SeededGenerator(seed: 12)
    var join = JoinCase(
      tree: Tree.random(Tree.Shape(nodes: 20, folders: 0.5), roots: 1, using: &generator),
      choices: [0])
    join.parts = 2
    let folder = try TemporaryFolder()
    try folder.make(join.tree)
    let manifests = try join.manifests(folder)
    let store = try TemporaryFolder()
    var request = try join.request(folder)
    change(&request)
    for manifest in manifests {
      request.shard = manifest
      try store.makeFile(bytes: Array("\(manifest.number)".utf8), try await bytes(of: request))
    }
    return (store, manifests.map { store("\($0.number)") }, manifests)
  }

  /// Older tables lacked `name`, `special` and `rawPath`; parts from that time join to such a
  /// table.
  @Test func partsWithoutTheLaterColumnsAreJoined() async throws {
    let folder = try TemporaryFolder()
    for name in ["a/x", "a/y", "b/c/z", "b/w", "top"] { try folder.makeFile("src/\(name)", "x") }
    var request = MapRequest(
      roots: [ScanRoot(label: Array("src".utf8), directory: Array(folder("src").utf8))])
    request.format = .csv
    let whole = try await bytes(of: request)
    let manifests = try ShardSet(splitting: request.roots, layout: .settled, into: 2).manifests
    try #require(manifests.count > 1)
    var files: [String] = []
    for manifest in manifests {
      request.shard = manifest
      let part = try await bytes(of: request)
      #expect(
        String(decoding: part, as: UTF8.self).contains(#""columns":["name","special","rawPath"]"#))
      files.append(folder("\(manifest.number)"))
      try folder.makeFile(bytes: Array("\(manifest.number)".utf8), try withoutLaterColumns(part))
    }
    #expect(try joined(files) == shortened(whole[...]))
    // Old and new parts can't be joined.
    request.shard = manifests[0]
    try folder.makeFile(bytes: Array("0".utf8), try await bytes(of: request))
    #expect(throws: JoinError.self) { try joined(files) }
  }

  /// A table without its last three columns; its names must be plain.
  private func shortened(_ table: ArraySlice<UInt8>) -> [UInt8] {
    var short: [UInt8] = []
    for line in table.split(separator: 10) {
      let fields = line.dropLast().split(separator: 0x2C, omittingEmptySubsequences: false)
      short += fields.dropLast(3).joined(separator: [0x2C]) + [13, 10]
    }
    return short
  }

  private func withoutLaterColumns(_ part: [UInt8]) throws -> [UInt8] {
    let start = try #require(part.firstIndex(of: 10)) + 1
    let end = try #require(part.dropLast().lastIndex(of: 10)) + 1
    var header = try PartHeader(text: Array(part[..<start]))
    header.hasLaterColumns = false
    var trailer = try PartTrailer(text: part[end..<(part.count - PartTrailer.checksumLength)])
    trailer.marks = trailer.marks.map {
      PartTrailer.Mark(
        path: $0.path, offset: shortened(part[start..<(start + $0.offset)]).count)
    }
    let features = shortened(part[start..<(start + trailer.bytes)])
    trailer.bytes = features.count
    let text = header.text + features + trailer.text
    return text + PartTrailer.checksum(XXH64.hash(text.span, seed: 0))
  }

  @Test func everyChangedByteIsRefused() async throws {
    // Rings are long, and their bytes are equivalent, so a few samples are enough.
    for (format, step) in [(OutputFormat.geojson, 61), (.csv, 3)] {
      let (store, files, manifests) = try await makeParts { $0.format = format }
      try #require(manifests.count == 3)
      _ = try joined(files)
      for number in ["0", "2"] {
        let text = try store.read(number)
        func expectRefusal(_ bytes: [UInt8], _ what: Comment) throws {
          try store.makeFile(bytes: Array(number.utf8), bytes)
          #expect(throws: JoinError.self, what) {
            try PartFile(Array(store(number).utf8)).verify()
          }
        }
        for index in stride(from: 0, to: text.count, by: TestScale.each(step)) {
          var changed = text
          changed[index] ^= UInt8(truncatingIfNeeded: 1 + index % 255)
          try expectRefusal(changed, "\(format), byte \(index) of \(number)")
        }
        for length in stride(from: 0, to: text.count, by: TestScale.each(7 * step)) {
          try expectRefusal(Array(text[..<length]), "\(format), \(length) bytes of \(number)")
        }
        try expectRefusal(text + text, "twice")
        try store.makeFile(bytes: Array(number.utf8), text)
      }
      _ = try joined(files)
    }
  }

  @Test func partsAreShared() async throws {
    var generator = SeededGenerator(seed: 3)
    let folder = try TemporaryFolder()
    try folder.make(
      Tree.random(Tree.Shape(nodes: 3000, folders: 0.3), roots: 1, using: &generator),
      in: [])
    let roots = [ScanRoot(label: Array("all".utf8), directory: Array(folder.path.utf8))]
    let set = try ShardSet(splitting: roots, layout: .settled, into: 7)
    #expect(set.manifests.count == 8)
    #expect(set.entries == 3002)
    #expect(abs(set.shares.reduce(0, +) - 1) < 1e-9)
    let cuts = set.manifests.dropFirst().flatMap(\.places).map(\.path)
    #expect(cuts.sorted(by: MapOrder.precedes) == set.manifests[0].cuts)
    // Splitting the same tree again gives the same manifests.
    #expect(try ShardSet(splitting: roots, layout: .settled, into: 7).manifests == set.manifests)
  }

  /// The scan for work estimates has a limited depth; deeper folders are estimated.
  @Test func whatIsNotListedIsEstimated() throws {
    let folder = try TemporaryFolder()
    for a in 0..<20 {
      for b in 0..<20 { for c in 0..<3 { try folder.makeFile("\(a)/\(b)/\(c)") } }
    }
    let roots = [ScanRoot(label: Array("all".utf8), directory: Array(folder.path.utf8))]
    let placer = try ListingPlacer(.settled, roots)
    let whole = WorkEstimate(placer, limit: .max)
    #expect(whole.folders[0].work == 1 + 20 + 400 + 1200)
    let estimate = WorkEstimate(placer, limit: 221)
    #expect(estimate.folders.count == 421)
    #expect(estimate.folders.count { $0.fileCount == nil } == 200)
    #expect(estimate.folders[0].work > 1000 && estimate.folders[0].work < 3000)
    let cutting = Cutting(estimate, into: 4)
    #expect(cutting.shares.count == 4)
    for share in cutting.shares { #expect(share.work / estimate.folders[0].work < 0.3) }
  }
}
