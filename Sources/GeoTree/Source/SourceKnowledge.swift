import GeoCore
import GeoSystem

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

/// How exactly a source knows whether the contents of files differ.
public enum ContentKnowledge: Sendable, Hashable {
  /// By size and modification time, at most to the second.
  case seconds
  /// By size and modification time to the nanosecond.
  case nanoseconds
  /// By identifiers of the contents.
  case objects
}

/// The identifier of a file's or folder's contents: the mode and the object of a git repository.
@frozen public struct ObjectID: Hashable, Sendable {
  /// The first 64 bits of the object's name.
  package var high: UInt64
  /// The next 64 bits.
  package var low: UInt64
  /// The mode in git's encoding.
  package var mode: UInt32

  /// Makes an identifier from an object's name and a mode.
  public init(high: UInt64, low: UInt64, mode: UInt32) {
    self.high = high
    self.low = low
    self.mode = mode
  }
}

/// One of several states' facts of a file.
@frozen public struct FileVersion: Sendable {
  /// Whether the file exists in the state.
  package var isThere = false
  /// Its facts, if it exists in the state.
  package var facts = EntryFacts()
  /// The nanoseconds of its modification time; nil if unknown.
  package var nanoseconds: UInt32?
  /// The identifier of its contents; nil if unknown.
  package var object: ObjectID?
  /// Its room on disk in bytes; negative if its storage is unknown.
  package var allocated: Int64 = -1
  /// Its identity, if its storage is known.
  package var identity = FileIdentity(device: 0, inode: 0)

  /// Makes the version of a state without the file.
  @inlinable package init() {}

  /// Makes the version of a file of which only the contents are known.
  /// Makes the version of a file of which only the contents are known.
  public init(_ object: ObjectID) {
    isThere = true
    self.object = object
    facts.kind = object.mode >> 12 == 0o10 ? .regular : .unknown
  }
}

/// One of several states' facts of a folder.
package struct FolderState: Sendable {
  /// Whether the folder exists in the state.
  package var isThere = false
  /// The outcome of listing it.
  package var outcome = FolderListing.Outcome.unlisted
  /// Why it could not be read in full; nil if it could.
  package var failure: ScanFault.Reason?
  /// The facts of the folder itself.
  package var facts: FolderFacts?
  /// The number of entries in its listing; nil without a listing.
  package var entries: Int?

  /// Makes the state of a folder that doesn't exist.
  package init() {}

  /// Whether its listing is complete.
  package var isWhole: Bool { outcome == .listed && failure == nil }
}
