import GeoCore
import GeoSystem
import Synchronization

/// Reads trees of folders, and yields what visitors make of them in batches.
///
/// The scanner knows no geometry: a ``ScanVisitor`` decides which sub-folders are entered. One entry
/// that can't be read is a ``ScanFault`` and never stops the scan. The calls that block run on
/// threads of the scanner's own, so the cooperative pool stays free.
public actor FileSystemScanner {
  /// How a scanner reads.
  public struct Options: Sendable {
    /// Threads that read, at least 1; nil for one to a processor, at most 8. There are fewer where the process
    /// may have so few descriptors open that they would have to wait for each other.
    public var threads: Int?
    /// Whether metadata is read at all.
    public var readsMetadata = true
    /// Whether anything is asked of folders themselves where metadata is read; sources that know it anyway
    /// tell it all the same.
    package var asksForFolders = true
    /// A file that is treated as not there.
    public var temporary: TemporaryEntry?
    /// A folder that is treated as not there.
    package var ownFolder: OwnFolder?
    /// By which system calls to read.
    public var method = ReadingMethod.preferred
    /// Whether a folder in another file system than its root is shown, but not entered.
    public var staysOnFileSystem = false
    /// Whether a symbolic link stands for what it leads to: a link to a folder is entered like one,
    /// unless it leads to one of its own ancestors. A link that leads nowhere stays a link.
    public var followsLinks = false
    /// Whether files are asked how many names they have.
    public var countsLinks = false
    /// Whether files are asked which they are, and how much room they take.
    public var asksForStorage = false
    /// Whether all that is wanted of storage is the nanoseconds of files' times: sources that would have to
    /// do more for the rest leave it out.
    package var asksForNanosecondsAlone = false
    /// Whether something more urgent is being done, asked often, by any of the threads that read: as long as
    /// it is, they rest, and they go after all other threads of the machine. Nil for those that have as
    /// much right as others.
    package var givesWay: (@Sendable () -> Bool)?
    /// Told how far a scan is, as its batches are read.
    package var tellsReach: Listener?
    /// Told how far a sequential source is read before its first folder can be.
    package var tellsPreparation: PreparationListener?
    /// Whether listings say what they are good for.
    package var hasStamp = false

    /// The usual options.
    public init() {}

    /// Whether links stand for what they lead to in any of some trees: because these options say so, or
    /// because they did when a source was made.
    ///
    /// A file of one name may then be met more than once.
    package func followsLinks(in roots: [ScanRoot]) -> Bool {
      followsLinks || roots.contains { $0.source.followsLinks }
    }
  }

  /// Hears how much more was looked at, and of the folder that a scan has come to.
  package typealias Listener = @Sendable (ScanReach, [UInt8]) -> Void

  /// Hears what part of a source is read, 0 to 1, and how many bytes where it is not known how many there are.
  package typealias PreparationListener = @Sendable (Double?, Int64) -> Void

  /// Why a scan could not begin.
  public enum Failure: Error, Sendable {
    /// Not one thread could be made.
    case noThread(Errno)
  }

  let options: Options
  private let counters = Counters()

  /// A scanner of the given options.
  public init(options: Options = Options()) { self.options = options }

  /// How many folders this scanner has opened so far.
  public var openedFolders: Int { counters.openedFolders.load(ordering: .relaxed) }

  /// Begins to read some folders.
  ///
  /// - Parameters:
  ///   - roots: Where to start, in the order in which they are yielded.
  ///   - plan: What the visitors know of the roots, as if these were sub-folders of one folder.
  ///   - makeVisitor: Makes the visitor of one thread; called on the thread.
  /// - Returns: The batches, in the order of the tree.
  /// - Throws: ``Failure`` if no thread could be made.
  public func scan<Visitor: ScanVisitor>(
    _ roots: [ScanRoot], plan: Visitor.Plan, visitor makeVisitor: @escaping @Sendable () -> Visitor
  ) throws(Failure) -> ScanBatches<Visitor.Content> {
    try scan(roots, plan: plan, options: options, visitor: makeVisitor)
  }

  func scan<Visitor: ScanVisitor>(
    _ roots: [ScanRoot], plan: Visitor.Plan, options: Options,
    visitor makeVisitor: @escaping @Sendable () -> Visitor
  ) throws(Failure) -> ScanBatches<Visitor.Content> {
    if roots.isEmpty { return ScanBatches() }
    let threads = roots.contains(where: \.source.isSequential) ? 1 : threadCount
    let context = ScanContext(
      OpenSources(roots, options, readers: threads), options, counters)
    let queue = OrderedWorkQueue<Visitor.Content>(
      Work(roots: roots, plan: plan), workers: threads,
      processors: FileSystem.processors, headroom: Self.headroom(threads: threads))
    let batches = ScanBatches(queue, telling: options.tellsReach) {
      context.failure.withLock { $0 }
    }
    var failure: Errno?
    for index in 0..<threads {
      do throws(Errno) {
        if failure == nil {
          try WorkerThread.start {
            Worker(queue: queue, visitor: makeVisitor(), context: context).run()
            queue.leave()
          }
          continue
        }
      } catch {
        if index == 0 { throw .noThread(error) }
        failure = error
      }
      // Fewer threads do the same, only later.
      queue.leave()
    }
    return batches
  }

  /// As many threads as were asked for, else one to a processor, up to the number from which on more
  /// were measured to cost more than they bring; fewer where so few descriptors may be open that
  /// they would have to wait for each other.
  private var threadCount: Int {
    let wanted = options.threads ?? min(FileSystem.processors, 8)
    return min(max(1, wanted), max(1, (FileSystem.descriptorLimit - 16) / 4))
  }

  /// How much may be read ahead, in bytes of what the visitors make.
  private static func headroom(threads: Int) -> Int {
    1024 * 1024 + min(threads, 8) * 512 * 1024
  }
}

/// What all workers of a scan share.
final class ScanContext: Sendable {
  let sources: OpenSources
  let options: FileSystemScanner.Options
  let counters: Counters
  /// Whether folders can be read in the order of the map only, by one worker.
  let isSequential: Bool
  /// What ended the scan before its end.
  let failure = Mutex<(any Error)?>(nil)

  init(_ sources: OpenSources, _ options: FileSystemScanner.Options, _ counters: Counters) {
    self.sources = sources
    self.options = options
    self.counters = counters
    isSequential = sources.roots.contains(where: \.source.isSequential)
  }

  var roots: [ScanRoot] { sources.roots }
}

/// What a scanner counts.
final class Counters: Sendable {
  let openedFolders = Atomic<Int>(0)
}

extension Work {
  /// The work of a whole scan: the roots, as sub-folders of one folder that isn't anywhere.
  init(roots: [ScanRoot], plan: any AnyObject & Sendable) {
    let folder = ScannedFolder(
      path: [], root: 0, plan: plan, folders: NameTable(roots.map(\.label), kind: .directory),
      marks: [], decisions: roots.map { $0.isEntered ? .entered : .shown }, kept: nil)
    self.init(folder: folder, part: .folders, range: 0..<roots.count)
  }
}
