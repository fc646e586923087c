import GeoPath
import GeoScan
import GeoSystem

/// Adds up what trees consist of.
public struct StatsScan: Sendable {
  /// How many entries stand out in each list.
  public var top = 10
  /// Unix time from which ages are counted.
  public var now: Int64
  /// How the folders are read.
  public var scan = FileSystemScanner.Options()

  /// A scan that counts ages from a time.
  public init(now: Int64) { self.now = now }

  /// Reads the trees.
  ///
  /// Memory holds a number for each region, extension and depth, and 16 bytes and more for each file
  /// that has several names.
  ///
  /// - Parameters:
  ///   - roots: Where to start, in the byte order of their labels.
  ///   - report: Told what could not be read, as it is found.
  /// - Throws: `FileSystemScanner.Failure` if no thread could be made, or `CancellationError`.
  public func run(
    _ roots: [ScanRoot], report: ([ScanFault]) -> Void
  ) async throws -> TreeStats {
    var options = scan
    options.readsMetadata = true
    options.asksForStorage = true
    let (top, now) = (top, now)
    let batches = try await FileSystemScanner(options: options)
      .scan(roots, plan: StatsPlan(depth: 0)) { StatsVisitor(top: top, now: now) }
    var builder = StatsBuilder(top: top, now: now)
    for try await batch in batches {
      builder.add(batch.content)
      if !batch.faults.isEmpty { report(batch.faults) }
    }
    return builder.finish()
  }
}

/// Puts parts together, in the order of the map.
struct StatsBuilder {
  private var stats = TreeStats()
  private var seen: Set<FileSystem.Identity> = []
  private var largest: TopList
  private var newest: TopList
  private var widest: TopList
  private let now: Int64
  /// Where each region stands.
  private var places: [[UInt8]: Int] = [:]

  init(top: Int, now: Int64) {
    self.now = now
    largest = TopList(limit: top)
    newest = TopList(limit: top)
    widest = TopList(limit: top)
  }

  mutating func add(_ part: StatsPart) {
    var part = part
    for file in part.shared where seen.insert(file.identity).inserted {
      // Its name was counted already; here come its bytes, once.
      let sums = TreeStats.Sums(bytes: file.size, allocated: file.allocated)
      part.stretches[file.stretch].sums += sums
      part.extensions[file.suffix, default: TreeStats.Sums()] += sums
      part.ages[TreeStats.Age(at: now, modified: file.modified).rawValue] += sums
      part.largest.add(TreeStats.Entry(path: file.path, value: file.size))
      part.newest.add(TreeStats.Entry(path: file.path, value: file.modified))
    }
    for stretch in part.stretches {
      stats.total += stretch.sums
      add(stretch.sums, to: stretch.region)
      if let slash = stretch.region.firstIndex(of: UInt8(ascii: "/")) {
        add(stretch.sums, to: Array(stretch.region[..<slash]))
      }
    }
    for (suffix, sums) in part.extensions {
      stats.extensions[suffix, default: TreeStats.Sums()] += sums
    }
    for (index, sums) in part.ages.enumerated() { stats.ages[index] += sums }
    for (depth, sums) in part.depths.enumerated() {
      while stats.depths.count <= depth { stats.depths.append(TreeStats.Sums()) }
      stats.depths[depth] += sums
    }
    for entry in part.largest.entries { largest.add(entry) }
    for entry in part.newest.entries { newest.add(entry) }
    for entry in part.widest.entries { widest.add(entry) }
    stats.unreadable += part.unreadable
  }

  private mutating func add(_ sums: TreeStats.Sums, to region: [UInt8]) {
    if let place = places[region] {
      stats.regions[place].sums += sums
    } else {
      places[region] = stats.regions.count
      stats.regions.append(TreeStats.Region(path: region, sums: sums))
    }
  }

  func finish() -> TreeStats {
    var stats = stats
    // A slash comes before all else, so that countries follow their continent.
    stats.regions.sort { a, b in
      a.path.lexicographicallyPrecedes(b.path) { x, y in
        x == y ? false : x == UInt8(ascii: "/") || (y != UInt8(ascii: "/") && x < y)
      }
    }
    stats.largest = largest.entries
    stats.newest = newest.entries
    stats.widest = widest.entries
    return stats
  }
}
