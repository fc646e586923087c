import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads the listings of folders into tables of names.
///
/// Directory records have the system's own layout, so this is one of the few places with unsafe
/// pointers. Every record is checked to be within the bytes that the system has filled.
package struct DirectoryReader: ~Copyable {
  package let method: ReadingMethod
  private let ignored: [UInt8]
  private let followsLinks: Bool
  private let buffer: UnsafeMutableRawBufferPointer
  /// Called each time that a call has returned.
  package var answered: (() -> Void)?

  package init(
    method: ReadingMethod = .preferred, ignoring ignored: [UInt8] = [], followsLinks: Bool = false
  ) {
    self.method = method
    self.ignored = ignored
    self.followsLinks = followsLinks
    buffer = .allocate(byteCount: 32 * 1024, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Adds the names in a folder to two tables, in the order of the system.
  ///
  /// If the listing lacks an entry's kind, its metadata is read; if that fails, it counts as a file
  /// of unknown kind. If links are followed, their targets are read: a link to a folder is added to
  /// the folders, with the kind `symlink`. A link whose target can't be read is a file of that
  /// kind.
  ///
  /// - Returns: Why the listing was incomplete; nil on success. The tables have the names up to
  ///   there.
  package mutating func read(
    _ directory: Int32, files: inout NameTable, folders: inout NameTable
  ) -> Errno? {
    var sorter = Sorter(
      directory: directory, method: method, ignored: ignored, followsLinks: followsLinks,
      files: files, folders: folders)
    files = NameTable()
    folders = NameTable()
    switch method {
    case .native: readRecords(of: directory, into: &sorter)
    case .portable: readEntries(of: directory, into: &sorter)
    }
    files = sorter.files
    folders = sorter.folders
    return sorter.failure
  }

  /// Reads with `getdents64`: an inode (8 bytes), an offset (8), the record's length (2), the kind
  /// (1), and the name with a zero after it.
  private func readRecords(of directory: Int32, into sorter: inout Sorter) {
    let header = 19
    while true {
      let filled = csystem_list(directory, buffer.baseAddress, buffer.count)
      answered?()
      guard filled > 0 else {
        if filled < 0 { sorter.failure = Errno(rawValue: Int32(-filled)) }
        return
      }
      var offset = 0
      while offset + header < filled {
        let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
        guard length > header, offset + length <= filled else { break }
        let kind = buffer[offset + 18]
        let name = UnsafeRawBufferPointer(
          rebasing: buffer[(offset + header)..<(offset + length)])
        sorter.add(name, kind: kind)
        offset += length
      }
    }
  }

  /// Reads with `readdir`, on its own descriptor, because `closedir` closes it.
  private func readEntries(of directory: Int32, into sorter: inout Sorter) {
    let own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0, let stream = fdopendir(own) else {
      sorter.failure = .current
      if own >= 0 { _ = close(own) }
      return
    }
    defer { closedir(stream) }
    let header = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { sorter.failure = .current }
        return
      }
      let length = Int(entry.pointee.d_reclen)
      guard length > header else { continue }
      let record = UnsafeRawBufferPointer(start: entry, count: length)
      sorter.add(
        UnsafeRawBufferPointer(rebasing: record[header...]), kind: entry.pointee.d_type)
    }
  }
}

/// Sorts records into files and folders.
private struct Sorter {
  let directory: Int32
  let method: ReadingMethod
  let ignored: [UInt8]
  let followsLinks: Bool
  var files: NameTable
  var folders: NameTable
  var failure: Errno?

  /// Adds a name that ends at the first zero byte of its field.
  mutating func add(_ field: UnsafeRawBufferPointer, kind rawKind: UInt8) {
    guard let text = field.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
    let length = strnlen(text, field.count)
    if length == 0 { return }
    if field[0] == UInt8(ascii: ".") {
      if length == 1 || (length == 2 && field[1] == UInt8(ascii: ".")) { return }
    }
    let name = field.bindMemory(to: UInt8.self).extracting(0..<length)
    if length == ignored.count, ignored.elementsEqual(name) { return }
    let kind = EntryKind(directoryType: rawKind) ?? ask(text)
    if kind == .directory {
      folders.append(name.span, kind: kind)
    } else if followsLinks, kind == .symlink {
      addTarget(of: text, name.span)
    } else {
      files.append(name.span, kind: kind)
    }
  }

