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

/// Sums of folders and files while they are added up.
struct Tally: Sendable {
  var folders = 0
  var files = FileSums()

  static func += (tally: inout Tally, more: Tally) {
    tally.folders += more.folders
    tally.files += more.files
  }

  /// Takes away what was counted twice; what is newest stays.
  static func -= (tally: inout Tally, fewer: Tally) {
    tally.folders -= fewer.folders
    tally.files -= fewer.files
  }

  /// The sums, as far as they fit.
  var sums: TreeStats.Sums {
    TreeStats.Sums(
      folders: folders, files: files.files, bytes: FileSums.known(files.bytes),
      allocated: FileSums.known(files.allocated),
      newest: files.newest == .min ? nil : files.newest)
  }
}

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
