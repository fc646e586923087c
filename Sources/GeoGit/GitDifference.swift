import GeoPath
import GeoScan
import GeoSystem

/// What two revisions of a repository don't have in common, while it is read: both trees, level by level. A
/// folder that has one object in both is not entered.
struct GitDifference {
  /// A folder of one of the trees, or of both, that is to be read.
  private struct Folder {
    /// What names it in each tree, in hex digits; nil where it isn't.
    var objects: [[UInt8]?]
    /// Its number in each tree.
    var numbers: [Int32]
  }

  private(set) var trees = [GitTree(), GitTree()]
  /// The objects of folders that were not entered, in hex digits.
  private(set) var unread: [ObjectID: [UInt8]] = [:]
  /// Entries whose sizes are wanted, and their objects, in hex digits.
  private var places: [(side: Int, entry: Int)] = []
  private var sized: [[UInt8]] = []

  /// - Parameter tops: The tops of both trees, in hex digits.
  /// - Complexity: O(n log n) for n entries of folders that differ.
  init(_ tops: [[UInt8]], _ objects: GitObjects) throws(GitError) {
    var level = [Folder(objects: tops, numbers: [0, 0])]
    while !level.isEmpty {
      let trees = try objects.trees(level.flatMap { $0.objects.compactMap(\.self) })
      var below: [Folder] = []
      var next = 0
      for folder in level {
        let sides = folder.objects.map { object in
          if object == nil { return GitTreeEntries() }
          defer { next += 1 }
          return trees[next]
        }
        add(sides, of: folder, &below)
      }
      level = below
    }
    for (place, size) in zip(places, try objects.sizes(sized)) {
      trees[place.side].setSize(size, ofEntry: place.entry)
    }
    for side in trees.indices { trees[side].finish() }
  }

  /// Adds what is in a folder.
  ///
  /// - Parameter below: Gets the folders that are to be read.
  private mutating func add(
    _ sides: [GitTreeEntries], of folder: Folder, _ below: inout [Folder]
  ) {
    let (old, new) = (sides[0], sides[1])
    var (i, j) = (0, 0)
    while i < old.entries.count || j < new.entries.count {
      let order: Int
      if i == old.entries.count {
        order = 1
      } else if j == new.entries.count {
        order = -1
      } else {
        order = old.order(of: old.entries[i], against: new.entries[j], in: new)
      }
      let isSame = order == 0 && old.entries[i].object == new.entries[j].object
      var inner = Folder(objects: [nil, nil], numbers: [0, 0])
      if order <= 0 {
        add(old.entries[i], of: old, 0, in: folder, isSame: isSame, &inner)
        i += 1
      }
      if order >= 0 {
        add(new.entries[j], of: new, 1, in: folder, isSame: isSame, &inner)
        j += 1
      }
      if inner.objects[0] != nil || inner.objects[1] != nil { below.append(inner) }
    }
  }

  /// Adds an entry to one of the trees.
  ///
  /// - Parameters:
  ///   - isSame: Whether both trees have it.
  ///   - inner: Gets what is to be read of it, if it is a folder.
  private mutating func add(
    _ entry: GitTreeEntries.Entry, of tree: GitTreeEntries, _ side: Int, in folder: Folder,
    isSame: Bool, _ inner: inout Folder
  ) {
    let count = trees[side].entries.count
    let number = trees[side].add(
      tree.bytes.span.extracting(entry.name), in: folder.numbers[side], entry.object,
      isRead: !isSame)
    // What can't be shown is not added.
    guard trees[side].entries.count > count else { return }
    switch entry.object.kind {
    case .tree:
      if let number {
        inner.objects[side] = tree.hexName(of: entry)
        inner.numbers[side] = number
      } else if isSame {
        unread[entry.object] = tree.hexName(of: entry)
      }
    case .file, .link:
      if isSame { return }
      sized.append(tree.hexName(of: entry))
      places.append((side, count))
    case .commit: break
    }
  }
}
