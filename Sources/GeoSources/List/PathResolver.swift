import GeoCore

/// Finds the folders in the paths of a list.
///
/// Successive paths mostly share a prefix. Folders in the prefix are looked up once.
struct PathResolver {
  enum Target: Equatable {
    /// The path ends with a slash, or is the root's.
    case folder(Int)
    case entry(folder: Int, name: Range<Int>)
    case nowhere(PathFault)
    /// The folder can't be added, or doesn't exist any more.
    case lost
  }

  private struct Step {
    var end: Int
    /// How many names of the list's prefix were matched; the folder counts from all of them on.
    var matched: Int
    var folder: Int
  }

  private static let dot = UInt8(ascii: ".")

  private let prefix: ListPrefix
  private var last: [UInt8] = []
  private var steps: [Step] = []

  init(_ prefix: ListPrefix) { self.prefix = prefix }

  /// Updates ``ListedEntry/kept`` of the entry. O(bytes after the unchanged prefix).
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
    while let step = steps.last, step.end > common { steps.removeLast() }
    let start = steps.last?.end ?? 0
    if let fault = fault(of: path, from: start) {
      // Keep only the prefix that the steps cover, which both paths share.
      last.removeSubrange(start...)
      return .nowhere(fault)
    }
    last.removeSubrange(min(common, last.count)...)
    last.append(contentsOf: path[last.count...])

    let bytes = path.span
    var step = steps.last ?? Step(end: 0, matched: 0, folder: 0)
    var begin = start
    while let name = Self.nextName(of: bytes, from: &begin) {
      let isLast = name.upperBound == path.count
      if step.matched < prefix.names.count {
        step.matched += 1
      } else if isLast {
        return .entry(folder: step.folder, name: name)
      } else {
        let name = bytes.extracting(name)
        let found =
          makes ? table.make(name, in: step.folder) : table.find(name, in: step.folder)
        guard let found else {
          last = []
          steps = []
          return .lost
        }
        step.folder = found
      }
      if !isLast {
        step.end = begin
        steps.append(step)
      }
    }
    return .folder(step.folder)
  }

  /// Checked before any folder is added.
  private func fault(of path: [UInt8], from start: Int) -> PathFault? {
    if path.isEmpty { return .empty }
    if start == 0, (path[0] == .slash) != prefix.isAbsolute { return .outside }
    var matched = steps.last?.matched ?? 0
    let bytes = path.span
    var begin = start
    while let name = Self.nextName(of: bytes, from: &begin) {
      if matched < prefix.names.count {
        if !prefix.names[matched].elementsEqual(path[name]) { return .outside }
        matched += 1
      } else if name.count == 2, path[name].elementsEqual([Self.dot, Self.dot]) {
        return .parent
      } else if name.count > NameRecord.longestName {
        return .longName
      }
    }
    if matched < prefix.names.count { return .outside }
    for index in start..<path.count where bytes[index] == 0 { return .zero }
    return nil
  }

  /// The next name that is not empty or `.`; moves past the slash after it.
  @inline(__always)
  private static func nextName(of bytes: Span<UInt8>, from begin: inout Int) -> Range<Int>? {
    while begin < bytes.count {
      var end = begin
      while end < bytes.count, bytes[end] != .slash { end += 1 }
      let name = begin..<end
      begin = end + 1
      if name.count > 1 || name.count == 1 && bytes[name.lowerBound] != dot { return name }
    }
    return nil
  }
}

extension Span<UInt8> {
  /// FNV-1a.
  var hash: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<count { hash = (hash ^ UInt64(self[index])) &* 0x100_0000_01B3 }
    return hash
  }

  /// The first `start` bytes are known to be equal.
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
}
