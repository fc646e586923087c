import GeoFormats
import GeoCore

/// What differs between two states, in short: for people.
package struct ChangeSummary: Sendable {
  /// Files of one kind of change.
  package struct Amount: Sendable, Hashable {
    /// How many.
    package var files = 0
    /// Their bytes; of changed ones, by how many they grew.
    package var bytes: Int64 = 0
    /// Folders; of changed and moved ones, none.
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
    /// Its path on the map.
    package let path: [UInt8]
    /// How large it is, or by how much it grew.
    package let bytes: Int64
  }

  /// A folder that moved with all that is below it.
  package struct FolderMove: Sendable, Hashable {
    /// Where it was.
    package let from: [UInt8]
    /// Where it is.
    package let to: [UInt8]
    /// How many files are below it.
    package let files: Int
  }

  /// Files that were added, and folders.
  package private(set) var added = Amount()
  /// Files that were removed, and folders.
  package private(set) var removed = Amount()
  /// Files that are others.
  package private(set) var changed = Amount()
  /// Files that moved.
  package private(set) var moved = Amount()
  /// The folders that grew most, the first most; what is in one is not counted in those that hold it.
  package private(set) var grown: [Place] = []
  /// The folders that shrank most, with negative numbers.
  package private(set) var shrunk: [Place] = []
  /// The largest of the added files.
  package private(set) var largest: [Place] = []
  /// Folders that moved as a whole, the largest numbers of files first.
  package private(set) var folderMoves: [FolderMove] = []

  /// A summary of what differs.
  ///
  /// - Parameter top: How many places are named in each list at most.
  /// - Complexity: O(folders + files that differ).
  package init(_ tree: ChangeTree, top: Int) {
    var own = [Int64](repeating: 0, count: tree.folders.count)
    for number in tree.files.indices {
      let file = tree.files[number]
      let size = file.facts.status.hasSize ? file.facts.size : 0
      let before = file.was.status.hasSize ? file.was.size : 0
      var growth: Int64 = 0
      switch file.change {
      case .none: break
      case .added:
        added.add(size, isSized: file.facts.status.hasSize)
        growth = size
      case .removed:
        removed.add(size, isSized: file.facts.status.hasSize)
        growth = 0 &- size
      case .changed:
        let (difference, overflow) = size.subtractingReportingOverflow(before)
        growth = overflow ? 0 : difference
        changed.add(
          growth, isSized: file.facts.status.hasSize && file.was.status.hasSize)
      case .moved:
        moved.add(size, isSized: file.facts.status.hasSize)
        growth = size
      case .left: growth = 0 &- size
      }
      if growth == 0 { continue }
      let folder = Int(file.folder)
      own[folder] = own[folder].addingReportingOverflow(growth).partialValue
    }
    for index in tree.folders.indices {
      let folder = tree.folders[index]
      if folder.known.change == .added { added.folders += 1 }
      if folder.known.change == .removed { removed.folders += 1 }
    }
    (grown, shrunk) = Self.places(of: own, in: tree, top: top)
    largest = Self.largest(in: tree, top: top)
    folderMoves = FolderMoves.whole(in: tree, top: top)
  }

  /// The folders to which most of the growth belongs, and those to which most of the loss does.
  ///
  /// From the deepest folders up, one is named as soon as what has grown in it, without what was named
  /// before, is a twentieth of all growth, or what has shrunk of all loss. So each is as far down as its
  /// growth is in one place (hierarchical heavy hitters: Cormode, Korn, Muthukrishnan, Srivastava 2003),
  /// and what grew in one place is not made up for by what shrank in another.
  private static func places(
    of own: [Int64], in tree: ChangeTree, top: Int
  ) -> (grown: [Place], shrunk: [Place]) {
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

/// The first of very many, in as much memory as some of them need.
struct Foremost<Element> {
  private let most: Int
  private let precedes: (Element, Element) -> Bool
  private var kept: [Element] = []

  init(_ most: Int, by precedes: @escaping (Element, Element) -> Bool) {
    // Nobody has as many as the largest number, twice of which would be too large.
    (self.most, self.precedes) = (min(max(0, most), 1 << 40), precedes)
  }

  mutating func add(_ element: Element) {
    kept.append(element)
    // Of as many as have no place among the first, the last are forgotten now and then.
    if kept.count >= 2 * most + 1024 { cut() }
  }

  private mutating func cut() {
    kept.sort(by: precedes)
    kept.removeLast(max(0, kept.count - most))
  }

  /// Those that stand first, in their order.
  consuming func finish() -> [Element] {
    cut()
    return kept
  }
}
