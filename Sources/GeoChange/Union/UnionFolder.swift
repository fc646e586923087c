import GeoCore
import GeoTree

/// A folder of a union that is kept because its entries are still to be read.
final class UnionFolder: KeptFolder {
  /// Index of its root.
  let root: Int
  /// The names of the union's sub-folders.
  private let folders: NameTable
  let sides: [Side]

  /// The folder as one of the states has it.
  struct Side: Sendable {
    /// The state's folder; nil if the state doesn't have it, or has no listing of it.
    var kept: (any KeptFolder)?
    /// Which of its name tables equal the union's; these are not stored again.
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

  /// Index and kind of a state's sub-folder with a name; nil if not found.
  func find(_ name: [UInt8], in state: Int) -> (index: Int, kind: EntryKind)? {
    sides[state].shared.folders ? folders.find(name) : sides[state].folders.find(name)
  }
}

extension NameTable {
  fileprivate func find(_ name: [UInt8]) -> (index: Int, kind: EntryKind)? {
    index(of: name).map { ($0, records[$0].kind) }
  }
}

/// Which name tables of a state's folder equal the union's, so that their indices agree.
struct SharedNames {
  var files = false
  var folders = false
}

extension FolderReference {
  /// The same folder as a reference into one of the states; nil if the state doesn't have it.
  ///
  /// - Parameters:
  ///   - root: Index of the union's root that contains it.
  func inState(_ state: Int, of source: UnionSource, root number: Int) -> FolderReference? {
    switch self {
    case .kept(let folder):
      return unsafe unsafeDowncast(folder, to: UnionFolder.self).sides[state].kept.map { .kept($0) }
    case .child(let parent, let path, let name, _, _):
      // Copying `sides[state]` to a local variable would copy its arrays.
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

  /// The path on the map; nil if the reference is only to a kept folder.
  var path: [UInt8]? {
    switch self {
    case .kept: nil
    case .child(_, let path, _, _, _), .path(_, let path, _): path
    }
  }

  /// Whether it is a root, which must exist.
  var isRoot: Bool {
    if case .path(let root, let path, _) = self { root.names(to: path).isEmpty } else { false }
  }
}

extension NameTable {
  /// Merges two sorted tables; a name in both gets the kind it has in the second.
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

  /// Compares a name with one of another table: negative if it precedes, 0 if they are equal.
  @inline(__always)
  func order(of index: Int, against other: Int, of table: NameTable) -> Int {
    let (a, b) = (records[index], table.records[other])
    if a.prefix != b.prefix { return a.prefix < b.prefix ? -1 : 1 }
    let x = bytes.span.extracting(a.range)
    let y = table.bytes.span.extracting(b.range)
    if x.equals(y) { return 0 }
    return x.orders(before: y) ? -1 : 1
  }

  /// Index of the first name that doesn't precede a name of another table.
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
  /// Sets `contents` to the object IDs of those sub-folders that have the same one in all states.
  ///
  /// - Parameter sides: The listings of the states.
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
