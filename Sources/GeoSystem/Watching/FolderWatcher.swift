import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reports changes in folders with inotify. It can't be created on other systems.
package final class FolderWatcher: Sendable {
  private let descriptor: Descriptor

  /// A change in a folder.
  package struct Change: Sendable {
    /// The kind of a change.
    package enum What: String, Sendable {
      /// The entry was created, or moved there.
      case added
      /// The entry was removed, or moved away.
      case removed
      /// The entry's content or metadata changed.
      case modified
    }

    /// The number of the folder.
    package var folder: Int32
    /// The kind of the change.
    package var what: What
    /// The entry's name; empty if it is the folder itself.
    package var name: [UInt8]
    /// Whether the entry is a folder.
    package var isFolder: Bool
    /// A number shared by the two changes of a rename: the removed entry and the added one; 0 for
    /// other changes.
    package var cookie: UInt32 = 0
    /// Whether the content changed, not only the metadata.
    package var isContent = false
    /// Whether the folder is gone, so that its number may be reused.
    package var isForgotten = false
    /// Whether the entry's current state has to be read: later changes may have been merged into
    /// this one.
    package var isVague = false
    /// Whether changes were lost: any folder may have changed.
    package var isOverflow = false

    /// Changes were lost.
    package static var overflow: Change {
      Change(folder: -1, what: .modified, name: [], isFolder: false, isOverflow: true)
    }
  }

  /// Creates a watcher without folders.
  ///
  /// - Throws: The system's error, such as too many watchers of the user.
  package init() throws(Errno) {
    let number = csystem_watcher_create()
    if number < 0 { throw Errno(rawValue: -number) }
    descriptor = Descriptor(owning: number)
  }

  /// Watches an open folder, which may be closed afterwards.
  ///
  /// - Returns: Its number, the same if it is watched already.
  package func watch(_ directory: Int32) throws(Errno) -> Int32 {
    let number = csystem_watch(descriptor.rawValue, directory)
    if number < 0 { throw Errno(rawValue: -number) }
    return number
  }

  /// Stops watching a folder. A last change reports it as forgotten.
  package func forget(_ folder: Int32) { csystem_unwatch(descriptor.rawValue, folder) }

  /// Waits for changes.
  package func next() throws(Errno) -> [Change] {
    var records: [UInt8] = []
    try nextRecords(appendingTo: &records)
    return Self.changes(in: records[...])
  }

  package func awaitRecords() throws(Errno) {
    try Descriptor.wait(for: POLLIN, of: descriptor.rawValue)
  }

  package var hasRecords: Bool { Descriptor.isReadable(descriptor.rawValue) }

  /// Waits for changes and appends the system's records, to be parsed later by ``changes(in:)``.
  ///
  /// Records take little memory, and reading them quickly empties the system's queue.
  ///
  /// - Returns: Whether these are all changes up to the call.
  @discardableResult
  package func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
    let count = try descriptor.read(upTo: Self.mostRead, appendingTo: &records)
    return count < Self.mostRead - Self.mostRecord
  }

  /// The number of bytes read at once.
  static let mostRead = 64 * 1024
  /// An upper bound of the size of a record: if a read leaves so much room, there were no more
  /// records.
  static let mostRecord = 4096

  /// Parses records of `inotify_event`: the folder's number (4 bytes), what happened (4), a cookie
  /// (4), the length of the name's field (4), and the name, padded with zeros.
  package static func changes(in records: ArraySlice<UInt8>) -> [Change] {
    var changes: [Change] = []
    records.withUnsafeBytes { records in
      var offset = 0
      while offset + 16 <= records.count {
        let folder = records.loadUnaligned(fromByteOffset: offset, as: Int32.self)
        let mask = records.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        let cookie = records.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)
        let length = Int(records.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
        guard length <= records.count - offset - 16 else { break }
        let field = records[(offset + 16)..<(offset + 16 + length)]
        offset += 16 + length
        let what: Change.What
        switch mask & 0xFFF {
        case 0x080, 0x100: what = .added  // moved to, created
        case 0x040, 0x200: what = .removed  // moved from, deleted
        default: what = .modified
        }
        changes.append(
          Change(
            folder: folder, what: what, name: Array(field.prefix { $0 != 0 }),
            isFolder: mask & 0x4000_0000 != 0, cookie: cookie, isContent: mask & 0x002 != 0,
            isForgotten: mask & 0x8000 != 0, isOverflow: mask & 0x4000 != 0))
      }
    }
    return changes
  }
}

/// Reports changes in folders by a mechanism of the system.
package protocol FolderNotifier: Sendable {
  /// Watches an open folder, which may be closed afterwards.
  ///
  /// - Returns: Its number, the same if it is watched already.
  func watch(_ directory: Int32) throws(Errno) -> Int32

  /// Stops watching a folder.
  func forget(_ folder: Int32)

  /// Opens a watched folder, even if it was moved; nil if it can't be opened by its number.
  func open(_ folder: Int32) -> Descriptor?

  /// Sleeps until there are changes, without reading them.
  func awaitRecords() throws(Errno)

  /// Whether there are unread changes.
  var hasRecords: Bool { get }

  /// Waits for changes and appends the system's records; none if all were about folders that aren't
  /// watched.
  ///
  /// - Returns: Whether these are all changes up to the call.
  @discardableResult
  func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool

  /// Parses the system's records, and returns the changes in watched folders.
  func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change]
}

