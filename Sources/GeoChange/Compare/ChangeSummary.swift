import GeoFormats
import GeoCore

/// A summary of the differences between two states, for people to read.
package struct ChangeSummary: Sendable {
  /// Counts of one kind of change.
  package struct Amount: Sendable, Hashable {
    /// Number of files.
    package var files = 0
    /// Their bytes; for changed files, the growth.
    package var bytes: Int64 = 0
    /// Number of folders; 0 for changed and moved.
    package var folders = 0
    /// Whether the sizes of all files are known.
    package var isSized = true

    mutating func add(_ more: Int64, isSized: Bool) {
      files += 1
      if !isSized { self.isSized = false }
      bytes = bytes.addingReportingOverflow(more).partialValue
    }
  }

  /// A folder or file, and an amount of bytes.
  package struct Place: Sendable, Hashable {
    /// Path on the map.
    package let path: [UInt8]
    /// Size of the file, or growth of the folder, in bytes.
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
  /// The folders that grew most, largest growth first; growth counted for a folder isn't counted
  /// again for its ancestors.
  package private(set) var grown: [Place] = []
  /// The folders that shrank most, with negative numbers.
  package private(set) var shrunk: [Place] = []
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
      let size = file.facts.status.hasSize ? file.facts.size : 0
      switch file.change {
      case .none, .left: break
      case .added: added.add(size, isSized: file.facts.status.hasSize)
      case .removed: removed.add(size, isSized: file.facts.status.hasSize)
      case .changed:
        changed.add(
          Self.growth(of: file), isSized: file.facts.status.hasSize && file.was.status.hasSize)
      case .moved: moved.add(size, isSized: file.facts.status.hasSize)
      }
    }
    for index in tree.folders.indices {
      let folder = tree.folders[index]
      if folder.known.change == .added { added.folders += 1 }
      if folder.known.change == .removed { removed.folders += 1 }
    }
    (grown, shrunk) = Self.folders(in: tree, top: top)
    largest = Self.largest(in: tree, top: top)
    deleted = Self.deleted(in: tree, top: top)
    folderMoves = FolderMoves.whole(in: tree, top: top)
  }

  /// The growth of a file's folder by that file, in bytes.
  private static func growth(of file: ComparedFile) -> Int64 {
    let size = file.facts.status.hasSize ? file.facts.size : 0
    switch file.change {
    case .none: return 0
    case .added, .moved: return size
    case .removed, .left: return 0 &- size
    case .changed:
      let before = file.was.status.hasSize ? file.was.size : 0
      let (growth, overflow) = size.subtractingReportingOverflow(before)
      return overflow ? 0 : growth
    }
  }

  /// The folders that account for most of the growth, and those that account for most of the loss.
  ///
  /// Works from the deepest folders up. A folder is listed when its growth, without folders listed
  /// before, reaches a twentieth of all growth; the same goes for loss. So a listed folder is the
  /// deepest one that holds its growth (hierarchical heavy hitters: Cormode, Korn, Muthukrishnan,
  /// Srivastava 2003). Growth in one place doesn't cancel loss in another.
  ///
  /// - Complexity: O(folders + files that differ).
  package static func folders(
    in tree: ChangeTree, top: Int
  ) -> (grown: [Place], shrunk: [Place]) {
    var own = [Int64](repeating: 0, count: tree.folders.count)
    for number in tree.files.indices {
      let file = tree.files[number]
      let folder = Int(file.folder)
      own[folder] = own[folder].addingReportingOverflow(growth(of: file)).partialValue
    }
    func threshold(_ sign: Int128) -> Int128 {
      max(1, own.reduce(0) { $0 + max(0, Int128($1) * sign) } / 20)
    }
    let (gain, loss) = (threshold(1), threshold(-1))
    var rest = own.map { Int128($0) }
    var grown: [(folder: Int, bytes: Int128)] = []
    var shrunk = grown
    for index in tree.folders.indices.reversed() {
      if rest[index] >= gain {
        grown.append((index, rest[index]))
      } else if -rest[index] >= loss {
        shrunk.append((index, rest[index]))
      } else if rest[index] != 0, tree.folders[index].parent >= 0 {
        rest[Int(tree.folders[index].parent)] += rest[index]
      }
    }
    func first(_ named: [(folder: Int, bytes: Int128)]) -> [Place] {
      named.sorted { ($0.bytes.magnitude, $1.folder) > ($1.bytes.magnitude, $0.folder) }
        .prefix(top).map {
          Place(path: tree.path(ofFolder: $0.folder), bytes: Int64(clamping: $0.bytes))
        }
    }
    return (first(grown), first(shrunk))
  }

  private static func largest(in tree: ChangeTree, top: Int) -> [Place] {
    if top == 0 { return [] }
    var largest = Foremost<(size: Int64, file: Int)>(top) {
      ($0.size, $1.file) > ($1.size, $0.file)
    }
    for number in tree.files.indices {
      let file = tree.files[number]
      guard file.change == .added, file.facts.status.hasSize, file.facts.size > 0 else { continue }
      largest.add((file.facts.size, number))
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
      guard file.change == .removed, file.facts.status.hasSize, file.facts.size > 0 else {
        continue
      }
      let folder = outermost[Int(file.folder)]
      if folder < 0 {
        largest.add((file.facts.size, true, number))
      } else {
        bytes[folder, default: 0] =
          bytes[folder, default: 0].addingReportingOverflow(
            file.facts.size
          ).partialValue
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
