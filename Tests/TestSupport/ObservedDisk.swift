import GeoCore
import GeoSystem
import GeoTree

/// The disk, with a function that is called before each folder is listed and before metadata of files
/// is read.
public final class ObservedDisk: TreeSource {
  /// What is about to be read.
  public enum Call: Sendable {
    case listing
    /// Metadata of so many files; false if only their names are asked for.
    case files(Int, readsMetadata: Bool)
  }

  /// Whether it says that it is live.
  public let isLive: Bool
  fileprivate let observe: @Sendable (Call) -> Void

  /// Makes a source.
  ///
  /// - Parameter observe: Called before each read, on the thread that reads.
  public init(isLive: Bool = false, _ observe: @escaping @Sendable (Call) -> Void) {
    (self.isLive, self.observe) = (isLive, observe)
  }

  /// Throws unless the root is a folder.
  public func check(_ root: ScanRoot) throws(Errno) { try DiskSource.shared.check(root) }

  /// Starts a reading session of the disk.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    ObservedSession(self, options, DiskSource.shared.session(options, readers: readers))
  }
}

private final class ObservedSession: TreeSession {
  let disk: ObservedDisk
  let options: FileSystemScanner.Options
  let inner: any TreeSession

  init(_ disk: ObservedDisk, _ options: FileSystemScanner.Options, _ inner: any TreeSession) {
    (self.disk, self.options, self.inner) = (disk, options, inner)
  }

  func makeReader() -> any FolderReader { ObservedReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? { inner.stamp(of: folder) }
}

private final class ObservedReader: WrappingReader {
  private let session: ObservedSession
  let inner: any FolderReader

  init(_ session: ObservedSession) {
    self.session = session
    inner = session.inner.makeReader()
  }

  func list(_ folder: FolderReference, into listing: inout FolderListing) {
    session.disk.observe(.listing)
    inner.list(folder, into: &listing)
  }

  func inspect(_ folder: FolderReference, into listing: inout FolderListing) {
    inner.inspect(folder, into: &listing)
  }

  func enter(_ folder: FolderReference) throws(Errno) { try inner.enter(folder) }

  func keep() -> any KeptFolder { inner.keep() }

  func readFacts(
    of names: NameTable, _ range: Range<Int>, into facts: inout [EntryFacts],
    storage: inout [FileStorage], failures: inout [FactFailure]
  ) {
    session.disk.observe(.files(range.count, readsMetadata: session.options.readsMetadata))
    inner.readFacts(of: names, range, into: &facts, storage: &storage, failures: &failures)
  }
}
