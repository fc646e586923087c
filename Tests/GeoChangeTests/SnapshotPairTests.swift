import GeoCore
import GeoFormats
import GeoPipeline
import GeoTree
import GeoWeb
import TestSupport
import Testing

@testable import GeoChange
@testable import GeoSources

/// Comparing two snapshots gives the same result whether equal blocks are skipped or read.
@Suite struct SnapshotPairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A snapshot of a state, in blocks of a few entries.
  private func snapshot(_ state: MemoryState, _ name: String, threads: Int = 1) async throws
    -> Snapshot
  {
    var request = SnapshotRequest(roots: [MemorySource(state).root()])
    request.scan.threads = threads
    var stream = try await MapPipeline.openSnapshot(request)
    stream.ends = BlockEnds(minimum: 40, maximum: 120, rarity: 3)
    var bytes: [UInt8] = []
    for try await chunk in stream {
      chunk.withBytes { part in for index in 0..<part.count { bytes.append(part[index]) } }
    }
    try folder.makeFile(bytes: Array(name.utf8), bytes)
    return try Snapshot(opening: Array(folder(name).utf8))
  }

  /// What is written of two snapshots, and how many folders were read.
  private func written(
    _ old: [ScanRoot], _ new: [ScanRoot], threads: Int = 2, since: Int64? = nil
  ) async throws -> (texts: [String], folders: Int) {
    var comparison = Comparison(old: old, new: new)
    comparison.scan.threads = threads
    comparison.since = since
    var request = ChangeMapRequest(
      comparison, states: [.init(name: [0x61]), .init(name: [0x62])],
      frame: StandalonePage.changes.frame)
    var texts: [String] = []
    for format in [FileFormat.geojson, .geojsonseq, .csv] {
      request.format = format
      var bytes: [UInt8] = []
      for try await chunk in try await request.open() {
        chunk.withBytes { span in for index in 0..<span.count { bytes.append(span[index]) } }
      }
      texts.append(String(decoding: bytes, as: UTF8.self))
    }
    var batches = try await comparison.start().makeAsyncIterator()
    while let progress = try await batches.next(isolation: nil) {
      texts += progress.faults.map { "\($0)" }
    }
    let tree = try batches.finish()
    texts += ["\(ChangeSummary(tree, top: 5))", "\(tree.total)", "\(tree.isEmpty)"]
    return (texts, tree.counted.folders)
  }

  @Test(arguments: [false, true])
  func skippingEqualBlocksChangesNothing(mayFail: Bool) async throws {
    nonisolated(unsafe) var skipped = 0
    try await StatePair.check("two snapshots", cases: 50, mayFail: mayFail) { pair in
      let old = try await snapshot(pair.old, "old")
      let new = try await snapshot(pair.new, "new", threads: 3)
      let all = try await written(old.scanRoots(), new.scanRoots())
      guard let common = CommonBlocks(old, new) else { return "they have no blocks to compare" }
      for threads in [1, 3] {
        let found = try await written(
          old.scanRoots(sharing: common), new.scanRoots(sharing: common), threads: threads)
        if found.texts != all.texts { return "\(found.texts) is not \(all.texts)" }
        skipped += all.folders - found.folders
      }
      let since = try await written(old.scanRoots(), new.scanRoots(), since: 1)
      let found = try await written(
        old.scanRoots(sharing: common), new.scanRoots(sharing: common), since: 1)
      return found.texts == since.texts ? nil : "with since \(found.texts) is not \(since.texts)"
    }
    #expect(skipped > 0)
  }

  /// Two states with a large part in common, and a file that moved.
  private func states(copy: Bool) -> StatePair {
    var old = MemoryState()
    for name in ["a", "m", "z"] {
      old.entries[name] = .folder
      for number in 0..<20 {
        old.entries["\(name)/\(number)"] = .folder
        for file in 0..<3 {
          old.entries["\(name)/\(number)/f\(file)"] = .file(
            kind: .regular, size: Int64(100 + number), seconds: Int64(file), nanoseconds: 0)
        }
      }
    }
    let file = MemoryState.Entry.file(kind: .regular, size: 9, seconds: 0, nanoseconds: 5)
    if copy { old.entries["z/7/copy"] = file }
    var new = old
    old.entries["m/1/x"] = file
    new.entries["m/8/y"] = file
    return StatePair(old: old, new: new)
  }

  @Test func copiesInSkippedBlocksAreNotMoves() async throws {
    for copy in [false, true] {
      let states = states(copy: copy)
      let (old, new) = (
        try await snapshot(states.old, "old"), try await snapshot(states.new, "new")
      )
      let all = try await written(old.scanRoots(), new.scanRoots())
      let common = try #require(CommonBlocks(old, new))
      let found = try await written(
        old.scanRoots(sharing: common), new.scanRoots(sharing: common))
      #expect(found.texts == all.texts)
      #expect(found.folders * 2 < all.folders)
      #expect(found.texts[0].contains("\"change\":\"moved\"") != copy)
      #expect(found.texts[0].contains("\"change\":\"added\"") == copy)
    }
  }

  /// A name of a file moved whose other name could be skipped: the file is counted once.
  @Test func filesOfSeveralNamesAreNotSkipped() async throws {
    var states = states(copy: true)
    states.old.inodes = ["z/7/copy": 5, "m/1/x": 5]
    states.new.inodes = ["z/7/copy": 5, "m/8/y": 5]
    (states.old.room, states.new.room) = (1, 1)
    let old = try await snapshot(states.old, "old")
    let new = try await snapshot(states.new, "new")
    let all = try await written(old.scanRoots(), new.scanRoots())
    let common = try #require(CommonBlocks(old, new))
    let found = try await written(old.scanRoots(sharing: common), new.scanRoots(sharing: common))
    #expect(found.texts == all.texts)
    #expect(found.folders < all.folders)
  }

  /// A folder that vanished in one state, and another in the other, have the same records.
  @Test func theIndexIsComparedToo() async throws {
    let states = states(copy: false)
    let old = try await snapshot(states.old, "old")
    let same = try await snapshot(states.old, "same")
    let common = try #require(CommonBlocks(old, same))
    #expect(common.runs.old.count == 1)
    var pages = IndexPages()
    guard case .success(let root) = old.roots()[0], case .success(let other) = same.roots()[0]
    else {
      Issue.record("no root")
      return
    }
    let content = try #require(common.content(of: root, in: old, by: &pages))
    var others = IndexPages()
    #expect(common.content(of: other, in: same, by: &others) == content)
    var fewer = root
    fewer.below = root.below.lowerBound..<(root.below.upperBound - 1)
    #expect(common.content(of: fewer, in: old, by: &pages) != content)
  }

  @Test func damagedBlocksAreNeverEqual() async throws {
    let states = states(copy: false)
    let sound = try await snapshot(states.old, "old")
    var bytes = try folder.read("old")
    bytes[Int(sound.firstBlock) + SnapshotNumbers.blockHeader + 3] ^= 1
    for name in ["one", "two"] { try folder.makeFile(bytes: Array(name.utf8), bytes) }
    let old = try Snapshot(opening: Array(folder("one").utf8))
    let new = try Snapshot(opening: Array(folder("two").utf8))
    let all = try await written(old.scanRoots(), new.scanRoots())
    let common = try #require(CommonBlocks(old, new))
    let found = try await written(old.scanRoots(sharing: common), new.scanRoots(sharing: common))
    #expect(found.texts == all.texts)
    #expect(found.texts.contains { $0.contains("damaged") })
  }
}
