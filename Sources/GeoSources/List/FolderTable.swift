import GeoCore

/// All folders of a list, by number; 0 is the root.
///
/// A folder takes 19 bytes and its name, and 5 to 11 bytes of a hash table that finds it by parent
/// and name (open addressing, at most three quarters full).
struct FolderTable {
  /// Flags of a folder.
  struct Flags: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8

    /// The list has an entry for the folder itself.
    static let listed = Flags(rawValue: 1)
    /// Its modification time is known.
    static let dated = Flags(rawValue: 2)
    /// It was unreadable when the list was made.
    static let unreadable = Flags(rawValue: 4)
    /// It was not entered when the list was made.
    static let unlisted = Flags(rawValue: 8)
    /// The list has contradictory entries for it.
    static let disputed = Flags(rawValue: 16)
  }

  /// The bytes of all names.
  private(set) var arena: [UInt8] = []
  private var starts: [UInt32] = [0]
  private var lengths: [UInt16] = [0]
  private(set) var parents: [UInt32] = [0]
  var modified: [Int64] = [0]
  var flags: [Flags] = [[]]
  /// The numbers of folders by the hash of parent and name; 0 for free slots.
  private var slots = [UInt32](repeating: 0, count: 1024)
  /// Random for each run, so that crafted names can't all collide.
  private let seed = UInt64.random(in: 0...(.max))

  /// The number of folders.
  var count: Int { parents.count }

  /// The range of a folder's name in the arena.
  @inline(__always)
  func name(of folder: Int) -> Range<Int> {
    let start = Int(starts[folder])
    return start..<(start + Int(lengths[folder]))
  }

  /// The sub-folder with a name; nil if there is no such folder.
  ///
  /// - Complexity: O(length), expected.
  func find(_ name: Span<UInt8>, in parent: Int) -> Int? {
    var slot = firstSlot(of: name, in: parent)
    while slots[slot] != 0 {
      let folder = Int(slots[slot])
      if Int(parents[folder]) == parent, isEqual(self.name(of: folder), name) { return folder }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// The sub-folder with a name, which is added if missing; nil if the table is full.
  ///
  /// - Complexity: O(length), expected and amortised.
  mutating func make(_ name: Span<UInt8>, in parent: Int) -> Int? {
    if let folder = find(name, in: parent) { return folder }
    guard let start = UInt32(exactly: arena.count), count < Int(UInt32.max) else { return nil }
    if (count + 1) * 4 > slots.count * 3 { grow() }
    let folder = count
    let slot = freeSlot(from: firstSlot(of: name, in: parent))
    slots[slot] = UInt32(folder)
    starts.append(start)
    lengths.append(UInt16(name.count))
    parents.append(UInt32(parent))
    modified.append(0)
    flags.append([])
    for index in 0..<name.count { arena.append(name[index]) }
    return folder
  }

  private mutating func grow() {
    let size = slots.count * 2
    slots = []
    slots = [UInt32](repeating: 0, count: size)
    for folder in 1..<count {
      let slot = freeSlot(forFolder: folder)
      slots[slot] = UInt32(folder)
    }
  }

  private func freeSlot(forFolder folder: Int) -> Int {
    let name = arena.span.extracting(name(of: folder))
    return freeSlot(from: firstSlot(of: name, in: Int(parents[folder])))
  }

  private func freeSlot(from slot: Int) -> Int {
    var slot = slot
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func isEqual(_ range: Range<Int>, _ name: Span<UInt8>) -> Bool {
    if range.count != name.count { return false }
    for index in 0..<name.count where arena[range.lowerBound + index] != name[index] {
      return false
    }
    return true
  }

  /// Hashes the name: eight bytes at a time are multiplied into the state, and its halves folded.
  private func firstSlot(of name: Span<UInt8>, in parent: Int) -> Int {
    var state = seed ^ UInt64(truncatingIfNeeded: parent &* 0x9E37_79B9 &+ name.count)
    var index = 0
    while index < name.count {
      let word =
        index + 8 <= name.count
        ? name.loadWord(at: index) : name.extracting(index..<name.count).bigEndianPrefix
      let (high, low) = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      state = (high ^ low) &+ seed
      index += 8
    }
    let (high, low) = (state ^ seed).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return Int(truncatingIfNeeded: (high ^ low) & UInt64(slots.count - 1))
  }

  /// Frees the hash table, after which ``find(_:in:)`` and ``make(_:in:)`` can't be used.
  mutating func forgetSlots() { slots = [0] }
}

/// The folders of a list in map order: a folder before its sub-folders, these in byte order of
/// their names.
///
/// The folders below a folder follow it up to its end. Memory: 12 bytes per folder, and 8 more
/// while sorting.
struct FolderOrder {
  /// The folders' numbers in the table, in order.
  let folders: [UInt32]
  /// The rank of each folder of the table.
  private(set) var ranks: [UInt32]
  /// For each folder in order, the rank after the last folder below it.
  let ends: [UInt32]

  /// An empty order.
  init() { (folders, ranks, ends) = ([], [], []) }

  /// Sorts the folders of a table.
  ///
  /// - Complexity: O(n log n).
  init(_ table: FolderTable) {
    let count = table.count
    // Sort by parents with counting sort, then the folders of each parent by names.
    var starts = [UInt32](repeating: 0, count: count + 1)
    for folder in 1..<max(1, count) { starts[Int(table.parents[folder]) + 1] += 1 }
    for folder in 0..<count { starts[folder + 1] += starts[folder] }
    var children = [UInt32](repeating: 0, count: count - 1)
    var next = starts
    for folder in 1..<max(1, count) {
      let parent = Int(table.parents[folder])
      children[Int(next[parent])] = UInt32(folder)
      next[parent] += 1
    }
    next = []
    for folder in 0..<count {
      let range = Int(starts[folder])..<Int(starts[folder + 1])
      if range.count < 2 { continue }
      children[range].sort { a, b in
        table.arena.span.orders(table.name(of: Int(a)), before: table.name(of: Int(b)))
      }
    }

    var folders: [UInt32] = []
    folders.reserveCapacity(count)
    var ranks = [UInt32](repeating: 0, count: count)
    var stack: [UInt32] = [0]
    while let folder = stack.popLast() {
      ranks[Int(folder)] = UInt32(folders.count)
      folders.append(folder)
      for child in children[Int(starts[Int(folder)])..<Int(starts[Int(folder) + 1])].reversed() {
        stack.append(child)
      }
    }
    var ends = (0..<UInt32(count)).map { $0 + 1 }
    for rank in (1..<max(1, count)).reversed() {
      let parent = Int(ranks[Int(table.parents[Int(folders[rank])])])
      ends[parent] = max(ends[parent], ends[rank])
    }
    self.folders = folders
    self.ranks = ranks
    self.ends = ends
  }

  /// The number of folders.
  var count: Int { folders.count }

  /// Frees ``ranks``.
  mutating func forgetRanks() { ranks = [] }
}

/// Finds the folders in the paths of a list.
///
/// Successive paths mostly share a prefix. Folders in the prefix are looked up once.
struct PathResolver {
  /// The result of resolving a path.
  enum Target: Equatable {
    /// A folder: the path ends with a slash, or is the root.
    case folder(Int)
    /// An entry of a folder; the name is a range of the path.
    case entry(folder: Int, name: Range<Int>)
    /// The path can't be used, for this reason.
    case nowhere(PathFault)
    /// A folder that can't be added, or doesn't exist any more.
    case lost
  }

  /// The state of resolution after a slash.
  private struct Mark {
    /// The offset after the slash.
    var end: Int
    /// How many names of the list's prefix were matched.
    var matched: Int
    /// The folder, if the whole prefix was matched.
    var folder: Int
  }

  private static let dot = UInt8(ascii: ".")

  private let prefix: ListPrefix
  private var last: [UInt8] = []
  private var marks: [Mark] = []

  init(_ prefix: ListPrefix) { self.prefix = prefix }

  /// Resolves the path of an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry; its ``ListedEntry/kept`` is updated.
  ///   - makes: Whether to add missing folders.
  /// - Complexity: O(bytes after the unchanged prefix).
  mutating func resolve(
    _ entry: inout ListedEntry, in table: inout FolderTable, makes: Bool
  ) -> Target {
    defer { entry.kept = entry.path.count }
    return resolve(entry.path, keeping: entry.kept, in: &table, makes: makes)
  }

  private mutating func resolve(
    _ path: [UInt8], keeping kept: Int, in table: inout FolderTable, makes: Bool
  ) -> Target {
    // After a fault, `last` is a prefix of the path that `kept` refers to.
    let common = path.span.commonPrefix(with: last.span, from: min(kept, last.count))
    while let mark = marks.last, mark.end > common { marks.removeLast() }
    let start = marks.last?.end ?? 0
    if let fault = fault(of: path, from: start) {
      // Keep only the prefix that the marks cover, which both paths share.
      last.removeSubrange(start...)
      return .nowhere(fault)
    }
    last.removeSubrange(min(common, last.count)...)
    last.append(contentsOf: path[last.count...])

    let bytes = path.span
    var mark = marks.last ?? Mark(end: 0, matched: 0, folder: 0)
    var begin = start
    while begin < path.count {
      let end = bytes.firstIndex(of: .slash, from: begin)
      let name = begin..<end
      let isLast = end == path.count
      let isEmpty = name.isEmpty || (name.count == 1 && path[begin] == Self.dot)
      begin = end + 1
      if isEmpty { continue }
      if mark.matched < prefix.names.count {
        mark.matched += 1
      } else if isLast {
        return .entry(folder: mark.folder, name: name)
      } else {
        let name = bytes.extracting(name)
        let found =
          makes ? table.make(name, in: mark.folder) : table.find(name, in: mark.folder)
        guard let found else {
          last = []
          marks = []
          return .lost
        }
        mark.folder = found
      }
      if !isLast {
        mark.end = begin
        marks.append(mark)
      }
    }
    return .folder(mark.folder)
  }

  /// Why a path can't be used; checked before any folder is added.
  private func fault(of path: [UInt8], from start: Int) -> PathFault? {
    if path.isEmpty { return .empty }
    if start == 0, (path[0] == .slash) != prefix.isAbsolute { return .outside }
    var matched = marks.last?.matched ?? 0
    let bytes = path.span
    var begin = start
    while begin < path.count {
      let end = bytes.firstIndex(of: .slash, from: begin)
      let count = end - begin
      defer { begin = end + 1 }
      if count == 0 || (count == 1 && path[begin] == Self.dot) { continue }
      if matched < prefix.names.count {
        if !prefix.names[matched].elementsEqual(path[begin..<end]) { return .outside }
        matched += 1
      } else if count == 2, path[begin] == Self.dot, path[begin + 1] == Self.dot {
        return .parent
      } else if count > NameRecord.longestName {
        return .longName
      }
    }
    if matched < prefix.names.count { return .outside }
    for index in start..<path.count where bytes[index] == 0 { return .zero }
    return nil
  }
}

/// Why a path can't be used.
enum PathFault: Equatable {
  /// It is empty.
  case empty
  /// It doesn't begin with the prefix.
  case outside
  /// It contains `..`.
  case parent
  /// A name is longer than file systems allow.
  case longName
  /// It contains a zero byte.
  case zero
}

extension Span<UInt8> {
  /// The length of the common prefix, of which the first `start` bytes are known to be equal.
  func commonPrefix(with other: Span<UInt8>, from start: Int) -> Int {
    let end = Swift.min(count, other.count)
    var index = Swift.min(start, end)
    while index + 8 <= end {
      let difference = loadWord(at: index) ^ other.loadWord(at: index)
      if difference != 0 { return index + difference.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end, self[index] == other[index] { index += 1 }
    return index
  }

  /// The next index of a byte; the end if it does not occur.
  fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int {
    var index = start
    while index < count, self[index] != byte { index += 1 }
    return index
  }
}

/// The prefix of a list's paths: the root's own path, which is removed.
struct ListPrefix {
  /// Its names, without `.` and empty ones.
  let names: [[UInt8]]
  let isAbsolute: Bool

  init(_ path: [UInt8]) {
    isAbsolute = path.first == .slash
    names = path.split(separator: .slash).map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }
  }

  /// Whether the prefix is in a folder.
  func isBelow(_ folder: [UInt8]) -> Bool {
    let above = ListPrefix(folder)
    return above.isAbsolute == isAbsolute && names.starts(with: above.names)
  }
}
