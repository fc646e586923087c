import GeoCore
import GeoSystem

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
