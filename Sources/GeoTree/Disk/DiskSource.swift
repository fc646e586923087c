import GeoSystem

/// The file system of this machine.
public final class DiskSource: TreeSource {
  /// The instance for all folders.
  public static let shared = DiskSource(staysOnFileSystem: false)
  /// An instance that shows folders on other file systems than their root's, but doesn't enter
  /// them.
  package static let withinFileSystem = DiskSource(staysOnFileSystem: true)

  private let staysOnFileSystem: Bool

  private init(staysOnFileSystem: Bool) { self.staysOnFileSystem = staysOnFileSystem }

  /// The tree can change at any time.
  public var isLive: Bool { true }

  /// Times have nanoseconds.
  public var knowledge: ContentKnowledge { .nanoseconds }

  /// Throws unless the root is a folder, readable or not.
  public func check(_ root: ScanRoot) throws(Errno) {
    let facts: FileSystem.Facts
    do throws(Errno) {
      facts = try FolderPathWalker().facts(root.directory, root.names, method: .preferred)
    } catch {
      throw !root.names.isEmpty && error == .linkLoop ? .notDirectory : error
    }
    if facts.kind != .directory { throw .notDirectory }
  }

  /// Starts a reading session.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    var options = options
    if staysOnFileSystem { options.staysOnFileSystem = true }
    return DiskSession(options, readers: readers)
  }
}

/// A reading session of the disk.
final class DiskSession: TreeSession {
  let options: FileSystemScanner.Options
  let budget: DescriptorBudget
  /// Which facts to read of files.
  let questions: EntryQuestions
  /// Whether to check folders before listing them, and to record their ancestors.
  let keepsAncestors: Bool

  init(_ options: FileSystemScanner.Options, readers: Int) {
    self.options = options
    // Leave half of the descriptors to the rest of the program. Each thread needs up to three.
    let limit = FileSystem.descriptorLimit
    budget = DescriptorBudget(limit: max(4, min(limit / 2, limit - 16 - 3 * readers)))
    questions = EntryQuestions(
      readsMetadata: options.readsMetadata, method: options.method,
      followsLinks: options.followsLinks, countsLinks: options.countsLinks,
      asksForStorage: options.asksForStorage)
    keepsAncestors = options.staysOnFileSystem || options.followsLinks
  }

  func makeReader() -> any FolderReader { DiskReader(self) }

  func stamp(of folder: FolderReference) -> ListingStamp? {
    guard case .path(let root, let path, _) = folder else { return nil }
    // By one path, links included: if it leads elsewhere by now, the identity differs.
    let names = root.names.reduce([]) { $0.appending(component: $1) }
    let rest = path.dropFirst(root.label.count)
    return (try? FileSystem.rootFacts(root.directory + names + rest)).map { ListingStamp($0) }
  }
}

extension ListingStamp {
  init(_ facts: FileSystem.Facts) {
    self.init(
      identity: facts.identity, seconds: facts.modified, nanoseconds: facts.modifiedNanoseconds)
  }
}