  private mutating func addTarget(of link: UnsafePointer<CChar>, _ name: Span<UInt8>) {
    let target = try? FileSystem.lookUp(link, in: directory, following: true, method: method)
    if target?.kind == .directory {
      folders.append(name, kind: .symlink)
    } else {
      files.append(name, kind: target?.kind ?? .symlink)
    }
  }

  private func ask(_ name: UnsafePointer<CChar>) -> EntryKind {
    (try? FileSystem.lookUp(name, in: directory, method: method))?.kind ?? .unknown
  }
}

extension EntryKind {
  fileprivate init?(directoryType: UInt8) {
    if directoryType > 15 { return nil }
    // The types of records are those of file modes, without the permissions (DTTOIF).
    self.init(mode: UInt32(directoryType) << 12)
    if self == .unknown { return nil }
  }
}

/// Which metadata of a folder's entries to read.
package struct EntryQuestions: Sendable {
  /// Whether to read metadata; if not, it is read only for entries of unknown kind.
  package var readsMetadata: Bool
  package var method: ReadingMethod
  /// Whether a symbolic link counts as its target; a broken link is a link.
  package var followsLinks: Bool
  package var countsLinks: Bool
  /// Whether to read the identity, the allocated size and the owner.
  package var asksForStorage: Bool

  package init(
    readsMetadata: Bool = true, method: ReadingMethod = .preferred, followsLinks: Bool = false,
    countsLinks: Bool = false, asksForStorage: Bool = false
  ) {
    self.readsMetadata = readsMetadata
    self.method = method
    self.followsLinks = followsLinks
    self.countsLinks = countsLinks
    self.asksForStorage = asksForStorage
  }
}

/// The identity, allocated size and owner of a file or folder.
public struct FileStorage: BitwiseCopyable, Sendable, Equatable {
  /// The identity.
  public var identity: FileIdentity
  /// Allocated bytes; negative if nothing of the storage is known.
  public var allocated: Int64
  /// The nanoseconds of its modification time within the second.
  public var nanoseconds: UInt32
  /// The number of hard links.
  public var links: UInt32
  /// The number of its owner.
  public var owner: UInt32
  /// The number of its group.
  public var group: UInt32

  /// Creates the storage of a file or folder.
  public init(
    identity: FileIdentity, allocated: Int64, nanoseconds: UInt32 = 0, links: UInt32 = 0,
    owner: UInt32 = 0, group: UInt32 = 0
  ) {
    self.identity = identity
    self.allocated = allocated
    self.nanoseconds = nanoseconds
    self.links = links
    self.owner = owner
    self.group = group
  }

  /// The number in place of an unknown owner or group, which no user has.
  package static let unknownOwner = UInt32.max

  package static var unknown: FileStorage { unknown(nanoseconds: 0) }

  /// The storage of a file of which only the modification time is known.
  package static func unknown(nanoseconds: UInt32) -> FileStorage {
    FileStorage(
      identity: FileIdentity(device: 0, inode: 0), allocated: -1, nanoseconds: nanoseconds)
  }

  /// The storage of a further name of a file in a listing that has its size and room at another
  /// name.
  package static var elsewhere: FileStorage {
    FileStorage(
      identity: FileIdentity(device: .max, inode: .max), allocated: 0, links: 1,
      owner: unknownOwner, group: unknownOwner)
  }

  /// Whether it is ``elsewhere``, so that sums leave the file out.
  package var isElsewhere: Bool { identity == Self.elsewhere.identity }
  package var isKnown: Bool { allocated >= 0 }
}

extension Errno {
  /// Whether a symbolic link is broken: its target is missing, or the path to it has an entry that
  /// is not a folder, is too long, or is a cycle.
  var meansBrokenLink: Bool {
    self == .noEntry || self == .notDirectory || self == .linkLoop || self == .nameTooLong
  }
}

/// The system calls that read folders.
package enum ReadingMethod: Sendable, CaseIterable {
  /// The fastest calls of this system: `getdents64` and `statx` on Linux.
  case native
  /// The calls of every POSIX system: `readdir` and `fstatat`.
  case portable

  /// The default method.
  package static var preferred: ReadingMethod {
    #if os(Linux)
      .native
    #else
      .portable
    #endif
  }
}
