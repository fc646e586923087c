import Foundation
import GeoChange
import GeoTree
import TestSupport
import Testing

@testable import GeoAtlas

/// The differences between two states of a world, while it goes on changing.
@Suite struct LiveComparisonTests {
  @Test func missingStateMakesChangesIncomplete() async throws {
    let folder = try TemporaryFolder()
    for name in ["old/a", "new/a", "new/b"] { try folder.makeFile(name) }
    func root(_ name: String) -> ScanRoot {
      ScanRoot(label: Array("w".utf8), directory: Array(folder(name).utf8))
    }
    let changes = LiveComparison(Comparison(old: [root("old")], new: [root("new")]))
    func compare() async {
      await withCheckedContinuation { done in changes.compare { done.resume() } }
    }
    await compare()
    #expect(changes.known?.isComplete == true && changes.known?.tree.isEmpty == false)
    try FileManager.default.removeItem(atPath: folder("new"))
    await compare()
    #expect(changes.known?.isComplete == false && changes.known?.tree.isEmpty == false)
    try folder.makeFile("new/a")
    await compare()
    #expect(changes.known?.isComplete == true)
  }
}
