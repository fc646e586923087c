import CSystem
import GeoCore

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
  /// Wakes all waiting threads for good.
  private let ending: WakePipe

  package struct Change: Sendable {
    package enum What: String, Sendable {
      /// The entry was created, or moved there.
      case added
      /// The entry was removed, or moved away.
      case removed
      /// The entry's content or metadata changed.
      case modified
    }

    package var folder: Int32
    package var what: What
    /// The entry's name; empty if it is the folder itself.
    package var name: [UInt8]
    package var isFolder: Bool
    /// A number shared by the two changes of a rename: the removed entry and the added one; 0 for
    /// other changes.
    package var cookie: UInt32 = 0
    /// Whether the content changed, not only the metadata.
    package var isContent = false
    /// Whether the folder is gone, so that its number may be reused.
    package var isForgotten = false
    /// Whether changes were lost: any folder may have changed.
    package var isOverflow = false

    package static var overflow: Change {
      Change(folder: -1, what: .modified, name: [], isFolder: false, isOverflow: true)
    }
  }

  /// Throws the system's error, such as too many watchers of the user.
  package init() throws(Errno) {
    let number = csystem_watcher_create()
    if number < 0 { throw Errno(rawValue: -number) }
    descriptor = Descriptor(owning: number)
    ending = try WakePipe()
  }

  package func watch(_ directory: Int32) throws(Errno) -> Int32 {
    let number = csystem_watch(descriptor.rawValue, directory)
    if number < 0 { throw Errno(rawValue: -number) }
    return number
  }

  /// Stops watching a folder. A last change reports it as forgotten.
  package func forget(_ folder: Int32) { csystem_unwatch(descriptor.rawValue, folder) }

  package func next() throws(Errno) -> [Change] {
    var records: [UInt8] = []
    try nextRecords(appendingTo: &records)
    return Self.changes(in: records[...])
  }

  package func awaitRecords() throws(Errno) {
    try Descriptor.wait(for: POLLIN, of: descriptor.rawValue, ending.reader.rawValue)
    if Descriptor.isReadable(ending.reader.rawValue) { throw .cancelled }
  }

  package func end() { ending.wake() }

  package var hasRecords: Bool { Descriptor.isReadable(descriptor.rawValue) }

  /// Records take little memory, and reading them quickly empties the system's queue.
  @discardableResult
  package func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool {
    try awaitRecords()
    let count = try descriptor.read(upTo: Self.maximumRead, appendingTo: &records)
    return count < Self.maximumRead - Self.maximumRecord
  }

  /// The number of bytes read at once.
  static let maximumRead = 64 * 1024
  /// An upper bound of the size of a record: if a read leaves so much room, there were no more
  /// records.
  static let maximumRecord = 4096

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

  func forget(_ folder: Int32)

  /// Sleeps until there are changes, without reading them.
  func awaitRecords() throws(Errno)

  /// Whether there are unread changes.
  var hasRecords: Bool { get }

  /// Waits for changes and appends the system's records.
  ///
  /// - Returns: Whether these are all changes up to the call.
  @discardableResult
  func nextRecords(appendingTo records: inout [UInt8]) throws(Errno) -> Bool

  /// Parses the system's records, and returns the changes in watched folders.
  func changes(in records: ArraySlice<UInt8>) -> [FolderWatcher.Change]

  /// Ends the watching: threads that wait for changes get ``Errno/cancelled``, now and later.
  func end()
}

extension FolderWatcher: FolderNotifier {
  package func changes(in records: ArraySlice<UInt8>) -> [Change] { Self.changes(in: records) }
}

/// A limit of inotify that each user has.
package enum WatchLimit: String, Sendable {
  case folders = "max_user_watches"
  case watchers = "max_user_instances"

  package func setting(forMore count: Int, than current: Int) -> String {
    let needed = current.adding(saturating: max(count, 1))
    var value = 128
    while value < needed, value < 1 << 30 { value *= 2 }
    return "fs.inotify.\(rawValue)=\(value)"
  }

  /// The setting of `sysctl` that suffices for some more on this system.
  package func setting(forMore count: Int) -> String {
    let file = Array("/proc/sys/fs/inotify/\(rawValue)".utf8)
    let text = (try? FileSystem.readInput(file, limit: 64)) ?? []
    let current = Int(String(decoding: text.prefix { $0 != 10 }, as: UTF8.self))
    return setting(forMore: count, than: current ?? 0)
  }
}
