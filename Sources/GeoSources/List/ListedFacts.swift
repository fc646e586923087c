import GeoCore
import GeoSystem

/// A list's facts of an entry.
struct ListedFacts: BitwiseCopyable, Sendable, Equatable {
  struct Flags: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8

    static let sized = Flags(rawValue: 1)
    static let dated = Flags(rawValue: 2)
    /// Of a folder: the list has an entry for it.
    static let listed = sized
    /// When the list was made, as `unlisted`.
    static let unreadable = Flags(rawValue: 4)
    /// The kind is unknown: the entry is a folder if others are below it.
    static let unsure = Flags(rawValue: 8)
    /// A folder that was not entered.
    static let unlisted = Flags(rawValue: 16)
    static let disputed = Flags(rawValue: 32)
    static let stored = Flags(rawValue: 64)
    /// The list has the size or the room of the file at another of its names.
    static let elsewhere = Flags(rawValue: 128)
  }

  struct Storage: BitwiseCopyable, Sendable, Equatable {
    var allocated: Int64 = 0
    var device: UInt64 = 0
    /// 0 of a file with one name.
    var inode: UInt64 = 0
    var links: UInt32 = 0
  }

  var size: Int64 = 0
  var modified: Int64 = 0
  var kind = EntryKind.regular
  var flags: Flags = []
  /// Empty unless flagged as known.
  var storage = Storage()

  var undisputed: ListedFacts {
    var facts = self
    facts.flags.remove(.disputed)
    return facts
  }

  func entryFacts(withMetadata: Bool) -> EntryFacts {
    if !flags.isDisjoint(with: [.unreadable, .disputed]) {
      return EntryFacts(status: .unreadable, kind: kind)
    }
    if !withMetadata || !flags.contains(.sized) { return EntryFacts(status: .unasked, kind: kind) }
    return EntryFacts(
      size: size, modified: modified, status: flags.contains(.dated) ? .known : .sized, kind: kind,
      links: storage.links)
  }

  var fileStorage: FileStorage {
    if flags.contains(.elsewhere) { return .elsewhere }
    guard flags.contains(.stored) else { return .unknown }
    return FileStorage(
      identity: FileSystem.Identity(device: storage.device, inode: storage.inode),
      allocated: storage.allocated, links: storage.links, owner: FileStorage.unknownOwner,
      group: FileStorage.unknownOwner)
  }
}
