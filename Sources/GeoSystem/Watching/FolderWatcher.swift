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
