import TestSupport

/// A tree with random variations, repeatable by the seed.
struct Variation: Sendable, CustomStringConvertible {
  var tree: Tree
  var seed: UInt64

  init(of tree: Tree, _ generator: inout SeededGenerator) {
    self.tree = tree
    seed = generator.next()
  }

  /// The tree with every listing in random order.
  var shuffled: Tree {
    var generator = SeededGenerator(seed: seed)
    return tree.shuffled(using: &generator)
  }

  /// The tree with some files removed and others added, everywhere.
  var withOtherFiles: Tree {
    var generator = SeededGenerator(seed: seed)
    return Self.withOtherFiles(tree, &generator)
  }

  private static func withOtherFiles(_ tree: Tree, _ generator: inout SeededGenerator) -> Tree {
    var tree = tree
    tree.files = tree.files.filter { _ in generator.chance(0.6) }
    let taken = Set(tree.files + tree.folders.map(\.name))
    tree.files += Tree.names(generator.number(in: 0...5), using: &generator)
      .filter { !taken.contains($0) }
    for index in tree.folders.indices {
      tree.folders[index].contents = withOtherFiles(tree.folders[index].contents, &generator)
    }
    return tree
  }

  var smaller: [Variation] {
    tree.smaller.map { smaller in
      var variation = self
      variation.tree = smaller
      return variation
    }
  }

  var description: String { "\(tree)\nvaried with seed \(seed)" }
}

/// A folder added to a folder of a tree.
struct Addition: Sendable, CustomStringConvertible {
  var tree: Tree
  /// The path of the new folder's parent.
  var parent: [[UInt8]]
  var folder: Tree.Folder

  init(to tree: Tree, _ generator: inout SeededGenerator) {
    self.tree = tree
    parent = []
    var place = tree
    repeat {
      let next = place.folders[generator.number(in: 0...(place.folders.count - 1))]
      parent.append(next.name)
      place = next.contents
    } while !place.folders.isEmpty && generator.chance(0.5)
    // It ends in a byte that no other name has.
    let name = Tree.names(1, using: &generator)[0] + [0x21]
    folder = Tree.Folder(
      name, Tree(files: Tree.names(generator.number(in: 0...2), using: &generator)))
  }

  var name: [UInt8] { folder.name }

  /// The tree with the folder in it; the tree unchanged if the parent is gone.
  var result: Tree { Self.insert(folder, at: parent[...], in: tree) }

  private static func insert(
    _ folder: Tree.Folder, at path: ArraySlice<[UInt8]>, in tree: Tree
  ) -> Tree {
    var tree = tree
    if let next = path.first {
      if let index = tree.folders.firstIndex(where: { $0.name == next }) {
        tree.folders[index].contents = insert(
          folder, at: path.dropFirst(), in: tree.folders[index].contents)
      }
    } else {
      tree.folders.append(folder)
    }
    return tree
  }

  var smaller: [Addition] {
    tree.smaller.map { smaller in
      var addition = self
      addition.tree = smaller
      return addition
    }
  }

  var description: String { "\(tree)\nplus \(folder) in \(parent)" }
}
