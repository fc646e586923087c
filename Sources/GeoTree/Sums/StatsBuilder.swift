import GeoSystem

/// Combines parts in map order.
///
/// Each region counts a file with several names once, as `du` does for that folder alone. Other
/// sums count it where it occurs first.
struct StatsBuilder {
  private var stats = TreeStats()
  private var sums = NestedSums()
  private var total = TreeSums()
  private var all: StatsSums
  private let now: Int64

  init(top: Int, now: Int64, layers: LayerSet? = nil) {
    self.now = now
    all = StatsSums(top: top, layers?.schema)
  }

  mutating func add(_ part: StatsPart) {
    var next = 0
    for (position, stretch) in part.stretches.enumerated() {
      enter(stretch.region)
      sums.add(stretch.sums)
      while next < part.shared.count, part.shared[next].stretch == position {
        add(part.shared[next])
        next += 1
      }
    }
    all += part.sums
  }

  /// Continues in a region: the current one, or the next in map order.
  private mutating func enter(_ path: [UInt8]) {
    if let here = sums.levels.last, stats.regions[here.folder].rawPath == path { return }
    leave(to: path.slashCount)
    sums.begin(stats.regions.count)
    stats.regions.append(TreeStats.Region(rawPath: path, sums: .none, own: .none))
  }

  private mutating func leave(to depth: Int) {
    while sums.levels.count > depth, let level = sums.end() {
      stats.regions[level.folder].sums = level.all.stats
      stats.regions[level.folder].own = level.own.stats
      if sums.levels.isEmpty { total += level.all }
    }
  }

  /// Adds a file that may have been counted by another name.
  private mutating func add(_ file: StatsPart.SharedFile) {
    if let meeting = sums.add(file.sums, of: file.identity) {
      // No region contains names of two roots.
      if meeting.level == nil { total -= file.sums }
      return
    }
    all.extensions[file.suffix, default: TreeSums()] += file.sums
    all.depths.add(file.sums, atDepth: file.depth)
    let age = file.modified.map { TreeStats.Age(at: now, modified: $0) } ?? .unknown
    all.ages[age.rawValue] += file.sums
    all.largest.add(TreeStats.Entry(rawPath: file.path, value: Int64(clamping: file.sums.bytes)))
    if file.owner != FileStorage.unknownOwner {
      all.owners[file.owner, default: TreeSums()] += file.sums
    }
    if let modified = file.modified {
      all.newest.add(TreeStats.Entry(rawPath: file.path, value: modified))
    }
  }

  mutating func finish() -> TreeStats {
    leave(to: 0)
    stats.total = total.stats
    for (suffix, sums) in all.extensions { stats.extensions[suffix.text] = sums.stats }
    stats.owners = all.owners.mapValues(\.stats)
    stats.ages = all.ages.map(\.stats)
    stats.depths = all.depths.map(\.stats)
    stats.largest = all.largest.entries
    stats.newest = all.newest.entries
    stats.widest = all.widest.entries
    (stats.unreadable, stats.layers) = (all.unreadable, all.layers)
    return stats
  }
}
