import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells what changes in some folders, by inotify; on other systems it can't be made.
public final class FolderWatcher: Sendable {
  private let descriptor: Descriptor

  /// What has happened in a folder.
  public struct Change: Sendable {
    /// What became of an entry.
    public enum What: String, Sendable {
      /// It has come into being, or been moved there.
      case added
      /// It is gone, or has been moved elsewhere.
      case removed
      /// Its content or its metadata is another.
      case modified
    }

    /// The number of the folder.
    public var folder: Int32
    /// What has happened.
    public var what: What
    /// The entry's name; empty if it is the folder itself.
    public var name: [UInt8]
    /// Whether the entry is a folder.
    public var isFolder: Bool
    /// What the two halves of a renaming have in common, the entry that was removed and the one that
    /// was added; 0 if it is none.
    public var cookie: UInt32 = 0
    /// Whether it is told that the content is another one, and not only what is known of the entry.
    public var isContent = false
    /// The folder is gone, and its number may be given to another one.
    public var isForgotten = false
    /// What the entry is by now, if it is there at all, has to be looked at: later changes of it may have
    /// been put into this one.
    public var isVague = false
    /// Changes were lost: anything may have happened, in any folder.
    public var isOverflow = false

    /// Changes were lost.
    package static var overflow: Change {
      Change(folder: -1, what: .modified, name: [], isFolder: false, isOverflow: true)
    }
  }

  /// A watcher of no folder.
  ///
  /// - Throws: Why there is none, for instance because the user has too many.
  public init() throws(Errno) {
    let number = csystem_watcher_create()
    if number < 0 { throw Errno(rawValue: -number) }
    descriptor = Descriptor(owning: number)
  }

  /// Watches an open folder, which may be closed afterwards.
  ///
  /// - Returns: Its number, the same if it is watched already.
  public func watch(_ directory: Int32) throws(Errno) -> Int32 {
    let number = csystem_watch(descriptor.rawValue, directory)
    if number < 0 { throw Errno(rawValue: -number) }
    return number
  }

  /// Watches a folder no longer. One more change is told, which is the end of it.
  public func forget(_ folder: Int32) { csystem_unwatch(descriptor.rawValue, folder) }

  /// Waits for changes.
  public func next() throws(Errno) -> [Change] {
    var records: [UInt8] = []
    try nextRecords(appendingTo: &records)
    return Self.changes(in: records[...])
  }

  package func awaitRecords() throws(Errno) {
    try Descriptor.wait(for: POLLIN, of: descriptor.rawValue)
  }

  package var hasRecords: Bool { Descriptor.isReadable(descriptor.rawValue) }

  /// Waits for changes, and adds them to others as the system has them, to be taken apart later by
  /// ``changes(in:)``. So they take little room, and the system's own queue is soon empty again.
  ///
  /// - Returns: Whether these are all that had happened when it was called.
  @discardableResult
  package func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
    let count = try descriptor.read(upTo: Self.mostRead, appendingTo: &records)
    return count < Self.mostRead - Self.mostRecord
  }

  /// How many bytes are read at once.
  static let mostRead = 64 * 1024
  /// More than any record of a change has: where so much room is left, there was no other one.
  static let mostRecord = 4096

  /// `inotify_event`: the folder's number (4 bytes), what happened (4), a cookie (4), the length of
  /// the name's field (4), and the name, filled up with zeros.
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

/// Tells what changes in some folders, in whichever way the system has for it.
package protocol FolderNotifier: Sendable {
  /// Watches an open folder, which may be closed afterwards.
  ///
  /// - Returns: Its number, the same if it is watched already.
  func watch(_ directory: Int32) throws(Errno) -> Int32

  /// Watches a folder no longer.
  func forget(_ folder: Int32)

  /// Opens a folder that is watched, wherever it is by now; nil if it can't be opened by its number.
  func open(_ folder: Int32) -> Descriptor?

  /// Sleeps until there are changes, without taking them.
  func awaitRecords() throws(Errno)

  /// Whether there are changes that nobody has taken yet.
  var hasRecords: Bool { get }

  /// Waits for changes, and adds them to others as the system has them; it may add none where all were
  /// about folders that are not watched.
  ///
  /// - Returns: Whether these are all that had happened when it was called.
  @discardableResult
  func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool

  /// Takes apart what the system has told, as far as it is about folders that are watched.
  func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change]
}

/// In which way changes are found out.
package enum WatchWay: String, CaseIterable, Sendable {
  /// Each folder has a watch of its own, of which a user has a number.
  case inotify
  /// Whole file systems are watched, which needs a right that root has.
  case fanotify
}

extension FolderWatcher: FolderNotifier {
  package func open(_ folder: Int32) -> Descriptor? { nil }

  package func changes(in records: ArraySlice<UInt8>) -> [Change] { Self.changes(in: records) }
}

/// What fanotify tells in one record.
package struct FileSystemEvent: Hashable, Sendable {
  /// An entry of a folder.
  package struct Place: Hashable, Sendable {
    /// The folder, as ``FileSystemWatcher/handle(of:)`` has it.
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

  /// What has happened, one bit for each sort; several may be in one record.
  package var mask: UInt64
  /// Where it has happened; of a renaming, where the entry was.
  package var place: Place?
  /// Of a renaming, where the entry is.
  package var new: Place?

  /// The entry is a folder.
  package var isFolder: Bool { mask & 0x4000_0000 != 0 }
  /// It was made or has come here.
  package var isNew: Bool { mask & (0x100 | 0x80) != 0 }
  /// It was removed or has left.
  package var isGone: Bool { mask & (0x200 | 0x40) != 0 }
  /// Its content, or what is known of it, is another.
  package var isOther: Bool { mask & (0x002 | 0x004) != 0 }
  /// Its content is another.
  package var isContent: Bool { mask & 0x002 != 0 }
  /// The last name of the folder itself is gone.
  package var isEnd: Bool { mask & 0x400 != 0 }
  /// Changes were lost.
  package var isOverflow: Bool { mask & 0x4000 != 0 }

  /// The records of what was read. What isn't whole, or of another version, ends them.
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

  /// The events of what was read.
  package static func all(in bytes: ArraySlice<UInt8>) -> [FileSystemEvent] {
    records(of: bytes).map { FileSystemEvent($0) }
  }

  /// What a record tells.
  ///
  /// `fanotify_event_metadata`: the length of the record (4 bytes), the version (1), a zero (1), the
  /// length of this head (2), what has happened (8), a descriptor (4), a process (4); then parts, each
  /// with its type (1), a zero (1), its length (2), the file system (8), the length of the handle (4), the
  /// handle's type (4), the handle, and a name that ends with a zero.
  ///
  /// - Parameter record: One of ``records(of:)``.
  package init(_ record: ArraySlice<UInt8>) {
    mask = Self.number(record, at: 8, as: UInt64.self)
    takeParts(record.dropFirst(Int(Self.number(record, at: 6, as: UInt16.self))))
  }

  private static let headBytes = 24
  private static let version: UInt8 = 3
  /// Of a part, before the handle.
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

  /// A number as the system has it; all its bytes have to be there.
  private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: ArraySlice<UInt8>, at offset: Int, as type: Number.Type
  ) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
