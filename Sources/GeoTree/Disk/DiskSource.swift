import GeoCore
import GeoSystem

/// The folders of this machine.
public final class DiskSource: TreeSource {
  /// All of them.
  public static let shared = DiskSource(staysOnFileSystem: false)
  /// The same, but what is in another file system than its root is shown and not entered.
  package static let withinFileSystem = DiskSource(staysOnFileSystem: true)

  private let staysOnFileSystem: Bool

  private init(staysOnFileSystem: Bool) { self.staysOnFileSystem = staysOnFileSystem }

  /// Knows times to the nanosecond.
  public var knowledge: ContentKnowledge { .nanoseconds }

  /// Looks whether a root is a folder, which need not be readable.
  public func check(_ root: ScanRoot) throws(ScanRoot.Failure) {
    let facts: FileSystem.Facts
    do throws(Errno) {
      facts = try FolderWay().facts(root.directory, root.names, method: .preferred)
    } catch {
      throw error == .notDirectory || !root.names.isEmpty && error == .linkLoop
        ? .notFolder : .notFound(error)
    }
    if facts.kind != .directory { throw .notFolder }
  }

  /// Begins to read.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    var options = options
    if staysOnFileSystem { options.staysOnFileSystem = true }
    return DiskSession(options, readers: readers)
  }
}

/// The disk while it is read.
final class DiskSession: TreeSession {
  let options: FileSystemScanner.Options
  let budget: DescriptorBudget
  /// What files are asked.
  let questions: EntryQuestions
  /// Whether folders are looked at before they are listed, and their ancestors kept.
  let keepsLineage: Bool

  init(_ options: FileSystemScanner.Options, readers: Int) {
    self.options = options
    // Half of the descriptors are left to the rest of the program; each thread needs up to three.
    let limit = FileSystem.descriptorLimit
    budget = DescriptorBudget(limit: max(4, min(limit / 2, limit - 16 - 3 * readers)))
    questions = EntryQuestions(
      readsMetadata: options.readsMetadata, method: options.method,
      followsLinks: options.followsLinks, countsLinks: options.countsLinks,
      asksForStorage: options.asksForStorage)
    keepsLineage = options.staysOnFileSystem || options.followsLinks
  }

  func makeReader() -> any FolderReader { DiskReader(self) }

  func witness(of folder: FolderReference) -> ListingWitness? {
    guard case .path(let root, let path, _) = folder else { return nil }
    // Whatever the path leads to by now: it is the same folder, or it isn't.
    let names = root.names.reduce([]) { $0.appending(component: $1) }
    let rest = path.dropFirst(root.label.count)
    return (try? FileSystem.rootFacts(root.directory + names + rest)).map { ListingWitness($0) }
  }
}

extension ListingWitness {
  init(_ facts: FileSystem.Facts) {
    self.init(
      identity: facts.identity, seconds: facts.modified, nanoseconds: facts.modifiedNanoseconds)
  }
}
