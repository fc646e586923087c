import GeoCore
import GeoProjection
import TestSupport

/// Trees for testing the promises, from plain ones to ones made to break them.
enum Scenario: String, CaseIterable, Sendable {
  /// Any shape, with lowercase names.
  case random
  /// Names of any bytes.
  case anyBytes
  /// One or two folders on all the land, where the chart bends most.
  case fewOnMuch
  /// Thousands of sub-folders in one folder.
  case manySiblings
  /// 300 levels of folders, with one or two siblings each.
  case deep
  /// Many roots.
  case manyRoots
  /// Keys that agree in their first 8 to 63 bits.
  case nearKeys
  /// Equal keys.
  case equalKeys
  /// Keys chosen for the thinnest land at each level.
  case slivers
  /// Keys chosen for the smallest land at each level, down to the horizon and below.
  case horizon

  /// A tree of this kind.
  func tree(using generator: inout SeededGenerator) -> Tree {
    switch self {
    case .random:
      let shape = Tree.Shape(
        nodes: generator.number(in: 0...50),
        folders: [0.2, 0.5, 0.9].randomElement(using: &generator) ?? 0.5,
        depth: [0, 0.3, 0.8].randomElement(using: &generator) ?? 0.3)
      return .random(shape, roots: generator.number(in: 1...3), using: &generator)
    case .anyBytes:
      let shape = Tree.Shape(nodes: 25, alphabet: 0...255)
      return .random(shape, roots: 2, using: &generator)
    case .fewOnMuch:
      let shape = Tree.Shape(nodes: generator.number(in: 1...4), folders: 1, depth: 0.8)
      return .random(shape, roots: generator.number(in: 1...2), using: &generator)
    case .manySiblings:
      // Below depth 3, coast lines have few vertices, so the checks are fast.
      let many = Tree.names(2000, using: &generator).map { Tree.Folder($0) }
      let files = Tree.names(3, 0x30...0x39, using: &generator)
      return (0..<4).reduce(Tree(folders: many, files: files)) { tree, _ in
        Tree(folders: Tree.names(1, using: &generator).map { Tree.Folder($0, tree) })
      }
    case .deep:
      return chain(levels: 300, using: &generator) { _, generator in
        Tree.names(generator.number(in: 1...2), using: &generator)
      }
    case .manyRoots:
      let roots = [7, 30, 60].randomElement(using: &generator) ?? 30
      return .random(Tree.Shape(nodes: 40), roots: roots, using: &generator)
    case .nearKeys:
      return chain(levels: 4, using: &generator) { parent, generator in
        let key = generator.next()
        let salt = generator.next() >> 8
        let bits = (0..<5).map { _ in UInt64(generator.number(in: 0...55)) }
        return [ForgedName.name(key: key, in: parent.seed, salt: salt)]
          + Set(bits).sorted().map {
            ForgedName.name(key: key ^ 1 << $0, in: parent.seed, salt: salt + 1)
          }
      }
    case .equalKeys:
      return chain(levels: 3, using: &generator) { parent, generator in
        let key = generator.next()
        return (0..<UInt64(generator.number(in: 2...9))).map {
          ForgedName.name(key: key, in: parent.seed, salt: $0)
        }
      }
    case .slivers:
      return chain(levels: 9, using: &generator) { parent, generator in
        Scenario.worst(of: 24, in: parent, using: &generator) { place in
          let axes = place.land.axes
          let extent = max(axes.widthExtent, axes.heightExtent)
          return Double(place.land.breadth) / Double(extent)
        }
      }
    case .horizon:
      return chain(levels: 12, using: &generator) { parent, generator in
        Scenario.worst(of: 24, in: parent, using: &generator) { Double($0.land.breadth) }
      }
    }
  }

  /// A chain of folders, with the entries that `names` gives for each. The chain continues in the
  /// first of them, and each folder of the chain has a file.
  private func chain(
    levels: Int, using generator: inout SeededGenerator,
    names: (FolderPlace, inout SeededGenerator) -> [[UInt8]]
  ) -> Tree {
    let label = Tree.names(1, using: &generator)[0]
    guard let engine = try? GeoProjectionEngine(layout: .settled, labels: NameTable([label]))
    else { return Tree() }
    var place = engine.roots[0]
    var listings: [[[UInt8]]] = []
    for _ in 0..<levels {
      let listing = names(place, &generator)
      listings.append(listing)
      var places: [FolderPlace] = []
      engine.placeFolders(NameTable(listing), in: place, fileCount: 1, into: &places)
      place = places[0]
    }
    var tree = Tree()
    for listing in listings.reversed() {
      var folders = listing.map { Tree.Folder($0) }
      folders[0].contents = tree
      tree = Tree(folders: folders, files: [Array("file".utf8)])
    }
    return Tree(folders: [Tree.Folder(label, tree)])
  }

  /// Of some random names, the one whose place has the smallest measure, and its nearest sibling.
  private static func worst(
    of count: Int, in parent: FolderPlace, using generator: inout SeededGenerator,
    measure: (FolderPlace) -> Double
  ) -> [[UInt8]] {
    guard let engine = try? GeoProjectionEngine(layout: .settled, labels: NameTable([[0x61]]))
    else { return [] }
    var worst: ([[UInt8]], Double)?
    for _ in 0..<count {
      let key = generator.next()
      let bit = UInt64(generator.number(in: 44...63))
      let names = [
        ForgedName.name(key: key, in: parent.seed, salt: 1),
        ForgedName.name(key: key ^ 1 << bit, in: parent.seed, salt: 2),
      ]
      var places: [FolderPlace] = []
      engine.placeFolders(NameTable(names), in: parent, fileCount: 1, into: &places)
      let value = measure(places[0])
      if places[0].isLanded || worst == nil, value < worst?.1 ?? .infinity {
        worst = (names, value)
      }
    }
    return worst?.0 ?? []
  }
}
