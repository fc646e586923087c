import GeoCore
import GeoSystem

/// What a tree consists of.
public struct TreeStats: Sendable {
  /// What is added up of entries.
  public struct Sums: Sendable, Hashable {
    /// Folders, the one that the sums are about included.
    public var folders = 0
    /// Entries that are no folders, each as often as it has names.
    public var files = 0
    /// Bytes of files, each counted once however many names it has; 2^63 − 1 if they are more, nil if
    /// some of them come from where sizes are not known.
    public var bytes: Int64? = 0
    /// Bytes that the file system has given them, each counted once; 2^63 − 1 if they are more, nil if
    /// some of them come from where that is not known.
    public var allocated: Int64? = 0
    /// Unix time of the last change of any file; nil if none is known.
    public var newest: Int64?

    /// Of nothing.
    package static let none = Sums()
  }

  // MARK: Parts

  /// A file or a folder that stands out.
  public struct Entry: Sendable, Hashable {
    /// The root's label and names, joined by `/`.
    public var path: [UInt8]
    /// Bytes, Unix seconds or entries, whatever it stands out by.
    public var value: Int64
  }

  /// A folder, and what is in it.
  public struct Region: Sendable, Hashable {
    /// The root's label and names, joined by `/`.
    public var path: [UInt8]
    /// All that is below it, as if there were no other folder.
    public var sums: Sums
    /// The folder and its own files; if its sub-folders are no regions, what is below them, too.
    public var own: Sums
  }

  /// How long ago files were changed.
  public enum Age: Int, Sendable, CaseIterable {
    case future, day, week, month, year, fiveYears, older, unknown

    /// The age, at a moment, of what was changed at another, both in Unix seconds of any value.
    public init(at now: Int64, modified: Int64) {
      // File systems can claim times so far away that the difference has no room.
      let (seconds, overflow) = now.subtractingReportingOverflow(modified)
      if overflow {
        self = modified > now ? .future : .older
        return
      }
      switch seconds {
      case ..<0: self = .future
      case ..<86_400: self = .day
      case ..<(7 * 86_400): self = .week
      case ..<(30 * 86_400): self = .month
      case ..<(365 * 86_400): self = .year
      case ..<(5 * 365 * 86_400): self = .fiveYears
      default: self = .older
      }
    }
  }

  /// All of it.
  public internal(set) var total = Sums()
  /// The folders down to ``StatsScan/depth``, in the order of the map.
  public internal(set) var regions: [Region] = []
  /// Files by what follows the last dot of their names, in lower case; empty for those without.
  public internal(set) var extensions: [FileExtension: Sums] = [:]
  /// Files by the numbers of the users that they belong to, as far as that is known.
  public internal(set) var owners: [UInt32: Sums] = [:]
  /// Files by age, in the order of ``Age``.
  public internal(set) var ages = [Sums](repeating: Sums(), count: Age.allCases.count)
  /// Entries by depth: how many folders and files there are at each.
  public internal(set) var depths: [Sums] = []
  /// The largest files, the largest first.
  public internal(set) var largest: [Entry] = []
  /// The files that were changed last, the newest first.
  public internal(set) var newest: [Entry] = []
  /// The folders with the most entries.
  public internal(set) var widest: [Entry] = []
  /// Entries that could not be read.
  public internal(set) var unreadable = 0
}

extension TreeSums {
  /// The sums, as far as they fit.
  var stats: TreeStats.Sums {
    TreeStats.Sums(
      folders: folders, files: files, bytes: knownBytes, allocated: knownAllocated,
      newest: newest == .min ? nil : newest)
  }
}

/// Puts parts together, in the order of the map.
///
/// Each region counts a file of several names once, as `du` does when it is asked about that folder alone. In
/// all other sums it counts where it is met first.
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
      sums.add(stretch.sums)
      while next < part.shared.count, part.shared[next].stretch == position {
        add(part.shared[next])
        next += 1
      }
    }
    for (suffix, sums) in part.extensions { extensions[suffix, default: TreeSums()] += sums }
    for (owner, sums) in part.owners { owners[owner, default: TreeSums()] += sums }
    for (index, sums) in part.ages.enumerated() { ages[index] += sums }
    for (depth, sums) in part.depths.enumerated() {
      while depths.count <= depth { depths.append(TreeSums()) }
      depths[depth] += sums
    }
    for entry in part.largest.entries { largest.add(entry) }
    for entry in part.newest.entries { newest.add(entry) }
    for entry in part.widest.entries { widest.add(entry) }
    stats.unreadable += part.unreadable
  }

  /// Goes on to a region, which is the current one or follows it in the order of the map.
  private mutating func enter(_ path: [UInt8]) {
    if let here = sums.levels.last, stats.regions[here.folder].path == path { return }
    leave(to: path.slashCount)
    sums.begin(stats.regions.count)
    stats.regions.append(TreeStats.Region(path: path, sums: .none, own: .none))
  }

  private mutating func leave(to depth: Int) {
    while sums.levels.count > depth, let level = sums.end() {
      stats.regions[level.folder].sums = level.all.stats
      stats.regions[level.folder].own = level.own.stats
      if sums.levels.isEmpty { total += level.all }
    }
  }

  /// Adds the bytes of a file whose name was counted already.
  private mutating func add(_ file: StatsPart.SharedFile) {
    let bytes = TreeSums(bytes: Int128(file.size), allocated: Int128(file.allocated))
    if let meeting = sums.add(bytes, of: file.identity) {
      // No region holds names of two roots.
      if meeting.level == nil { total -= bytes }
      return
    }
    extensions[file.suffix, default: TreeSums()] += bytes
    owners[file.owner, default: TreeSums()] += bytes
    ages[TreeStats.Age(at: now, modified: file.modified).rawValue] += bytes
    largest.add(TreeStats.Entry(path: file.path, value: file.size))
    newest.add(TreeStats.Entry(path: file.path, value: file.modified))
  }

  mutating func finish() -> TreeStats {
    leave(to: 0)
    stats.total = total.stats
    stats.extensions = extensions.mapValues(\.stats)
    stats.owners = owners.mapValues(\.stats)
    stats.ages = ages.map(\.stats)
    stats.depths = depths.map(\.stats)
    stats.largest = largest.entries
    stats.newest = newest.entries
    stats.widest = widest.entries
    return stats
  }
}

/// Adds up what trees consist of.
public struct StatsScan: Sendable {
  /// How many entries stand out in each list.
  public var top = 10
  /// How deep the folders are that have sums of their own, 0 for the roots alone.
  public var depth = 1
  /// Unix time from which ages are counted.
  public var now: Int64
  /// How the folders are read.
  public var scan = FileSystemScanner.Options()

  /// A scan that counts ages from a time.
  public init(now: Int64) { self.now = now }

  /// Reads the trees.
  ///
  /// Memory holds a number for each region, extension, owner and depth, and 32 bytes and more for each
  /// file that has several names; where links are followed, for each file.
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
    let (top, depth, now) = (top, depth, now)
    let followsLinks = scan.followsLinks(in: roots)
    let batches = try await FileSystemScanner(options: options)
      .scan(roots, plan: StatsPlan(depth: 0)) {
        StatsVisitor(top: top, deepest: depth, now: now, followsLinks: followsLinks)
      }
    var builder = StatsBuilder(top: top, now: now)
    for try await batch in batches {
      builder.add(batch.content)
      if !batch.faults.isEmpty { report(batch.faults) }
    }
    return builder.finish()
  }
}
