/// The plan of a tree: its folders, each with its number of files.
///
/// Names, sizes and times follow from the seed when the tree is made.
struct TreePlan {
  struct Folder {
    var style: FolderStyle
    /// The index of its fixed name in its parent's style, or −1.
    var fixedName: Int16 = -1
    var firstChild: Int32 = 0
    var childCount: Int32 = 0
    var files: Int32 = 0

    var children: Range<Int> { Int(firstChild)..<Int(firstChild + childCount) }
  }

  let seed: UInt64
  /// The root first; siblings are next to each other.
  private(set) var folders: [Folder]

  private init(seed: UInt64, root: FolderStyle) {
    self.seed = seed
    folders = [Folder(style: root)]
  }

  /// Plans a tree of a shape.
  ///
  /// - Parameters:
  ///   - files: The number of files.
  ///   - folders: The number of folders with the root.
  static func of(_ shape: TreeShape, files: Int, folders: Int, seed: UInt64) -> TreePlan {
    let folders = max(1, folders)
    var plan = TreePlan(seed: seed, root: shape.rootStyle)
    switch shape {
    case .home, .empty, .long:
      plan.grow(to: folders)
      plan.spread(files: files)
    case .flat:
      plan.folders[0].files = Int32(files)
    case .wide:
      plan.addChildren(of: 0, count: folders - 1, style: .mixed)
      plan.spread(files: files)
    case .deep:
      for folder in 0..<(folders - 1) { plan.addChildren(of: folder, count: 1, style: .mixed) }
      plan.spread(files: files)
    case .lopsided:
      plan.addChildren(of: 0, count: folders - 1, style: .mixed)
      let small = min(files / 4, 4 * (folders - 1))
      plan.spread(files: small)
      let huge = min(1 + folders / 2, folders - 1)
      plan.folders[huge].files += Int32(files - small)
    }
    return plan
  }

  /// Whether a folder has no entries.
  func isEmpty(_ folder: Int) -> Bool {
    folders[folder].files == 0 && folders[folder].childCount == 0
  }

  /// Adds sub-folders to every folder in turn until there are `count` folders.
  private mutating func grow(to count: Int) {
    folders.reserveCapacity(count)
    var budgets = [count - 1]
    var next = 0
    while next < folders.count {
      let budget = budgets[next]
      if budget > 0 {
        var random = Random(seed: seed, part: 2 * next)
        var weights = chooseChildren(of: next, budget: budget, random: &random)
        let left = Double(budget - weights.count)
        let total = weights.reduce(0, +)
        var sum = 0.0
        var given = 0
        for child in weights.indices {
          sum += weights[child]
          let upTo =
            child == weights.count - 1
            ? Int(left) : min(Int(left), Int((left * sum / total).rounded(.down)))
          weights[child] = Double(upTo - given)
          given = upTo
        }
        budgets.append(contentsOf: weights.map { Int($0) })
      }
      next += 1
    }
  }

  /// Adds a folder's sub-folders, and returns the share of the remaining folders for each.
  private mutating func chooseChildren(
    of folder: Int, budget: Int, random: inout Random
  ) -> [Double] {
    let style = folders[folder].style
    let count = style.fanOut(budget: budget, random: &random)
    if let named = style.named {
      let kept = min(count, named.names.count)
      addChildren(of: folder, count: kept, style: style)
      for (place, child) in folders[folder].children.enumerated() {
        folders[child].style = named.styles[place].style
        folders[child].fixedName = Int16(place)
      }
      return named.styles.prefix(kept).map { $0.share * (0.5 + random.unit()) + 1e-6 }
    }
    addChildren(of: folder, count: count, style: style.child)
    return (0..<count).map { _ in
      let luck = random.unit()
      return 1 / (luck * luck + 0.02)
    }
  }

  private mutating func addChildren(of folder: Int, count: Int, style: FolderStyle) {
    folders[folder].firstChild = Int32(folders.count)
    folders[folder].childCount = Int32(max(0, count))
    folders.append(contentsOf: repeatElement(Folder(style: style), count: max(0, count)))
  }

  /// Distributes `files` among the folders, by the weights of their styles.
  private mutating func spread(files: Int) {
    guard files > 0 else { return }
    let weights = folders.indices.map { folder in
      var random = Random(seed: seed, part: 2 * folder + 1)
      return folders[folder].style.fileWeight(random: &random)
    }
    let total = weights.reduce(0, +)
    var sum = 0.0
    var given = 0
    for folder in folders.indices {
      sum += weights[folder]
      let isLast = folder == folders.count - 1
      let upTo =
        isLast ? files : min(files, Int((Double(files) * sum / max(total, 1)).rounded(.down)))
      folders[folder].files += Int32(upTo - given)
      given = upTo
    }
  }
}
