import GeoTree
import GeoSystem
import TestSupport
import Testing

@testable import GeoAtlas

/// Modification times of folders can be in any year that the file system allows.
@Suite struct FolderTimeTests {
  /// Nanoseconds exceed 64 bits in the year 2262. File systems have limits, too, and may store
  /// another time than was set.
  @Test(arguments: [1 << 40, 1 << 34, 9_223_372_037, -(1 << 40), -(1 << 31), 0])
  func extremeTimesAreRead(seconds: Int) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("w/in/file")
    for name in ["w/in", "w"] { try folder.setModified(name, seconds) }
    let world = try World(
      roots: [ScanRoot(label: Array("w".utf8), directory: Array(folder("w").utf8))],
      layout: .settled, cacheLimit: 1 << 20)
    let found = try #require(world.find(Array("w/in/file".utf8)))
    #expect(found.file == 0)
    let modified = try #require(found.folder.modified)
    // A listing that may change without a change of its time is not cached.
    #expect((found.folder.stamp.stamp == nil) == (modified > 4_000_000_000))
  }
}
