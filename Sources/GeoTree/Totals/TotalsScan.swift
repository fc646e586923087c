import GeoCore

/// A first pass over some trees, which adds up what is below each folder.
public struct TotalsScan: Sendable {
  private let batches: ScanBatches<TotalsPart>
  private let classes: Int

  init(_ batches: ScanBatches<TotalsPart>, classes: Int = 0) {
    self.batches = batches
    self.classes = classes
  }

  /// Reads the pass from its beginning; it can be read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: batches.makeAsyncIterator(), classes: classes)
  }

  /// How far a pass is.
  public struct Progress: Sendable {
    /// Folders so far.
    public let folders: Int
    /// Files so far, each as often as it was met.
    public let files: Int
    /// What could not be read since the last time.
    public let faults: [ScanFault]
    /// The path of the folder that it has come to.
    public let place: [UInt8]
  }

  /// Reads a pass on.
  public struct Iterator {
    fileprivate var base: ScanBatches<TotalsPart>.Iterator
    private var builder: TotalsBuilder

    fileprivate init(base: ScanBatches<TotalsPart>.Iterator, classes: Int) {
      self.base = base
      builder = TotalsBuilder(classes: classes)
    }

    /// Goes on; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
      guard let batch = try await base.next(isolation: actor) else { return nil }
      builder.add(batch.content)
      return Progress(
        folders: builder.totals.count, files: builder.files, faults: batch.faults,
        place: batch.place)
    }

    /// What was found, once ``next(isolation:)`` has come to the end.
    public mutating func finish() -> TreeTotals { builder.finish() }
  }
}

extension FileSystemScanner {
  /// Begins to add up what is below each folder.
  ///
  /// It reads all metadata of all that is below the roots, and counts each file once for a folder, by
  /// device and inode, however many names it has there; where links are followed, also however often
  /// it is reached. In memory it keeps what ``TreeTotals`` holds, and 32 to 64 bytes for each file
  /// of several names; for each file at all where links are followed.
  ///
  /// - Parameters:
  ///   - roots: Where to start, in the byte order of their labels.
  ///   - classes: By what files are told apart, if details are wanted: these take 8 bytes a folder,
  ///     and 8 for each class.
  /// - Throws: ``Failure`` if no thread could be made.
  public func totals(
    of roots: [ScanRoot], classes: FileClasses? = nil
  ) throws(Failure) -> TotalsScan {
    try totals(of: roots, classes: classes, for: nil)
  }

  /// Begins to add up again what an update is about: all of `roots` that it does not leave alone.
  ///
  /// - Parameter roots: The folder of the update, as a root.
  package func totals(
    of roots: [ScanRoot], classes: FileClasses?, for update: TotalsUpdate?
  ) throws(Failure) -> TotalsScan {
    var options = options
    options.readsMetadata = true
    options.asksForStorage = true
    let followsLinks = options.followsLinks(in: roots)
    let all = roots.map { root in
      var root = root
      root.isEntered = true
      return root
    }
    return TotalsScan(
      try scan(all, plan: TotalsPlan(depth: 0), options: options) {
        TotalsVisitor(followsLinks: followsLinks, classes: classes, update: update)
      }, classes: classes?.count ?? 0)
  }
}
