/// The numbers that the format of snapshots is made of; the article Snapshots says what they mean.
enum SnapshotFormat {
  /// What a snapshot begins with.
  static let magic: [UInt8] = [0x89] + Array("geosnap".utf8)
  /// What it ends with.
  static let endMagic: [UInt8] = Array("geosnap".utf8) + [0x0A]
  static let version: UInt32 = 1

  /// Bytes before the body of the header: magic, version, length.
  static let headerStart = 16
  /// Bytes before what is packed of a block: checksum and three lengths.
  static let blockHeader = 16
  /// Bytes at the end.
  static let trailer = 56

  /// A block ends with the entry that makes it this long, in bytes before they are packed.
  static let blockLength = 32 * 1024
  /// What no block exceeds.
  static let longestBlock = 128 * 1024
  /// What no header exceeds.
  static let longestHeader = 1 << 26
  /// The longest reason that is kept in words.
  static let longestReason = 1024

  /// Bytes of a slot of the index.
  static let slot = 12
  /// How many slots share a checksum.
  static let slotsToPage = 341
  /// Bytes of a page, its checksum included.
  static let page = 4 + slot * slotsToPage

  /// Bytes of an index of so many slots.
  static func indexLength(slots: UInt64) -> UInt64 {
    slots * UInt64(slot) + (slots + UInt64(slotsToPage - 1)) / UInt64(slotsToPage) * 4
  }
}

/// The columns of a block, in their order: values of one kind from all its entries, which pack better
/// together. What a map needs comes first.
enum Column: Int, CaseIterable {
  case records
  case folderTimes
  case states
  case reasons
  case nameLengths
  case letters
  case sizes
  case times
  case links
  // What follows is unpacked only where somebody asks for it.
  case folderStorage
  case nanoseconds
  case rooms
  case devices
  case inodes
  case owners
  case groups
}

/// What a record says of a folder.
struct RecordFlags: OptionSet {
  let rawValue: UInt8

  /// It goes on with the folder that the block before ends in.
  static let continued = RecordFlags(rawValue: 1)
  /// There is a listing, whole or not.
  static let listed = RecordFlags(rawValue: 2)
  /// The listing or the metadata could not be read; a reason follows.
  static let unreadable = RecordFlags(rawValue: 4)
  /// It is one of its own ancestors, reached by a link.
  static let loop = RecordFlags(rawValue: 8)
  /// Its time is known.
  static let timed = RecordFlags(rawValue: 16)

  static let all: RecordFlags = [.continued, .listed, .unreadable, .loop, .timed]
}

/// What a snapshot knows of entries that could be read.
public struct SnapshotKnowledge: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Knowledge of the given bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Names of files that have several.
  public static let links = SnapshotKnowledge(rawValue: 1)
  /// Times to the nanosecond.
  public static let nanoseconds = SnapshotKnowledge(rawValue: 2)
  /// Room taken on the disk.
  public static let room = SnapshotKnowledge(rawValue: 4)
  /// Which file it is: device and inode.
  public static let identity = SnapshotKnowledge(rawValue: 8)
  /// User and group.
  public static let owner = SnapshotKnowledge(rawValue: 16)

  /// All that a disk tells.
  public static let disk: SnapshotKnowledge = [.links, .nanoseconds, .room, .identity, .owner]

  /// What `FileStorage` holds of it.
  package static let storage: SnapshotKnowledge = [.nanoseconds, .room, .identity, .owner]
}
