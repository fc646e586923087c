import Foundation
import GeoMap
import GeoPipeline
import GeoScan
import GeoSources
import Synchronization
import TestSupport
import Testing

/// Worlds read from sources other than a disk.
@Suite struct SourceTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("w/a/one", "12345")
    try folder.makeFile("w/a/b/two", "1")
    try folder.makeFile("w/three", "")
  }

  private func nodes(_ world: GeoWorld) async throws -> [GeoNode] {
    var nodes: [GeoNode] = []
    for try await batch in try await world.nodes() { nodes += batch }
    return nodes
  }

  private func features(_ world: GeoWorld) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await chunk in try world.features() { bytes += chunk }
    return bytes
  }

  @Test func snapshotsEqualTheDisk() async throws {
    let disk = GeoWorld(folder: URL(filePath: folder("w"), directoryHint: .isDirectory))
    var bytes: [UInt8] = []
    for try await chunk in try disk.snapshot() { bytes += chunk }
    try folder.makeFile(bytes: Array("s".utf8), bytes)
    let kept = GeoWorld(snapshot: try Snapshot(opening: Array(folder("s").utf8)))
    #expect(try await nodes(kept) == nodes(disk))
    let opened = GeoWorld(snapshot: try await Snapshot.open(URL(filePath: folder("s"))))
    #expect(try await nodes(opened) == nodes(kept))
    await #expect(throws: SnapshotError.self) {
      try await Snapshot.open(URL(filePath: folder("w/three")))
    }
    #expect(try await features(kept) == features(disk))
    #expect(try await nodes(kept).map(\.fileURL.path).contains(folder("w/a/one")))
    let (one, two) = (try disk.reader(), try kept.reader())
    #expect(try await one.node(at: "w/a/one") == two.node(at: "w/a/one"))
    #expect(try await two.node(at: "w/a/one")?.size == 5)
    #expect(try await one.children(of: "w") == two.children(of: "w"))
    #expect(try await kept.stats().total == disk.stats().total)
    _ = try await kept.verify()
    var two2 = kept
    two2.roots.append(.init(label: "now", folder: URL(filePath: folder("w"))))
    #expect(try await two2.reader().node(at: "now/a/one")?.size == 5)
    var ignoring = kept
    ignoring.selection.excludeIgnored()
    #expect(throws: MapError.self) { try ignoring.lookup() }
    await #expect(throws: MapError.self) { try await ignoring.nodes() }
  }

  @Test func snapshotsNameTheirSelection() async throws {
    var world = GeoWorld(folder: URL(filePath: folder("w"), directoryHint: .isDirectory))
    try world.selection.exclude(Array("*.o".utf8))
    world.selection.excludeHidden()
    try world.selection.include(Array("a b".utf8), selectively: false)
    world.selection.requireKinds([.symlink, .regular])
    world.selection.newer = -5
    world.scan.followsLinks = true
    var bytes: [UInt8] = []
    for try await chunk in try world.snapshot() { bytes += chunk }
    try folder.makeFile(bytes: Array("s".utf8), bytes)
    let header = try Snapshot(opening: Array(folder("s").utf8)).header
    #expect(
      header.options.map { String(decoding: $0, as: UTF8.self) } == [
        "--exclude=**/*.o", "--no-hidden", "--include=**/a b", "--type=f,l", "--newer=@-5",
        "--follow",
      ])
  }

  @Test func indexedListsAnswerLookups() async throws {
    try folder.makeFile("list", "/srv/b/c\n/srv/a\nelsewhere\n")
    var world = GeoWorld(folder: URL(filePath: "/srv", directoryHint: .notDirectory))
    world.list = ListSource(file: Array(folder("list").utf8))
    #expect(throws: MapError.noLookup(because: .list)) { try world.lookup() }
    let faults = Mutex<[ScanFault]>([])
    let ordered = try await world.indexed { found in faults.withLock { $0 += found } }
    #expect(faults.withLock(\.self).map(\.reason) == [.listed("'elsewhere' is not below '/srv'")])
    #expect(try await nodes(ordered) == nodes(world))
    #expect(try await ordered.reader().node(at: "srv/b/c")?.nodeType == .poi)
    let total = try await world.stats().total
    #expect(total.files == 2 && total.bytes == nil && total.allocated == nil)
    _ = try await world.verify()
  }

  @Test func revisionsCanBeMapped() async throws {
    let made = try Subprocess(
      "/bin/sh",
      [
        "-c",
        "cd \"$W\" && git init -q && git -c user.name=a -c user.email=a@b add -A && "
          + "git -c user.name=a -c user.email=a@b commit -qm one",
      ].map { Array($0.utf8) },
      environment: ["W=\(folder("w"))", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"]
    ).finish()
    try #require(made.status == 0, "\(made.errorText)")
    let revision = try GitRevision(Array("HEAD".utf8), of: Array(folder("w").utf8))
    let world = GeoWorld(revision: revision, label: "w")
    #expect(
      try await nodes(world).map(\.path) == [
        "w", "w/three", "w/a", "w/a/one", "w/a/b", "w/a/b/two",
      ])
    let node = try #require(try await world.reader().node(at: "w/a/one"))
    #expect(node.size == 5 && node.modified == nil)
    #expect(throws: GitError.self) {
      try GitRevision(Array("none".utf8), of: Array(folder("w").utf8))
    }
    let read = try await GitRevision.read("HEAD", of: URL(filePath: folder("w")))
    #expect(try await nodes(GeoWorld(revision: read, label: "w")) == nodes(world))
    await #expect(throws: GitError.self) {
      try await GitRevision.read("none", of: URL(filePath: folder("w")))
    }
  }
}
