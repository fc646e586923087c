import GeoProjection
import TestSupport

/// Trees with many nodes in one place.
enum Crowd: String, CaseIterable, Sendable {
  /// Thousands of files in one folder.
  case manyFiles
  /// Thousands of folders in one folder.
  case manyFolders
  /// Thousands of files and hundreds of folders with files.
  case manyOfBoth
  /// As many files as their first zoom has room for, a few levels down; no folder takes a lot.
  case fullLots
  /// The same, with sub-folders that take all lots.
  case fullCity
  /// The same, with sub-folders that take some of the lots.
  case fullOfBoth
  /// Random trees.
  case grown
  /// Many roots, with trees in them.
  case manyRoots

  /// As many files as one tile can show at their first zoom, in a folder at depth 1 to 4 with some
  /// sub-folders.
  private static func full(
    beside count: Int, using generator: inout SeededGenerator
  ) -> Tree {
    let way = (0...generator.number(in: 1...4)).map { _ in Tree.names(1, using: &generator)[0] }
    let folders = Tree.names(count, using: &generator)
    let seed = way.reduce(0) { XXH64.hash($1.span, seed: $0) }
    let bits = ShareOut.lotBits(depth: Int32(way.count - 1))
    let taken = folders.reduce(into: LotSet()) { taken, name in
      let key = SplitMix64.number(XXH64.hash(name.span, seed: seed), 0)
      taken.formUnion(LotSet(lot: ShareOut.lot(of: key, bits: bits)))
    }
    var files = 1
    while Minzoom.crowd(
      files: files + 1, cityEighths: 2, lotBits: bits, taken: taken.count) <= 4096
    {
      files += 1
    }
    // From another alphabet than the folders, so that names differ.
    let full = Tree(
      folders: folders.map { Tree.Folder($0) }, files: (0..<files).map { Array("\($0)".utf8) })
    return way.reversed().reduce(full) { Tree(folders: [Tree.Folder($1, $0)]) }
  }

  /// A tree of this kind.
  func tree(using generator: inout SeededGenerator) -> Tree {
    let label = Tree.names(1, using: &generator)[0]
    switch self {
    case .manyFiles:
      let files = (0..<20_000).map { Array("\($0)".utf8) }
      return Tree(folders: [Tree.Folder(label, Tree(files: files))])
    case .manyFolders:
      let folders = (0..<3_000).map { Tree.Folder(Array("\($0)".utf8)) }
      return Tree(folders: [Tree.Folder(label, Tree(folders: folders))])
    case .manyOfBoth:
      let files = (0..<4_100).map { Array("f\($0)".utf8) }
      let few = (0..<16).map { Array("f\($0)".utf8) }
      let folders = (0..<300).map { Tree.Folder(Array("\($0)".utf8), Tree(files: few)) }
      return Tree(folders: [Tree.Folder(label, Tree(folders: folders, files: files))])
    case .fullLots: return Self.full(beside: 0, using: &generator)
    case .fullCity: return Self.full(beside: 200, using: &generator)
    case .fullOfBoth:
      return Self.full(beside: generator.number(in: 1...24), using: &generator)
    case .grown:
      return .random(
        Tree.Shape(nodes: 4_000, folders: 0.3, depth: 0.1), roots: 1, using: &generator)
    case .manyRoots:
      return .random(
        Tree.Shape(nodes: 2_000, folders: 0.3, depth: 0.05), roots: 40, using: &generator)
    }
  }
}
