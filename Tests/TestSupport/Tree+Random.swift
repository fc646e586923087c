extension Tree {
  /// How a random tree is generated.
  public struct Shape: Sendable {
    /// The approximate number of nodes.
    public var nodes: Int
    /// The probability that a node is a folder.
    public var folders: Double
    /// The probability that the next node goes into the newest folder.
    public var depth: Double
    /// The bytes that names consist of.
    public var alphabet: ClosedRange<UInt8>

    /// A shape of the given parts.
    public init(
      nodes: Int, folders: Double = 0.4, depth: Double = 0.3,
      alphabet: ClosedRange<UInt8> = 0x61...0x7A
    ) {
      self.nodes = nodes
      self.folders = folders
      self.depth = depth
      self.alphabet = alphabet
    }
  }

  /// A random tree of roots.
  public static func random(
    _ shape: Shape, roots: Int, using generator: inout SeededGenerator
  ) -> Tree {
    // Folders by number; each node goes into a folder made earlier.
    var parents = [Int](repeating: -1, count: roots)
    var files = [Int](repeating: 0, count: roots)
    for _ in 0..<shape.nodes {
      let last = parents.count - 1
      let parent = generator.chance(shape.depth) ? last : generator.number(in: 0...last)
      if generator.chance(shape.folders) {
        parents.append(parent)
        files.append(0)
      } else {
        files[parent] += 1
      }
    }
    var trees = [Tree](repeating: Tree(), count: parents.count)
    var top = Tree()
    for index in trees.indices.reversed() {
      var tree = trees[index]
      let count = tree.folders.count
      let names = names(count + files[index], shape.alphabet, using: &generator)
      for position in 0..<count { tree.folders[position].name = names[position] }
      tree.files = Array(names[count...])
      if parents[index] < 0 {
        top.folders.append(Folder([], tree))
      } else {
        trees[parents[index]].folders.append(Folder([], tree))
      }
    }
    let labels = names(top.folders.count, shape.alphabet, using: &generator)
    for (position, name) in labels.enumerated() { top.folders[position].name = name }
    return top
  }

  /// Distinct names of 1 to 12 bytes, some of up to 255.
  public static func names(
    _ count: Int, _ alphabet: ClosedRange<UInt8> = 0x61...0x7A,
    using generator: inout SeededGenerator
  ) -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    var names: [[UInt8]] = []
    while names.count < count {
      let length = generator.chance(0.05) ? 255 : 12
      let name = (0..<generator.number(in: 1...length)).map { _ in
        UInt8.random(in: alphabet, using: &generator)
      }
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      if seen.insert(name).inserted { names.append(name) }
    }
    return names
  }
}
