/// What is asked of a folder's entries.
public struct EntryQuestions: Sendable {
  /// Whether metadata is read at all; if not, only entries are looked at whose kind isn't known.
  public var readsMetadata: Bool
  /// By which system calls.
  public var method: ReadingMethod
  /// Whether a symbolic link stands for what it leads to. One that leads nowhere is a link.
  public var followsLinks: Bool
  /// Whether it is asked how many names a file has.
  public var countsLinks: Bool
  /// Whether it is asked which file it is, and how much room it takes.
  public var asksForStorage: Bool

  /// Questions of the given kinds.
  public init(
    readsMetadata: Bool = true, method: ReadingMethod = .preferred, followsLinks: Bool = false,
    countsLinks: Bool = false, asksForStorage: Bool = false
  ) {
    self.readsMetadata = readsMetadata
    self.method = method
    self.followsLinks = followsLinks
    self.countsLinks = countsLinks
    self.asksForStorage = asksForStorage
  }
}

/// Which file or folder a name stands for, how much room it takes, and whose it is.
public struct FileStorage: BitwiseCopyable, Sendable, Equatable {
  /// Which one it is.
  public var identity: FileSystem.Identity
  /// Bytes that the file system has given it; negative if nobody knows, nor anything else of its
  /// storage.
  public var allocated: Int64
  /// Nanoseconds of its time of change beyond the second.
  public var nanoseconds: UInt32
  /// How many names it has.
  public var links: UInt32
  /// The user that it belongs to.
  public var owner: UInt32
  /// The group that it belongs to.
  public var group: UInt32

  /// Storage of a file or folder.
  public init(
    identity: FileSystem.Identity, allocated: Int64, nanoseconds: UInt32 = 0, links: UInt32 = 0,
    owner: UInt32 = 0, group: UInt32 = 0
  ) {
    self.identity = identity
    self.allocated = allocated
    self.nanoseconds = nanoseconds
    self.links = links
    self.owner = owner
    self.group = group
  }

  /// Of a file that nobody could be asked about.
  package static var unknown: FileStorage { unknown(nanoseconds: 0) }

  /// Of a file of which nothing is known but when it was changed.
  package static func unknown(nanoseconds: UInt32) -> FileStorage {
    FileStorage(
      identity: FileSystem.Identity(device: 0, inode: 0), allocated: -1, nanoseconds: nanoseconds)
  }

  /// Whether any of it is known.
  package var isKnown: Bool { allocated >= 0 }
}

extension Errno {
  /// Whether a symbolic link leads nowhere: its target is missing, or the way there is no folder, too
  /// long or a circle.
  var meansBrokenLink: Bool {
    self == .noEntry || self == .notDirectory || self == .linkLoop || self == .nameTooLong
  }
}
