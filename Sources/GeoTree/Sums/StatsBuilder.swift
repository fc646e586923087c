import GeoCore
import GeoSystem

/// Puts parts together, in the order of the map.
///
/// A file of several names is added to each region that it is met in, and taken away again, each time
/// but the first, from the innermost region that holds both this name and the one met before; so each
/// region counts it once, as `du` does when it is asked about that folder alone. In all other sums it
/// counts where it is met first.
struct StatsBuilder {
  private var stats = TreeStats()
  private var regions: [(path: [UInt8], all: Tally, own: Tally)] = []
  /// The regions that the one at hand is in, the root first, and itself.
  private var levels: [Int] = []
  /// In which region a file was met last.
  private var lastMet: [FileSystem.Identity: Int] = [:]
  private var total = Tally()
  private var extensions: [FileExtension: Tally] = [:]
  private var owners: [UInt32: Tally] = [:]
  private var ages = [Tally](repeating: Tally(), count: TreeStats.Age.allCases.count)
  private var depths: [Tally] = []
  private var largest: TopList
  private var newest: TopList
  private var widest: TopList
  private let now: Int64

  init(top: Int, now: Int64) {
    self.now = now
    largest = TopList(limit: top)
    newest = TopList(limit: top)
    widest = TopList(limit: top)
  }

  mutating func add(_ part: StatsPart) {
    var next = 0
    for (position, stretch) in part.stretches.enumerated() {
      enter(stretch.region)
      let here = levels[levels.count - 1]
      regions[here].all += stretch.tally
      regions[here].own += stretch.tally
      while next < part.shared.count, part.shared[next].stretch == position {
        add(part.shared[next])
        next += 1
      }
    }
    for (suffix, tally) in part.extensions { extensions[suffix, default: Tally()] += tally }
    for (owner, tally) in part.owners { owners[owner, default: Tally()] += tally }
    for (index, tally) in part.ages.enumerated() { ages[index] += tally }
    for (depth, tally) in part.depths.enumerated() {
      while depths.count <= depth { depths.append(Tally()) }
      depths[depth] += tally
    }
    for entry in part.largest.entries { largest.add(entry) }
    for entry in part.newest.entries { newest.add(entry) }
    for entry in part.widest.entries { widest.add(entry) }
    stats.unreadable += part.unreadable
  }

  /// Goes on to a region, which is the one at hand or follows it in the order of the map.
  private mutating func enter(_ path: [UInt8]) {
    if let here = levels.last, regions[here].path == path { return }
    leave(to: path.slashCount)
    levels.append(regions.count)
    regions.append((path, Tally(), Tally()))
  }

  private mutating func leave(to depth: Int) {
    while levels.count > depth, let region = levels.popLast() {
      if let parent = levels.last {
        regions[parent].all += regions[region].all
      } else {
        total += regions[region].all
      }
    }
  }

  /// Adds the bytes of a file whose name was counted already.
  private mutating func add(_ file: StatsPart.SharedFile) {
    let tally = Tally(
      files: FileSums(bytes: Int128(file.size), allocated: Int128(file.allocated)))
    let here = levels[levels.count - 1]
    regions[here].all += tally
    guard let before = lastMet.updateValue(here, forKey: file.identity) else {
      regions[here].own += tally
      extensions[file.suffix, default: Tally()] += tally
      owners[file.owner, default: Tally()] += tally
      ages[TreeStats.Age(at: now, modified: file.modified).rawValue] += tally
      largest.add(TreeStats.Entry(path: file.path, value: file.size))
      newest.add(TreeStats.Entry(path: file.path, value: file.modified))
      return
    }
    if before != here { regions[here].own += tally }
    // The regions on the way are in order: the last that was met no later than the other holds both.
    if let both = levels.last(where: { $0 <= before }) {
      regions[both].all -= tally
    } else {
      total -= tally
    }
  }

  mutating func finish() -> TreeStats {
    leave(to: 0)
    stats.total = total.sums
    stats.regions = regions.map {
      TreeStats.Region(path: $0.path, sums: $0.all.sums, own: $0.own.sums)
    }
    stats.extensions = extensions.mapValues(\.sums)
    stats.owners = owners.mapValues(\.sums)
    stats.ages = ages.map(\.sums)
    stats.depths = depths.map(\.sums)
    stats.largest = largest.entries
    stats.newest = newest.entries
    stats.widest = widest.entries
    return stats
  }
}
