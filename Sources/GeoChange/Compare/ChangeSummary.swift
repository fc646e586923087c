import GeoCore
import GeoFormats
import GeoTree

/// A summary of the differences between two states, for people to read.
package struct ChangeSummary: Sendable {
  /// Counts of one kind of change.
  package struct Amount: Sendable, Hashable {
    /// Number of files.
    package var files = 0
    /// Their bytes, each file counted once; for changed files, the growth.
    package var bytes: Int64 { Int64(clamping: sum) }
    private var sum: Int128 = 0
    /// Number of folders; 0 for changed and moved.
    package var folders = 0
    /// Whether the sizes of all files are known.
    package var isSized = true

    mutating func add(_ file: ComparedFile, _ measure: SizeMeasure) {
      files += 1
      let size = file.size(measure)
      if size == nil || file.change == .changed && file.sizeBefore(measure) == nil {
        isSized = false
      }
      sum += Int128(file.change == .changed ? file.growth(measure) : size ?? 0)
    }
  }

  /// A folder or file, and an amount of bytes.
  package struct Place: Sendable, Hashable {
    /// Path on the map.
    package let path: [UInt8]
    /// Its size in bytes.
    package let bytes: Int64
  }

  /// A folder that moved with everything in it.
  package struct FolderMove: Sendable, Hashable {
    /// Old path.
    package let from: [UInt8]
    /// New path.
    package let to: [UInt8]
    /// Number of files below it.
    package let files: Int
  }

  /// Added files and folders.
  package private(set) var added = Amount()
  /// Removed files and folders.
  package private(set) var removed = Amount()
  /// Changed files.
  package private(set) var changed = Amount()
  /// Files that moved.
  package private(set) var moved = Amount()
  /// What grew most, and what shrank most.
  package private(set) var grown: [GrowthRow] = []
  package private(set) var shrunk: [GrowthRow] = []
  /// The largest added files.
  package private(set) var largest: [Place] = []
  /// The largest removed files and folders; what was removed with its folder is not listed again.
  package private(set) var deleted: [Place] = []
  /// Folders that moved as a whole, those with most files first.
  package private(set) var folderMoves: [FolderMove] = []

  /// Summarizes the differences.
  ///
  /// - Parameter top: Maximum length of each list.
  /// - Complexity: O(folders + files that differ).
  package init(_ tree: ChangeTree, top: Int) {
    for number in tree.files.indices {
      let file = tree.files[number]
      switch file.change {
      case .none, .left: break
      case .added: added.add(file, tree.measure)
      case .removed: removed.add(file, tree.measure)
      case .changed: changed.add(file, tree.measure)
      case .moved: moved.add(file, tree.measure)
      }
    }
    for index in tree.folders.indices {
      let folder = tree.folders[index]
      if folder.known.change == .added { added.folders += 1 }
      if folder.known.change == .removed { removed.folders += 1 }
    }
    let rows = GrowthRows(tree, top: top)
    (grown, shrunk) = (rows.grown, rows.shrunk)
    largest = Self.largest(in: tree, top: top)
    deleted = Self.deleted(in: tree, top: top)
    folderMoves = FolderMoves.whole(in: tree, top: top)
  }

  private static func largest(in tree: ChangeTree, top: Int) -> [Place] {
    if top == 0 { return [] }
    var largest = Foremost<(size: Int64, file: Int)>(top) {
      ($0.size, $1.file) > ($1.size, $0.file)
    }
    for number in tree.files.indices {
      let file = tree.files[number]
      guard file.change == .added, let size = tree.size(of: file), size > 0 else { continue }
      largest.add((size, number))
    }
    return largest.finish().map { Place(path: tree.path(ofFile: $0.file), bytes: $0.size) }
  }
}

extension ChangeSummary {
  /// The largest removed files, and removed folders with all files that were removed with them.
  private static func deleted(in tree: ChangeTree, top: Int) -> [Place] {
    if top == 0 { return [] }
    // For each folder, the outermost removed folder that contains it; −1 if none does.
    var outermost: [Int32] = []
    var bytes: [Int32: Int64] = [:]
    outermost.reserveCapacity(tree.folders.count)
    for index in tree.folders.indices {
      let folder = tree.folders[index]
      let above = folder.parent < 0 ? -1 : outermost[Int(folder.parent)]
      outermost.append(above < 0 && folder.known.change == .removed ? Int32(index) : above)
    }
    var largest = Foremost<(bytes: Int64, isFile: Bool, number: Int)>(top) {
      ($0.bytes, $1.isFile ? 1 : 0, $1.number) > ($1.bytes, $0.isFile ? 1 : 0, $0.number)
    }
    for number in tree.files.indices {
      let file = tree.files[number]
      guard file.change == .removed, let size = tree.size(of: file), size > 0 else { continue }
      let folder = outermost[Int(file.folder)]
      if folder < 0 {
        largest.add((size, true, number))
      } else {
        bytes[folder, default: 0] = TreeTotals.sum(bytes[folder, default: 0], size)
      }
    }
    for (folder, bytes) in bytes { largest.add((bytes, false, Int(folder))) }
    return largest.finish().map { place in
      Place(
        path: place.isFile ? tree.path(ofFile: place.number) : tree.path(ofFolder: place.number),
        bytes: place.bytes)
    }
  }
}

