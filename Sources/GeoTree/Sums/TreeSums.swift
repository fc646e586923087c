import GeoSystem

/// Running sums of folders and files.
///
/// 128 bits hold the sum of any 2^26 sizes.
@frozen @usableFromInline package struct TreeSums: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var folders: Int
  /// Files of any kind.
  @usableFromInline package var files: Int
  @usableFromInline package var bytes: Int128
  /// Bytes allocated by the file system.
  @usableFromInline package var allocated: Int128
  /// The latest modification time of a file in Unix seconds; `.min` if none is known.
  @usableFromInline package var newest: Int64
  /// An upper bound of the size and of the room on disk of each file.
  @usableFromInline package var largest: Int64

  /// The value to add for an unknown amount. It is so far below zero that no known amounts
  /// compensate it, so the sum shows that it is unknown.
  @inlinable package static var unknown: Int128 { -(1 << 90) }

  @inlinable
  package init(
    folders: Int = 0, files: Int = 0, bytes: Int128 = 0, allocated: Int128 = 0,
    newest: Int64 = .min, largest: Int64 = 0
  ) {
    self.folders = folders
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
    self.newest = newest
    self.largest = largest
  }

  /// The bytes, clamped to 64 bits; nil if some are unknown.
  package var knownBytes: Int64? { Self.known(bytes) }

  /// The allocated bytes, clamped to 64 bits; nil if some are unknown.
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
    sums.largest = max(sums.largest, more.largest)
  }

  /// Subtracts amounts that were added before; `newest` and `largest` stay.
  @inlinable
  package static func -= (sums: inout TreeSums, fewer: TreeSums) {
    sums.folders -= fewer.folders
    sums.files -= fewer.files
    sums.bytes -= fewer.bytes
    sums.allocated -= fewer.allocated
  }

  /// Replaces the amounts of a changed part. Unknown amounts stay unknown.
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

/// Adds up nested folders. A folder counts each file once, however many of its names are below it.
///
/// Each occurrence of a file is added. For each but the first, the file is subtracted again from
/// the innermost folder that contains this name and the previous one. For k names below a folder, k
/// − 1 of these innermost folders are the folder itself or below it, so it counts the file once.
struct NestedSums {
  /// An open folder.
  struct Level {
    let folder: Int
    /// The sums of its own files and of all sub-folders that have ended.
    var all = TreeSums()
    /// The sums of its own files.
    var own = TreeSums()
  }

  /// An earlier occurrence of a file.
  struct Meeting {
    /// The folder of the previous name.
    let folder: Int
    /// The innermost level that contains both names; nil if none does.
    let level: Int?
  }

  /// The folders from the root to the current one.
  private(set) var levels: [Level] = []
  /// The folder in which each file occurred last.
  private var lastMet: [FileSystem.Identity: Int] = [:]

  /// Begins a sub-folder of the current folder. Numbers must ascend in tree order.
  mutating func begin(_ folder: Int) { levels.append(Level(folder: folder)) }

  /// Ends the current folder, and adds its sums to its parent.
  mutating func end() -> Level? {
    guard let level = levels.popLast() else { return nil }
    if !levels.isEmpty { levels[levels.count - 1].all += level.all }
    return level
  }

  /// Adds files of the current folder that can occur only once.
  mutating func add(_ sums: TreeSums) {
    if levels.isEmpty { return }
    levels[levels.count - 1].all += sums
    levels[levels.count - 1].own += sums
  }

  /// Adds a file of the current folder that may occur again.
  ///
  /// - Returns: The previous occurrence; nil for the first.
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

  /// Forgets which files occurred.
  mutating func forgetFiles() { lastMet.removeAll(keepingCapacity: true) }

  /// The innermost level that is an earlier folder or contains it: the last level with a number not
  /// above its number.
  private func innermostLevel(holding folder: Int) -> Int? {
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      if levels[middle].folder <= folder { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
