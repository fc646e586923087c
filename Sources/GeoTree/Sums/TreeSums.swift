import GeoSystem

/// What folders and files come to while they are added up.
///
/// No sum of 2^26 sizes or more is too large for it.
@frozen package struct TreeSums: BitwiseCopyable, Hashable, Sendable {
  package var folders: Int
  /// Files of any kind.
  package var files: Int
  package var bytes: Int128
  /// Bytes that the file system has given the files.
  package var allocated: Int128
  /// Unix time of the last change of any file; the least number if none is known.
  package var newest: Int64

  /// What is added in place of an unknown amount. It is so far below zero that no amounts make up for it,
  /// so that a sum with any of it shows that it is unknown; and it costs a sum nothing.
  @inlinable package static var unknown: Int128 { -(1 << 90) }

  @inlinable
  package init(
    folders: Int = 0, files: Int = 0, bytes: Int128 = 0, allocated: Int128 = 0,
    newest: Int64 = .min
  ) {
    self.folders = folders
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
    self.newest = newest
  }

  /// The bytes as far as they fit; nil if some are unknown.
  package var knownBytes: Int64? { Self.known(bytes) }

  /// The allocated bytes as far as they fit; nil if some are unknown.
  package var knownAllocated: Int64? { Self.known(allocated) }

  private static func known(_ sum: Int128) -> Int64? {
    sum < unknown / 2 ? nil : Int64(clamping: max(0, sum))
  }

  @inlinable
  package static func += (sums: inout TreeSums, more: TreeSums) {
    sums.folders += more.folders
    sums.files += more.files
    sums.bytes += more.bytes
    sums.allocated += more.allocated
    sums.newest = max(sums.newest, more.newest)
  }

  /// Subtracts amounts that were added before; `newest` stays.
  @inlinable
  package static func -= (sums: inout TreeSums, fewer: TreeSums) {
    sums.folders -= fewer.folders
    sums.files -= fewer.files
    sums.bytes -= fewer.bytes
    sums.allocated -= fewer.allocated
  }

  /// Takes account of a part that has changed. Unknown amounts stay unknown.
  mutating func replace(_ old: TreeSums, by new: TreeSums) {
    self += new
    folders -= old.folders
    files -= old.files
    bytes -= max(0, old.bytes)
    allocated -= max(0, old.allocated)
  }

  @inlinable
  package static func - (sums: TreeSums, fewer: TreeSums) -> TreeSums {
    var rest = sums
    rest -= fewer
    return rest
  }
}

/// Adds up nested folders, each file once for each folder that holds any of its names.
///
/// A file that is met several times is added each time, and subtracted again, each time but the first, from the
/// innermost folder that holds both this name and the one met before. So every folder that holds any of its
/// names counts it once: of k names below a folder, k − 1 such pairs meet below it or in it.
struct NestedSums {
  /// A folder that has begun and not ended.
  struct Level {
    let folder: Int
    /// Everything below it that has ended.
    var all = TreeSums()
    /// Its own files alone.
    var own = TreeSums()
  }

  /// Where a file has another name.
  struct Meeting {
    /// The folder with the name met before.
    let folder: Int
    /// The innermost level that holds both names; nil if none does.
    let level: Int?
  }

  /// The folders from the root to the current one.
  private(set) var levels: [Level] = []
  /// The folder in which a file was met last.
  private var lastMet: [FileSystem.Identity: Int] = [:]

  /// Begins a folder in the current one. Numbers ascend in the order of the tree.
  mutating func begin(_ folder: Int) { levels.append(Level(folder: folder)) }

  /// Ends the current folder, and adds it to the one that it is in.
  mutating func end() -> Level? {
    guard let level = levels.popLast() else { return nil }
    if !levels.isEmpty { levels[levels.count - 1].all += level.all }
    return level
  }

  /// Adds files of the current folder that are met only once.
  mutating func add(_ sums: TreeSums) {
    if levels.isEmpty { return }
    levels[levels.count - 1].all += sums
    levels[levels.count - 1].own += sums
  }

  /// Adds a file of the current folder that may be met again.
  ///
  /// - Returns: Where it was met before; nil if it was not.
  mutating func add(_ sums: TreeSums, of identity: FileSystem.Identity) -> Meeting? {
    guard let here = levels.last?.folder else { return nil }
    let before = lastMet.updateValue(here, forKey: identity)
    levels[levels.count - 1].all += sums
    if before != here { levels[levels.count - 1].own += sums }
    guard let before else { return nil }
    let level = innermostLevel(holding: before)
    if let level { levels[level].all -= sums }
    return Meeting(folder: before, level: level)
  }

  /// Forgets which files were met.
  mutating func forgetFiles() { lastMet.removeAll(keepingCapacity: true) }

  /// The innermost level that is a folder met before, or holds it: the last that was met no later.
  private func innermostLevel(holding folder: Int) -> Int? {
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      if levels[middle].folder <= folder { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
