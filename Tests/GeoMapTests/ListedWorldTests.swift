import Foundation
import GeoMap
import GeoPipeline
import TestSupport
import Testing

@Suite struct ListedWorldTests {
  @Test func aListIsReadInPlaceOfTheDisk() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("list", "/srv/b/c\n/srv/a\nelsewhere\n")
    var world = GeoWorld(folder: URL(filePath: "/srv", directoryHint: .notDirectory))
    world.list = ListSource(file: Array(folder("list").utf8))
    var found: [GeoNode] = []
    var faults: [ScanFault] = []
    for try await batch in try await world.nodes() {
      found += batch
      faults += batch.faults
    }
    #expect(found.map(\.path) == ["srv", "srv/a", "srv/b", "srv/b/c"])
    #expect(found.map(\.size) == [2, nil, 1, nil])
    #expect(found.allSatisfy { $0.modified == nil && !$0.isUnreadable })
    #expect(faults.count == 1)
    #expect(faults.first?.path == folder("list, line 3"))
    #expect(faults.first?.reason == .listed("'elsewhere' is not below '/srv'"))
  }

  /// A relative folder is the beginning of relative paths.
  @Test func aListHasRelativePaths() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("list", "srv/b/c\n./srv/a\n/srv/x\n")
    var world = GeoWorld(folder: URL(filePath: "srv"))
    world.list = ListSource(file: URL(filePath: folder("list")))
    var found: [String] = []
    var faults = 0
    for try await batch in try await world.nodes() {
      found += batch.map(\.path)
      faults += batch.faults.count
    }
    #expect(found == ["srv", "srv/a", "srv/b", "srv/b/c"])
    #expect(faults == 1)
  }

  /// Contradictions in a list are reported wherever they are, even in hidden parts.
  @Test func hiddenContradictionsAreReported() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(
      "list", ["1 2 f /srv/a/b/c", "1 3 f /srv/a/b/c", "1 4 f /srv/z"].map { $0 + "\0" }.joined())
    var world = GeoWorld(folder: URL(filePath: "/srv", directoryHint: .notDirectory))
    world.list = ListSource(file: Array(folder("list").utf8))
    world.list?.format = .find
    for depth in [0, 1, 9] {
      world.filter.maximumDepth = depth
      var faults: [ScanFault] = []
      for try await batch in try await world.nodes() { faults += batch.faults }
      #expect(
        faults.map(\.reason) == [.listed("'c' is listed again, otherwise than at entry 1")])
    }
  }

  @Test func unreadableListsAreErrors() async throws {
    var world = GeoWorld(folder: URL(filePath: "/srv", directoryHint: .notDirectory))
    world.list = ListSource(file: Array("/nowhere/list".utf8))
    await #expect(throws: MapError.self) { try await world.nodes() }
    world.roots.append(.init(label: "other", folder: URL(filePath: "/other")))
    await #expect(throws: MapError.severalRootsOfList) { try await world.nodes() }
  }
}
