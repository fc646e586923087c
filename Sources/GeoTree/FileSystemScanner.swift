import GeoSystem
import Synchronization

/// Reads folder trees in parallel, and returns the output of visitors in batches.
///
/// The scanner knows no geometry: a ``ScanVisitor`` decides which sub-folders to enter. An entry
/// that can't be read is reported as a `ScanFault` and doesn't stop the scan. Blocking calls run
/// on the scanner's own threads, so the cooperative pool stays free.
public actor FileSystemScanner {
  /// Options of a scan.
  public struct Options: Sendable {
    /// The number of reading threads, at least 1; nil for as many as the storage can use: one per
    /// processor, at most 8, and up to 128 while calls wait. A low limit on open descriptors reduces
    /// it.
    public var threads: Int?
    /// Whether to read metadata.
    public var readsMetadata = true
    /// Whether to read the metadata of folders too, if metadata is read. Sources may provide it
    /// even if not.
    package var asksForFolders = true
    /// Which entries are passed on. Visitors and readers see what it leaves out as if the source
    /// left it out.
    package var selection = Selection()
    /// A file to skip as if it did not exist.
    public var temporary: TemporaryEntry?
    /// A folder to skip as if it did not exist.
    package var ownFolder: OwnFolder?
    /// The system calls to read with.
    package var method = ReadingMethod.preferred
    /// Whether to show folders on other file systems than their root's without entering them.
    public var staysOnFileSystem = false
    /// Whether to treat symbolic links as their targets. A link to a folder is entered unless it
    /// leads to one of its own ancestors. A broken link stays a link.
    public var followsLinks = false
    /// Whether to read the number of hard links of files.
    public var countsLinks = false
    /// Whether to read the identity of files and the disk space they use.
    public var asksForStorage = false
    /// Whether only the nanoseconds of files' times are needed from storage. Sources may then skip
    /// the rest.
    package var asksForNanosecondsAlone = false
    /// Returns whether more urgent work is running; called often, from all reading threads. While
    /// it returns true, they pause. With this set, they also run at low priority. Nil for normal
    /// priority.
    package var givesWay: (@Sendable () -> Bool)?
    /// Called with the progress of the scan as its batches are read.
    package var listener: Listener?
    /// Called each second while a folder has not answered for some seconds, from a reading thread.
    package var stallListener: StallListener?
    /// Called with the progress of reading a sequential source before its first folder.
    package var preparationListener: PreparationListener?
    package var hasStamp = false

    /// Makes the default options.
    public init() {}

    /// Whether links are treated as their targets in any of these trees, by these options or by
    /// those a source was made with.
    /// A file can then occur more than once.
    package func followsLinks(in roots: [ScanRoot]) -> Bool {
      followsLinks || roots.contains { $0.source.followsLinks }
    }
  }

  /// Receives how much was read since the last call, and the path of the current folder.
  package typealias Listener = @Sendable (ScanReach, [UInt8]) -> Void

  /// Receives the path of a folder that doesn't answer, and for how many seconds.
  package typealias StallListener = @Sendable ([UInt8], Int64) -> Void

  /// Receives the fraction of a source that is read, 0 to 1, or nil if its size is unknown; and the
  /// number of bytes read in that case.
  package typealias PreparationListener = @Sendable (Double?, Int64) -> Void

  let options: Options
  private let counters = Counters()

  /// Makes a scanner with the given options.
  public init(options: Options = Options()) { self.options = options }

  /// The number of folders that this scanner has opened so far.
  package var openedFolders: Int { counters.openedFolders.load(ordering: .relaxed) }

  /// Starts to read some folders.
  ///
  /// - Parameters:
  ///   - roots: The folders to read, in output order.
  ///   - plan: The visitors' plan for the roots, as for the sub-folders of one folder.
  ///   - makeVisitor: Makes the visitor of one thread; called on that thread.
  /// - Returns: The batches, in tree order.
  /// - Throws: The reason why no thread could be started.
  public func scan<Visitor: ScanVisitor>(
    _ roots: [ScanRoot], plan: Visitor.Plan, visitor makeVisitor: @escaping @Sendable () -> Visitor
  ) throws(Errno) -> ScanBatches<Visitor.Content> {
    try scan(roots, plan: plan, options: options, visitor: makeVisitor)
  }

  func scan<Visitor: ScanVisitor>(
    _ roots: [ScanRoot], plan: Visitor.Plan, options: Options,
    visitor makeVisitor: @escaping @Sendable () -> Visitor
  ) throws(Errno) -> ScanBatches<Visitor.Content> {
    if roots.isEmpty { return ScanBatches() }
    var count = WorkerCount(options.threads, for: roots)
    count.isWatched =
      options.stallListener != nil && !roots.contains(where: \.source.isSequential)
    let context = ScanContext(
      OpenSources(roots, options, readers: count.maximum), options, counters)
    let start: @Sendable (OrderedWorkQueue<Visitor.Content>) throws(Errno) -> Void = { queue in
      try WorkerThread.start {
        Worker(queue: queue, makeVisitor: makeVisitor, context: context).run()
        queue.leave()
      }
    }
    let queue = OrderedWorkQueue<Visitor.Content>(
      Work(roots: roots, plan: plan), workers: count,
      stalls: options.stallListener.map { StallWatch(reportingTo: $0) },
      startWorker: count.isFixed ? nil : start)
    let batches = ScanBatches(queue, reporting: options.listener) {
      context.failure.withLock { $0 }
    }
    for index in 0..<count.started {
      do throws(Errno) {
        try start(queue)
      } catch {
        if index == 0 { throw error }
        // The threads that started do all the work.
        for _ in index..<count.started { queue.leave() }
        break
      }
    }
    return batches
  }
}

/// State shared by all workers of a scan.
final class ScanContext: Sendable {
  let sources: OpenSources
  let options: FileSystemScanner.Options
  let counters: Counters
  /// Whether folders can only be read in map order, by one worker.
  let isSequential: Bool
  /// The error that ended the scan early.
  let failure = Mutex<(any Error)?>(nil)

  init(_ sources: OpenSources, _ options: FileSystemScanner.Options, _ counters: Counters) {
    self.sources = sources
    self.options = options
    self.counters = counters
    isSequential = sources.roots.contains(where: \.source.isSequential)
  }

  var roots: [ScanRoot] { sources.roots }
}

final class Counters: Sendable {
  let openedFolders = Atomic<Int>(0)
}
