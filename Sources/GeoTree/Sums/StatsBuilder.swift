import GeoSystem

/// Combines parts in map order.
///
/// Each region counts a file with several names once, as `du` does for that folder alone. Other
/// sums count it where it occurs first.
struct StatsBuilder {
  private var stats = TreeStats()
  private var sums = NestedSums()
  private var total = TreeSums()
  private var extensions: [FileExtension: TreeSums] = [:]
  private var owners: [UInt32: TreeSums] = [:]
  private var ages = [TreeSums](repeating: TreeSums(), count: TreeStats.Age.allCases.count)
  private var depths: [TreeSums] = []
  private var largest: TopList
  private var newest: TopList
  private var widest: TopList
  private let now: Int64

  init(top: Int, now: Int64, layers: LayerSet? = nil) {
    self.now = now
    stats.layers = layers.map { StatsLayers($0.schema) }
    largest = TopList(limit: top)
    newest = TopList(limit: top)
    widest = TopList(limit: top)
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
    for (suffix, sums) in part.extensions { extensions[suffix, default: TreeSums()] += sums }
    for (owner, sums) in part.owners { owners[owner, default: TreeSums()] += sums }
    for (index, sums) in part.ages.enumerated() { ages[index] += sums }
    for (depth, sums) in part.depths.enumerated() { depths.add(sums, atDepth: depth) }
    for entry in part.largest.entries { largest.add(entry) }
    for entry in part.newest.entries { newest.add(entry) }
    for entry in part.widest.entries { widest.add(entry) }
    stats.unreadable += part.unreadable
    if let layers = part.layers { stats.layers?.add(layers) }
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
    extensions[file.suffix, default: TreeSums()] += file.sums
    depths.add(file.sums, atDepth: file.depth)
    let age = file.modified.map { TreeStats.Age(at: now, modified: $0) } ?? .unknown
    ages[age.rawValue] += file.sums
    largest.add(TreeStats.Entry(rawPath: file.path, value: Int64(clamping: file.sums.bytes)))
    if file.owner != FileStorage.unknownOwner {
      owners[file.owner, default: TreeSums()] += file.sums
    }
    if let modified = file.modified {
      newest.add(TreeStats.Entry(rawPath: file.path, value: modified))
    }
  }

  mutating func finish() -> TreeStats {
    leave(to: 0)
    stats.total = total.stats
    for (suffix, sums) in extensions { stats.extensions[suffix.text] = sums.stats }
    stats.owners = owners.mapValues(\.stats)
    stats.ages = ages.map(\.stats)
    stats.depths = depths.map(\.stats)
    stats.largest = largest.entries
    stats.newest = newest.entries
    stats.widest = widest.entries
    return stats
  }
}
