import GeoCore
import GeoSystem

/// A list's facts of an entry.
struct ListedFacts: BitwiseCopyable, Sendable, Equatable {
  /// Which facts are known, and how reliably.
  struct Flags: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8

    /// The size is known.
    static let sized = Flags(rawValue: 1)
    /// The modification time is known.
    static let dated = Flags(rawValue: 2)
    /// The entry was unreadable when the list was made.
    static let unreadable = Flags(rawValue: 4)
    /// The kind is unknown: the entry is a folder if others are below it.
    static let unsure = Flags(rawValue: 8)
    /// A folder that was not entered when the list was made.
    static let unlisted = Flags(rawValue: 16)
    /// The list has contradictory entries for the path.
    static let disputed = Flags(rawValue: 32)
    /// The storage is known.
    static let stored = Flags(rawValue: 64)
    /// The list has the size or the room of the file at another of its names.
    static let elsewhere = Flags(rawValue: 128)
  }

  /// How a file is stored on its disk.
  struct Storage: BitwiseCopyable, Sendable, Equatable {
    /// The bytes that it uses.
    var allocated: Int64 = 0
    var device: UInt64 = 0
    /// 0 of a file with one name.
    var inode: UInt64 = 0
    /// The number of its names.
    var links: UInt32 = 0
  }

  var size: Int64 = 0
  var modified: Int64 = 0
  var kind = EntryKind.regular
  var flags: Flags = []
  /// Empty unless flagged as known.
  var storage = Storage()

  /// The facts without the flag `disputed`.
  var undisputed: ListedFacts {
    var facts = self
    facts.flags.remove(.disputed)
    return facts
  }

  /// The facts of a file for visitors.
  ///
  /// - Parameter withMetadata: Whether to include size and time.
  func entryFacts(withMetadata: Bool) -> EntryFacts {
    if !flags.isDisjoint(with: [.unreadable, .disputed]) {
      return EntryFacts(status: .unreadable, kind: kind)
    }
    if !withMetadata || !flags.contains(.sized) { return EntryFacts(status: .unasked, kind: kind) }
    return EntryFacts(
      size: size, modified: modified, status: flags.contains(.dated) ? .known : .sized, kind: kind,
      links: storage.links)
  }

  /// The storage of a file for visitors.
  var fileStorage: FileStorage {
    if flags.contains(.elsewhere) { return .elsewhere }
    guard flags.contains(.stored) else { return .unknown }
    return FileStorage(
      identity: FileSystem.Identity(device: storage.device, inode: storage.inode),
      allocated: storage.allocated, links: storage.links, owner: FileStorage.unknownOwner,
      group: FileStorage.unknownOwner)
  }
}
