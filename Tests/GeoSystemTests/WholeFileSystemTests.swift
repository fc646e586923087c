import GeoSystem
import TestSupport
import Testing

@Suite struct WholeFileSystemTests {
  @Test func onlyRootsOfFileSystemsHaveANumberOfEntries() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("inner/file")
    #expect(FileSystem.entries(ofWhole: Array(folder("inner").utf8)) == nil)
    #expect(FileSystem.entries(ofWhole: Array(folder("missing").utf8)) == nil)
    // Some file systems, and those of containers, don't know it.
    let all = FileSystem.entries(ofWhole: Array("/".utf8))
    #expect(all ?? 1 > 0)
  }
}
