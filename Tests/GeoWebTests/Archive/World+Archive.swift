import GeoAtlas
import GeoTree
import GeoSystem
import TestSupport
import Testing

@testable import GeoWeb

extension World {
  /// A world of folders in a temporary folder.
  convenience init(in folder: TemporaryFolder, labels: [String]) throws {
    try self.init(
      roots: labels.map {
        ScanRoot(label: Array($0.utf8), directory: Array(folder($0).utf8))
      }, layout: .settled, cacheLimit: 1 << 24)
  }

  /// An archive of the world.
  func archived(_ range: TileDescent.Range, threads: Int = 2) throws -> [UInt8] {
    let archive = try WorldArchive(of: self, range: range, threads: threads)
    var bytes: [UInt8] = []
    try archive.write(failing: { $0 }) { (part: Span<UInt8>) throws(Errno) in
      for index in part.indices { bytes.append(part[index]) }
    }
    #expect(archive.length == Int64(bytes.count))
    return bytes
  }
}

extension TemporaryFolder {
  /// Makes a folder with its contents.
  func make(_ folder: Tree.Folder) throws { try make(Tree(folders: [folder])) }
}
