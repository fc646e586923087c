import GeoCore

/// Finds the folders that the paths of a list lead through.
///
/// Paths that follow each other mostly begin alike: what two have in common up to a slash is
/// looked up once.
struct PathResolver {
  /// Where a path leads.
  enum Target: Equatable {
    /// To a folder: by a slash at its end, or because it is the root.
    case folder(Int)
    /// To an entry of a folder; the name is a range of the path.
    case entry(folder: Int, name: Range<Int>)
    /// Nowhere, and why.
    case nowhere(PathFault)
    /// To a folder that can't be made, or that isn't there any more.
    case lost
  }

  /// How far a path led at a slash.
  private struct Mark {
    /// Where the path goes on.
    var end: Int
    /// How many names of the prefix were met.
    var matched: Int
    /// The folder, if all were.
    var folder: Int
  }

  private static let dot = UInt8(ascii: ".")

  private let prefix: ListPrefix
  private var last: [UInt8] = []
  private var marks: [Mark] = []

  init(_ prefix: ListPrefix) { self.prefix = prefix }

  /// Finds where the path of an entry leads.
  ///
  /// - Parameters:
  ///   - entry: Told that its path was looked at.
  ///   - makes: Whether folders that are not there yet are made.
  /// - Complexity: O(bytes after those that are known to be as they were).
  mutating func resolve(
    _ entry: inout ListedEntry, in table: inout FolderTable, makes: Bool
  ) -> Target {
    defer { entry.kept = entry.path.count }
    return resolve(entry.path, keeping: entry.kept, in: &table, makes: makes)
  }

  private mutating func resolve(
    _ path: [UInt8], keeping kept: Int, in table: inout FolderTable, makes: Bool
  ) -> Target {
    // What is left of the last path is the beginning of the one that was kept.
    let common = path.span.commonPrefix(with: last.span, from: min(kept, last.count))
    while let mark = marks.last, mark.end > common { marks.removeLast() }
    let start = marks.last?.end ?? 0
    if let fault = fault(of: path, from: start) {
      // Only the marks are kept, which is what the last path and this one have in common.
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

  /// What is wrong with a path, which is looked at before any folder is made.
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
  /// There is none.
  case empty
  /// It does not begin with the prefix.
  case outside
  /// It leads upwards.
  case parent
  /// A name is longer than any can be.
  case longName
  /// It holds a zero byte, which no path does.
  case zero
}

extension Span<UInt8> {
  /// How many bytes at the beginning are alike, of which the first are known to be.
  fileprivate func commonPrefix(with other: Span<UInt8>, from start: Int) -> Int {
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

  /// Where a byte is next; the end if it is nowhere.
  fileprivate func firstIndex(of byte: UInt8, from start: Int) -> Int {
    var index = start
    while index < count, self[index] != byte { index += 1 }
    return index
  }
}

/// What the paths of a list begin with: the root's own path, which is taken off.
struct ListPrefix {
  /// Its names; `.` and nothing between two slashes are none.
  let names: [[UInt8]]
  let isAbsolute: Bool

  init(_ path: [UInt8]) {
    isAbsolute = path.first == .slash
    names = path.split(separator: .slash).map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }
  }
}