/// The mechanism that reports changes.
package enum WatchMethod: String, CaseIterable, Sendable {
  /// A watch for each folder; a user can have a limited number.
  case inotify
  /// A watch for each file system; needs a privilege that root has.
  case fanotify
}

extension FolderWatcher: FolderNotifier {
  package func open(_ folder: Int32) -> Descriptor? { nil }

  package func changes(in records: ArraySlice<UInt8>) -> [Change] { Self.changes(in: records) }
}

/// An event of fanotify.
package struct FileSystemEvent: Hashable, Sendable {
  /// An entry of a folder.
  package struct Place: Hashable, Sendable {
    /// The folder's handle, as returned by ``FileSystemWatcher/handle(of:)``.
    package var handle: [UInt8]
    /// The entry's name.
    package var name: [UInt8]

    package init(handle: [UInt8], name: [UInt8]) {
      self.handle = handle
      self.name = name
    }

    /// Whether it is the folder itself.
    package var isSelf: Bool { name.isEmpty || name.elementsEqual(".".utf8) }
  }

  /// What has happened: one bit for each kind, of which several can be set.
  package var mask: UInt64
  /// The entry; for a rename, its old place.
  package var place: Place?
  /// The new place, for a rename.
  package var new: Place?

  /// Whether the entry is a folder.
  package var isFolder: Bool { mask & 0x4000_0000 != 0 }
  /// Whether the entry was created or moved here.
  package var isNew: Bool { mask & (0x100 | 0x80) != 0 }
  /// Whether the entry was removed or moved away.
  package var isGone: Bool { mask & (0x200 | 0x40) != 0 }
  /// Whether the content or the metadata changed.
  package var isOther: Bool { mask & (0x002 | 0x004) != 0 }
  /// Whether the content changed.
  package var isContent: Bool { mask & 0x002 != 0 }
  /// Whether the folder itself was deleted.
  package var isEnd: Bool { mask & 0x400 != 0 }
  /// Whether changes were lost.
  package var isOverflow: Bool { mask & 0x4000 != 0 }

  /// Splits bytes into records. Stops at a record that is incomplete or of another version.
  package static func records(of bytes: ArraySlice<UInt8>) -> some Sequence<ArraySlice<UInt8>> {
    sequence(state: bytes) { rest in
      guard rest.count >= headBytes else { return nil }
      let length = Int(number(rest, at: 0, as: UInt32.self))
      let head = Int(number(rest, at: 6, as: UInt16.self))
      guard rest[rest.startIndex + 4] == version, head >= headBytes, length >= head,
        length <= rest.count
      else { return nil }
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
  }

  /// The events in bytes.
  package static func all(in bytes: ArraySlice<UInt8>) -> [FileSystemEvent] {
    records(of: bytes).map { FileSystemEvent($0) }
  }

  /// Parses a record.
  ///
  /// `fanotify_event_metadata`: the length of the record (4 bytes), the version (1), a zero (1),
  /// the length of this head (2), what has happened (8), a descriptor (4), a process (4). Then
  /// parts, each with its type (1), a zero (1), its length (2), the file system (8), the length of
  /// the handle (4), the handle's type (4), the handle, and a name that ends with a zero.
  ///
  /// - Parameter record: An element of ``records(of:)``.
  package init(_ record: ArraySlice<UInt8>) {
    mask = Self.number(record, at: 8, as: UInt64.self)
    takeParts(record.dropFirst(Int(Self.number(record, at: 6, as: UInt16.self))))
  }

  private static let headBytes = 24
  private static let version: UInt8 = 3
  /// The bytes of a part before the handle.
  private static let partBytes = 20

  private mutating func takeParts(_ parts: ArraySlice<UInt8>) {
    var rest = parts
    while rest.count >= Self.partBytes {
      let length = Int(Self.number(rest, at: 2, as: UInt16.self))
      guard length >= Self.partBytes, length <= rest.count else { return }
      let part = rest.prefix(length)
      let handleLength = Int(Self.number(part, at: 12, as: UInt32.self))
      if handleLength <= length - Self.partBytes {
        let nameStart = part.startIndex + Self.partBytes + handleLength
        let place = Place(
          handle: Array(part[(part.startIndex + 4)..<nameStart]),
          name: Array(part[nameStart...].prefix { $0 != 0 }))
        switch part[part.startIndex] {
        case 2, 3, 10: self.place = place  // a folder and a name, a folder, an old place
        case 12: new = place
        default: break
        }
      }
      rest = rest.dropFirst(length)
    }
  }

  /// Reads a number in the byte order of the system; all its bytes must exist.
  private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: ArraySlice<UInt8>, at offset: Int, as type: Number.Type
  ) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
