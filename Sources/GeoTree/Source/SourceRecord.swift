/// What a tree was read from first.
public enum TreeOrigin: UInt8, Sendable, CaseIterable {
  /// Folders of a disk.
  case disk
  /// A list of paths, or an export of another program.
  case list
  /// Revisions of a git repository.
  case git
}

/// What is known of entries that could be read.
public struct FactKnowledge: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Knowledge of the given bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Names of files that have several.
  public static let links = FactKnowledge(rawValue: 1)
  /// Times to the nanosecond.
  public static let nanoseconds = FactKnowledge(rawValue: 2)
  /// Room taken on the disk.
  public static let room = FactKnowledge(rawValue: 4)
  /// Which file it is: device and inode.
  public static let identity = FactKnowledge(rawValue: 8)
  /// User and group.
  public static let owner = FactKnowledge(rawValue: 16)

  /// All that a disk tells.
  public static let disk: FactKnowledge = [.links, .nanoseconds, .room, .identity, .owner]

  /// What `FileStorage` holds of it.
  package static let storage: FactKnowledge = [.nanoseconds, .room, .identity, .owner]
}

/// What a source on no disk says of itself, for a snapshot of it.
public struct SourceRecord: Sendable {
  /// What it was read from first.
  public var origin: TreeOrigin
  /// What it knows of entries.
  public var knowledge: FactKnowledge = []
  /// Whether it is a snapshot itself.
  package var isKept = false
  /// The options that decided what is in it.
  package var options: [[UInt8]] = []
  /// When a revision was committed, in Unix seconds.
  package var committed: Int64?
  /// Whether some names are replaced by others.
  package var isRedacted = false

  /// A source of the given origin, which knows names at most.
  public init(origin: TreeOrigin) { self.origin = origin }
}
