/// What is known of an entry beyond its name.
@frozen public struct EntryFacts: BitwiseCopyable, Sendable, Equatable {
  /// How the facts came about, and with it what becomes of the entry.
  @frozen public enum Status: UInt8, Sendable {
    /// The metadata was read: ``EntryFacts/size`` and ``EntryFacts/modified`` hold.
    case known
    /// Only ``EntryFacts/size`` holds: a list says no more.
    case sized
    /// Nobody asked for metadata: the entry is shown without.
    case unasked
    /// The metadata could not be read: the entry is shown and marked.
    case unreadable
    /// A filter leaves the entry out: it is neither looked at nor shown.
    case hidden
    /// The listing names it, but it was gone, or had become a folder: it is not shown.
    case vanished
  }

  /// Bytes of a file, as the system has them.
  public var size: Int64
  /// Unix time of the last change in whole seconds, rounded down; negative before 1970.
  public var modified: Int64
  /// How the facts came about.
  public var status: Status
  /// What the entry is.
  public var kind: EntryKind
  /// How many names a file has, where somebody asked for it; otherwise 0.
  public var links: UInt32

  /// Facts as they are given.
  @inlinable
  public init(
    size: Int64 = 0, modified: Int64 = 0, status: Status = .unasked, kind: EntryKind = .regular,
    links: UInt32 = 0
  ) {
    self.size = size
    self.modified = modified
    self.status = status
    self.kind = kind
    self.links = links
  }
}
