/// The original source of a tree.
public enum TreeOrigin: UInt8, Sendable, CaseIterable {
  /// Folders on disk.
  case disk
  /// A list of paths, or the export of another program.
  case list
  /// A revision of a git repository.
  case git
}

/// The facts that a source has of its readable entries.
public struct FactKnowledge: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The number of hard links.
  public static let links = FactKnowledge(rawValue: 1)
  /// Times with nanoseconds.
  public static let nanoseconds = FactKnowledge(rawValue: 2)
  /// Disk space used.
  public static let room = FactKnowledge(rawValue: 4)
  /// Device and inode.
  public static let identity = FactKnowledge(rawValue: 8)
  /// User and group.
  public static let owner = FactKnowledge(rawValue: 16)

  /// All facts that a disk has.
  public static let disk: FactKnowledge = [.links, .nanoseconds, .room, .identity, .owner]

  /// The facts that `FileStorage` contains.
  package static let storage: FactKnowledge = [.nanoseconds, .room, .identity, .owner]
}

/// Facts about a source that a snapshot of it records.
public struct SourceRecord: Sendable {
  /// The original source.
  public var origin: TreeOrigin
  /// The facts that it has of its entries.
  public var knowledge: FactKnowledge = []
  /// Whether the source itself is a snapshot.
  package var isKept = false
  /// The options that decided which entries it has.
  package var options: [[UInt8]] = []
  /// Commit time of a revision in Unix seconds.
  package var committed: Int64?
  /// Whether names were replaced by pseudonyms.
  package var isRedacted = false

  /// Makes a record of the given origin, without further facts.
  public init(origin: TreeOrigin) { self.origin = origin }
}
