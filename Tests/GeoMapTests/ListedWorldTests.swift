import Foundation
import GeoMap
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
    #expect(faults.first?.path == Array(folder("list, line 3").utf8))
    #expect(faults.first?.reason == .listed("'elsewhere' is not below '/srv'"))
  }

  @Test func listsThatCannotBeRead() async throws {
    var world = GeoWorld(folder: URL(filePath: "/srv", directoryHint: .notDirectory))
    world.list = ListSource(file: Array("/nowhere/list".utf8))
    await #expect(throws: MapError.self) { try await world.nodes() }
    world.roots.append(.init(label: "other", folder: URL(filePath: "/other")))
    await #expect(throws: MapError.severalRootsOfList) { try await world.nodes() }
  }
}
