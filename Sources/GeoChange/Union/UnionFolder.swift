import GeoCore
import GeoTree

/// A folder of a union in which something is still to be read.
final class UnionFolder: KeptFolder {
  /// Which root it is in.
  let root: Int
  /// The names of the union's sub-folders.
  private let folders: NameTable
  let sides: [Side]

  /// The folder as one of the states has it.
  struct Side: Sendable {
    /// nil if the state doesn't have it, or not its listing.
    var kept: (any KeptFolder)?
    /// Which of its names are those of the union, and are nowhere else.
    var shared = SharedNames()
    var files = NameTable()
    var folders = NameTable()
    var marks: [UInt64] = []
  }

  init(root: Int, folders: NameTable, sides: [Side]) {
    self.root = root
    self.folders = folders
    self.sides = sides
  }

  /// Which of a state's sub-folders has a name, and what it is; nil if none has.
  func find(_ name: [UInt8], in state: Int) -> (index: Int, kind: EntryKind)? {
    sides[state].shared.folders ? folders.find(name) : sides[state].folders.find(name)
  }
}

extension NameTable {
  fileprivate func find(_ name: [UInt8]) -> (index: Int, kind: EntryKind)? {
    index(of: name).map { ($0, records[$0].kind) }
  }
}

/// Which names of a state's folder are the same as those of the union, so that nobody has to look which of
/// them is which.
struct SharedNames {
  var files = false
  var folders = false
}

extension FolderReference {
  /// What a reference to a folder of a union means in one of the states; nil if that doesn't have it.
  ///
  /// - Parameters:
  ///   - root: Which root of the union it is, or is in.
  func inState(_ state: Int, of source: UnionSource, root number: Int) -> FolderReference? {
    switch self {
    case .kept(let folder):
      return unsafe unsafeDowncast(folder, to: UnionFolder.self).sides[state].kept.map { .kept($0) }
    case .child(let parent, let path, let name, _, _):
      // Nothing is taken out of it: a side of its own would be a copy of its arrays.
      let parent = unsafe unsafeDowncast(parent, to: UnionFolder.self)
      guard let kept = parent.sides[state].kept,
        let (index, kind) = parent.find(name, in: state)
      else { return nil }
      return .child(
        of: kept, path: source.path(path, ofRoot: number, in: state), name: name,
        isLink: kind == .symlink,
        mark: index < parent.sides[state].marks.count ? parent.sides[state].marks[index] : nil)
    case .path(let root, let path, _):
      guard let side = source.sides[number][state] else { return nil }
      return .path(root: side, path: side.path(to: root.names(to: path)), mark: nil)
    }
  }

  /// The path on the map; nil if the folder is known by being kept alone.
  var path: [UInt8]? {
    switch self {
    case .kept: nil
    case .child(_, let path, _, _, _), .path(_, let path, _): path
    }
  }

  /// Whether it is a root itself, which has to be there.
  var isRoot: Bool {
    if case .path(let root, let path, _) = self { root.names(to: path).isEmpty } else { false }
  }
}

extension NameTable {
  /// The names of two sorted tables, each once; of those in both, the kind of the later one.
  ///
  /// - Complexity: O(names).
  static func union(_ a: NameTable, _ b: NameTable) -> NameTable {
    if a.isEmpty { return b }
    if b.isEmpty || a.isSame(as: b) { return b.isEmpty ? a : b }
    var result = NameTable()
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      switch a.order(of: i, against: j, of: b) {
      case 0:
        result.append(from: b, at: j)
        i += 1
        j += 1
      case ..<0:
        result.append(from: a, at: i)
        i += 1
      default:
        result.append(from: b, at: j)
        j += 1
      }
    }
    while i < a.count {
      result.append(from: a, at: i)
      i += 1
    }
    while j < b.count {
      result.append(from: b, at: j)
      j += 1
    }
    return result
  }

  /// Less than 0 if a name stands before one of another table, 0 if they are the same.
  @inline(__always)
  func order(of index: Int, against other: Int, of table: NameTable) -> Int {
    let (a, b) = (records[index], table.records[other])
    if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
    let x = bytes.span.extracting(a.range)
    let y = table.bytes.span.extracting(b.range)
    if x.equals(y) { return 0 }
    return x.orders(before: y) ? -1 : 1
  }

  /// Where the first name stands that doesn't stand before one of another table.
  ///
  /// - Complexity: O(log n).
  func lowerBound(of index: Int, of table: NameTable) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if order(of: middle, against: index, of: table) < 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension FolderListing {
  /// Names what is in those sub-folders in which all states have the same.
  ///
  /// - Parameter sides: What the states list.
  /// - Complexity: O(sub-folders).
  mutating func joinContents(of sides: [FolderListing]) {
    guard states.allSatisfy({ $0.isThere && $0.outcome == .listed }) else { return }
    var next = [Int](repeating: 0, count: sides.count)
    contents.reserveCapacity(folders.count)
    for index in 0..<folders.count {
      var known: [ObjectID?] = []
      for (state, side) in sides.enumerated() {
        guard next[state] < side.folders.count,
          side.folders.order(of: next[state], against: index, of: folders) == 0
        else {
          known.append(nil)
          continue
        }
        known.append(side.contents[next[state]])
        next[state] += 1
      }
      contents.append(known.allSatisfy { $0 == known.first } ? known.first ?? nil : nil)
    }
  }
}
