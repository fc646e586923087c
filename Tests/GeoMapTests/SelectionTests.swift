import GeoFormats
import GeoTree
import TestSupport
import Testing

@testable import GeoPipeline

/// The disk accesses that a selection saves.
@Suite struct SelectionTests {
  private func scan(_ request: MapRequest) async throws -> (opened: Int, nodes: Int, left: Int) {
    let survey = try MapJob(request)
    var nodes = 0
    var left = 0
    for try await batch in try await survey.begin(output: { NodeOutput() }) {
      nodes += batch.content.records.count
      left += batch.content.excluded.total
    }
    return (await survey.openedFolders, nodes, left)
  }

  @Test func excludedFoldersAreNotOpened() async throws {
    let folder = try TemporaryFolder()
    for part in ["a", "b", "a/c", ".d"] {
      for number in 0..<5 { try folder.makeFile("src/\(part)/\(number)/file") }
    }
    try folder.makeFile("src/.gitignore", "b\n/a/c/\n")
    var request = MapRequest(
      roots: [ScanRoot(label: Array("src".utf8), directory: Array(folder("src").utf8))])
    #expect(try await scan(request) == (25, 25 + 21, 0))
    try request.selection.exclude(Array("a/*".utf8))
    #expect(try await scan(request) == (14, 14 + 11, 6))
    request.selection = Selection()
    request.selection.excludeHidden()
    #expect(try await scan(request) == (19, 19 + 15, 2))
    request.selection = Selection()
    request.selection.excludeIgnored()
    #expect(try await scan(request) == (13, 13 + 11, 2))
    // Folders are entered even if they aren't written.
    request.selection = Selection()
    request.selection.requireKinds([.regular])
    #expect(try await scan(request) == (25, 21, 25))
  }

  @Test func excludedEntriesAreCounted() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<3000 { try folder.makeFile("src/\(number)") }
    var request = MapRequest(
      roots: [ScanRoot(label: Array("src".utf8), directory: Array(folder("src").utf8))])
    request.selection.requireKinds([.directory])
    #expect(try await scan(request) == (1, 1, 3000))
    request.selection.requireKinds([.symlink])
    request.selection.requireSize(.above(10))
    #expect(try await scan(request) == (1, 1, 3000))
  }
}
