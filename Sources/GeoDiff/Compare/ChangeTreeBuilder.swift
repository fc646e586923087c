import GeoEmit
import GeoPath
import GeoScan

/// Puts the parts of a comparison together, in the order of the map.
struct ChangeTreeBuilder {
  private var tree = ChangeTree()
  private var candidates: [ComparePart.Candidate] = []
  private var unmoved: [UInt64] = []
  /// The folders on the way to the one at hand.
  private var way: [Int32] = []

  private let keepsSums: Bool

  /// - Parameter keepsSums: Whether it is added up what both states have below each folder.
  init(labels: [[UInt8]], keepsSums: Bool) {
    tree.labels = labels
    self.keepsSums = keepsSums
  }

  /// How much was compared so far.
  var counted: (folders: Int, files: Int) { tree.counted }

  /// Takes account of the next part.
  mutating func add(_ part: ComparePart) {
    let nameOffset = tree.names.count
    let fileOffset = Int32(tree.files.count)
    let childOffset = Int32(tree.children.count)
    tree.names += part.names
    for file in part.files {
      var file = file
      file.nameStart += nameOffset
      tree.files.append(file)
    }
    for child in part.children {
      tree.children.append(
        ComparePart.Child(
          nameStart: child.nameStart + nameOffset, nameLength: child.nameLength))
    }
    for candidate in part.candidates {
      var candidate = candidate
      candidate.file += fileOffset
      candidates.append(candidate)
    }
    unmoved += part.unmoved
    tree.excluded += part.excluded
    tree.counted.folders += part.counts.folders
    tree.counted.files += part.counts.files

    var (fileStart, childStart) = (fileOffset, childOffset)
    for step in part.steps {
      let files = fileStart..<(fileOffset + Int32(step.fileEnd))
      fileStart = files.upperBound
      if step.depth < 0 {
        guard let last = way.last else { continue }
        let folder = Int(last)
        tree.folders[folder].files = tree.folders[folder].files.lowerBound..<files.upperBound
        tree.folders[folder].below += step.own
        if keepsSums { tree.sums[folder] += step.sums }
        continue
      }
      let children = childStart..<(childOffset + Int32(step.childEnd))
      childStart = children.upperBound
      begin(step, files, children)
    }
  }

  private mutating func begin(
    _ step: ComparePart.Step, _ files: Range<Int32>, _ children: Range<Int32>
  ) {
    while way.count > Int(step.depth), let ended = way.popLast() {
      tree.folders[Int(ended)].end = Int32(tree.folders.count)
    }
    tree.folders.append(
      ChangeTree.Folder(
        parent: way.last ?? -1, number: step.number, end: 0, depth: step.depth,
        known: step.folder, files: files, children: children, below: step.own))
    if keepsSums { tree.sums.append(step.sums) }
    way.append(Int32(tree.folders.count - 1))
  }

  /// Finds what moved, and adds up what differs below each folder.
  mutating func finish() -> ChangeTree {
    while let ended = way.popLast() {
      tree.folders[Int(ended)].end = Int32(tree.folders.count)
    }
    tree.owners = Array(repeating: -1, count: tree.files.count)
    for (index, folder) in tree.folders.enumerated() {
      for file in folder.files { tree.owners[Int(file)] = Int32(index) }
    }
    let moves = Moves(candidates, unmoved: unmoved)
    for (old, new) in moves.pairs(in: tree) { join(Int(old), Int(new)) }
    (candidates, unmoved) = ([], [])
    for index in tree.folders.indices.reversed() {
      let folder = tree.folders[index]
      let hasChanged = folder.files.contains { tree.files[Int($0)].change != .none }
      if hasChanged { tree.folders[index].holds = true }
      guard folder.parent >= 0 else { continue }
      let parent = Int(folder.parent)
      tree.folders[parent].below += folder.below
      if keepsSums { tree.sums[parent] += tree.sums[index] }
      if tree.folders[index].holds || folder.known.change != .none {
        tree.folders[parent].holds = true
      }
    }
    return tree
  }

  /// Makes one file that moved of a removed and an added one.
  private mutating func join(_ old: Int, _ new: Int) {
    tree.files[old].change = .left
    tree.files[old].partner = Int32(new)
    tree.files[new].change = .moved
    tree.files[new].partner = Int32(old)
    let (from, to) = (Int(tree.owners[old]), Int(tree.owners[new]))
    tree.folders[from].below.counts.removed -= 1
    tree.folders[to].below.counts.added -= 1
    tree.folders[to].below.counts.moved += 1
  }
}
