import GeoSystem
import Synchronization

/// The file system of this machine.
public final class DiskSource: TreeSource {
  /// The instance for all folders.
  public static let shared = DiskSource(Choice())

  /// How folders are read, apart from the options of a scan.
  package struct Choice: Equatable, Sendable {
    /// Whether folders on other file systems than their root's are shown, but not entered.
    package var staysOnFileSystem = false
    /// After how many nanoseconds a folder is unreadable whose file system doesn't answer; nil to
    /// wait for ever.
    package var patience: Int64?

    package init() {}
  }

  private static let others = Mutex<[DiskSource]>([])

  /// The instance for a choice: always the same one, so that roots share its session.
  package static func instance(_ choice: Choice) -> DiskSource {
    if choice == shared.choice { return shared }
    return others.withLock { others in
      if let known = others.first(where: { $0.choice == choice }) { return known }
      let new = DiskSource(choice)
      others.append(new)
      return new
    }
  }

  private let choice: Choice

  private init(_ choice: Choice) { self.choice = choice }

  /// The tree can change at any time.
  public var isLive: Bool { true }

  /// Times have nanoseconds.
  public var knowledge: ContentKnowledge { .nanoseconds }

  /// Throws unless the root is a folder, readable or not.
  public func check(_ root: ScanRoot) throws(Errno) {
    let call = { () -> Result<FileSystem.Facts, Errno> in
      Result { () throws(Errno) in
        try FolderPathWalker().facts(root.directory, root.names, method: .preferred)
      }
    }
    let answer = choice.patience.map { PatientSession.asking($0, call) } ?? call()
    let facts: FileSystem.Facts
    do throws(Errno) {
      guard let answer else { throw .timedOut }
      facts = try answer.get()
    } catch {
      throw !root.names.isEmpty && error == .linkLoop ? .notDirectory : error
    }
    if facts.kind != .directory { throw .notDirectory }
  }

  /// Whether the file system of a path answers in time; true if it may take any time.
  package func answers(about path: [UInt8]) -> Bool {
    guard let patience = choice.patience else { return true }
    return PatientSession.asking(patience) { _ = try? FileSystem.rootFacts(path) } != nil
  }

  /// Starts a reading session.
  public func session(
    _ options: FileSystemScanner.Options, readers: Int
  ) -> any TreeSession {
    var options = options
    if choice.staysOnFileSystem { options.staysOnFileSystem = true }
    let session = DiskSession(options, readers: readers)
    return choice.patience.map { PatientSession(session, patience: $0) } ?? session
  }
}

final class DiskSession: TreeSession {
  let options: FileSystemScanner.Options
  let budget: DescriptorBudget
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
