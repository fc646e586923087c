import GeoCore
import GeoSystem

/// Statistics of a tree.
public struct TreeStats: Sendable {
  /// Sums over some entries.
  public struct Sums: Sendable, Hashable {
    /// The number of folders, including the folder that the sums are for.
    public var folders = 0
    /// The number of files, each counted once even with several names.
    public var files = 0
    /// Bytes of files, each counted once even with several names; at most 2^63 − 1, nil if a size
    /// is unknown.
    public var bytes: Int64? = 0
    /// Bytes allocated by the file system, each file counted once; at most 2^63 − 1, nil if some
    /// are unknown.
    public var allocated: Int64? = 0
    /// The latest modification time of a file in Unix seconds; nil if none is known.
    public var newest: Int64?

    package static let none = Sums()
  }

  // MARK: Parts

  /// An entry of a top list.
  public struct Entry: Sendable, Hashable {
    /// The path on the map, as bytes.
    public var rawPath: [UInt8]
    /// Bytes, Unix seconds or a number of entries, depending on the list.
    public var value: Int64
    /// The path as text; invalid UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }

    package init(rawPath: [UInt8], value: Int64) { (self.rawPath, self.value) = (rawPath, value) }
  }

  /// A folder with its sums.
  public struct Region: Sendable, Hashable {
    /// The path on the map, as bytes.
    public var rawPath: [UInt8]
    /// The path as text; invalid UTF-8 becomes U+FFFD.
    public var path: String { String(decoding: rawPath, as: UTF8.self) }
    /// The sums of the folder and all its contents, independent of other folders.
    public var sums: Sums
    /// The sums of the folder and its own files; with all its contents if its sub-folders are not
    /// regions.
    package var own: Sums
  }

  /// The time since a file was modified, in classes.
  package enum Age: Int, Sendable, CaseIterable {
    /// Modified later than now.
    case future
    /// Less than a day.
    case day
    /// Less than a week.
    case week
    /// Less than 30 days.
    case month
    /// Less than 365 days.
    case year
    /// Less than five years.
    case fiveYears
    /// Five years or more.
    case older
    /// Without a modification time.
    case unknown

    /// Classifies a modification time at the moment `now`, both in Unix seconds of any value.
    package init(at now: Int64, modified: Int64) {
      // The times of some file systems are so extreme that the difference would overflow.
      switch now.subtracting(saturating: modified) {
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

  /// The sums of the whole tree.
  public internal(set) var total = Sums()
  /// The roots and their sub-folders, in map order.
  public internal(set) var regions: [Region] = []
  /// Files by extension: the text after the last dot of the name, at most 16 bytes, in lower case;
  /// empty for names without one.
  public internal(set) var extensions: [String: Sums] = [:]
  /// Files by the user number of their owner, where known.
  package internal(set) var owners: [UInt32: Sums] = [:]
  /// Files by age, in the order of ``Age``.
  package internal(set) var ages = [Sums](repeating: Sums(), count: Age.allCases.count)
  package internal(set) var depths: [Sums] = []
  /// The largest files, the largest first.
  public internal(set) var largest: [Entry] = []
  /// The files modified last, the newest first.
  public internal(set) var newest: [Entry] = []
  /// The folders with the most entries, the largest first.
  package internal(set) var widest: [Entry] = []
  /// The number of entries that could not be read.
  public internal(set) var unreadable = 0
  package internal(set) var layers: StatsLayers?
}

extension TreeSums {
  /// The sums as `TreeStats` has them, clamped to 64 bits.
  var stats: TreeStats.Sums {
    TreeStats.Sums(
      folders: folders, files: files, bytes: knownBytes, allocated: knownAllocated,
      newest: newest == .min ? nil : newest)
  }
}

/// A scan for the statistics of trees.
package struct StatsScan: Sendable {
  /// The number of entries in each top list.
  package var top = 10
  /// The greatest depth of folders with their own sums, 0 for roots only.
  package var depth = 1
  /// The Unix time in seconds from which ages are counted.
  package var now: Int64
  package var scan = FileSystemScanner.Options()
  /// Values of the user's own; nil for none. A first pass sums them up.
  package var layers: LayerSet?

  package init(now: Int64) { self.now = now }

  /// Memory: sums for each region, extension, owner and depth, and 32 bytes or more for each file
  /// with several names, or for each file if links are followed.
  package func run(
    _ roots: [ScanRoot], report: ([ScanFault]) -> Void
  ) async throws -> TreeStats {
    var options = scan
    options.readsMetadata = true
    options.asksForStorage = true
    let (top, depth, now, layers) = (top, depth, now, layers)
    let followsLinks = scan.followsLinks(in: roots)
    let sums = try await layers?.sums(in: roots, scan)
    let batches: ScanBatches<StatsVisitor.Content>
    do throws(Errno) {
      batches = try await FileSystemScanner(options: options)
        .scan(roots, plan: StatsPlan(depth: 0)) {
          StatsVisitor(
            top: top, maximumDepth: depth, now: now, followsLinks: followsLinks, layers: layers)
        }
    } catch {
      throw Failure.noThread(error)
    }
    var builder = StatsBuilder(top: top, now: now, layers: layers)
    for try await batch in batches {
      builder.add(batch.content)
      if !batch.faults.isEmpty { report(batch.faults) }
    }
    var stats = builder.finish()
    if let layers, let sums { try stats.layers?.complete(layers, sums, stats.regions) }
    return stats
  }
}