/// Keeps the first of many elements in an order, in memory proportional to the number kept.
struct Foremost<Element> {
  private let most: Int
  private let precedes: (Element, Element) -> Bool
  private var kept: [Element] = []

  init(_ most: Int, by precedes: @escaping (Element, Element) -> Bool) {
    // The bound keeps `2 * most + 1024` from overflowing.
    (self.most, self.precedes) = (min(max(0, most), 1 << 40), precedes)
  }

  mutating func add(_ element: Element) {
    kept.append(element)
    // Cuts the list only now and then, so that adding takes amortized O(log most).
    if kept.count >= 2 * most + 1024 { cut() }
  }

  private mutating func cut() {
    kept.sort(by: precedes)
    kept.removeLast(max(0, kept.count - most))
  }

  /// The first elements, in order.
  consuming func finish() -> [Element] {
    cut()
    return kept
  }
}

/// Finds folders that moved with everything below them.
enum FolderMoves {
  /// The folder moves that aren't part of a larger one, by folder numbers.
  ///
  /// - Complexity: O(folders + files that differ · depth).
  static func whole(in tree: ChangeTree) -> [(from: Int, to: Int)] {
    var moves: [(from: Int, to: Int)] = []
    var index = 0
    while index < tree.folders.count {
      if tree.folders[index].known.change == .added, let from = origin(of: index, in: tree) {
        moves.append((from, index))
        index = Int(tree.folders[index].end)
      } else {
        index += 1
      }
    }
    return moves
  }

  /// The same moves as paths, those with most files first.
  static func whole(in tree: ChangeTree, top: Int) -> [ChangeSummary.FolderMove] {
    var foremost = Foremost<ChangeSummary.FolderMove>(top) {
      $0.files != $1.files ? $0.files > $1.files : $0.to.lexicographicallyPrecedes($1.to)
    }
    for move in whole(in: tree) {
      foremost.add(
        ChangeSummary.FolderMove(
          from: tree.path(ofFolder: move.from), to: tree.path(ofFolder: move.to),
          files: tree.folders[move.to].below.counts.moved))
    }
    return foremost.finish()
  }

  /// The removed folder that became this one; nil unless all files of both moved from one to the
  /// other, keeping their relative paths.
  private static func origin(of folder: Int, in tree: ChangeTree) -> Int? {
    let top = tree.folders[folder]
    let counts = top.below.counts
    guard counts.moved > 0, counts.added == 0, counts.changed == 0 else { return nil }
    var way = OldWay()
    for index in folder..<Int(top.end) {
      let known = tree.folders[index]
      way.go(to: index, Int(known.depth - top.depth))
      for file in known.files {
        let new = tree.files[Int(file)]
        if new.partner < 0 { continue }
        let old = tree.files[Int(new.partner)]
        guard way.meet(Int(old.folder), in: tree),
          tree.names.with(new.name, { name in tree.names.with(old.name) { $0.equals(name) } })
        else { return nil }
      }
    }
    guard let origin = way.origin, tree.folders[origin].known.change == .removed,
      tree.folders[origin].below.counts.removed == 0
    else { return nil }
    var left = 0
    for index in origin..<Int(tree.folders[origin].end) {
      left += tree.folders[index].files.count { tree.files[Int($0)].change == .left }
    }
    return left == counts.moved ? origin : nil
  }
}

/// The path of folders from a top folder to the current one, each with the old folder that its
/// moved files imply.
private struct OldWay {
  private var way: [(new: Int, old: Int?)] = []

  /// The old folder of the top one.
  var origin: Int? { way.first?.old }

  /// Continues with a folder `level` levels below the top.
  mutating func go(to folder: Int, _ level: Int) {
    way.removeLast(way.count - level)
    way.append((folder, nil))
  }

  /// Records that a moved file was in folder `old`.
  ///
  /// - Returns: Whether this agrees with earlier files, and folders below the top have kept their
  ///   names.
  /// - Complexity: O(levels without a known old folder).
  mutating func meet(_ old: Int, in tree: ChangeTree) -> Bool {
    var old = old
    for level in way.indices.reversed() {
      if let known = way[level].old { return known == old }
      if old < 0 { return false }
      way[level].old = old
      if level > 0, tree.name(of: way[level].new) != tree.name(of: old) { return false }
      old = Int(tree.folders[old].parent)
    }
    return true
  }
}
