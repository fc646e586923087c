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
/// Directory records come in the system's own layout, so this is one of the few places that handle
/// unsafe pointers. Every record is checked to lie within what the system has filled.
public struct DirectoryReader: ~Copyable {
  /// By which system calls folders are read.
  public let method: ReadingMethod
  /// A name that is treated as not there.
  private let ignored: [UInt8]
  /// Whether links to folders count as folders.
  private let followsLinks: Bool
  private let buffer: UnsafeMutableRawBufferPointer

  /// A reader with a buffer of its own.
  ///
  /// - Parameters:
  ///   - method: By which system calls to read.
  ///   - ignored: A name that is treated as not there, in any folder.
  ///   - followsLinks: Whether a symbolic link counts as what it leads to.
  public init(
    method: ReadingMethod = .preferred, ignoring ignored: [UInt8] = [], followsLinks: Bool = false
  ) {
    self.method = method
    self.ignored = ignored
    self.followsLinks = followsLinks
    buffer = .allocate(byteCount: 32 * 1024, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Adds the names in a folder to two tables, in the order in which the system gives them.
  ///
  /// Where the listing doesn't say what an entry is, the entry is asked; where that fails too, it
  /// counts as a file of unknown kind. If links are followed, each is looked at, and one that leads to
  /// a folder is among the folders, with the kind `symlink`; one that leads nowhere, or where nobody
  /// can look, is a file of that kind.
  ///
  /// - Returns: Why the listing broke off, if it did; what it gave until then is in the tables.
  public mutating func read(
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

  /// `getdents64`: an inode (8 bytes), an offset (8), the record's length (2), the kind (1), and the
  /// name with a zero after it.
  private func readRecords(of directory: Int32, into sorter: inout Sorter) {
    let header = 19
    while true {
      let filled = csystem_list(directory, buffer.baseAddress, buffer.count)
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

  /// `readdir`, on a descriptor of its own, for `closedir` closes what it was given.
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
  /// Why the listing broke off.
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

  /// Adds what a link leads to, under the link's name.
  private mutating func addTarget(of link: UnsafePointer<CChar>, _ name: Span<UInt8>) {
    let target = try? FileSystem.lookUp(link, in: directory, following: true, method: method)
    if target?.kind == .directory {
      folders.append(name, kind: .symlink)
    } else {
      files.append(name, kind: target?.kind ?? .symlink)
    }
  }

  /// What an entry is, where the listing doesn't say.
  private func ask(_ name: UnsafePointer<CChar>) -> EntryKind {
    guard let facts = try? FileSystem.lookUp(name, in: directory, method: method) else {
      return .unknown
    }
    return facts.kind
  }
}

extension EntryKind {
  /// The kind that a listing gives, or nil if it doesn't say.
  fileprivate init?(directoryType: UInt8) {
    switch Int(directoryType) {
    case Int(DT_REG): self = .regular
    case Int(DT_DIR): self = .directory
    case Int(DT_LNK): self = .symlink
    case Int(DT_FIFO): self = .fifo
    case Int(DT_SOCK): self = .socket
    case Int(DT_BLK): self = .block
    case Int(DT_CHR): self = .character
    default: return nil
    }
  }
}

/// What is asked of a folder's entries.
public struct EntryQuestions: Sendable {
  /// Whether metadata is read at all; if not, only entries are looked at whose kind isn't known.
  public var readsMetadata: Bool
  /// By which system calls.
  public var method: ReadingMethod
  /// Whether a symbolic link stands for what it leads to. One that leads nowhere is a link.
  public var followsLinks: Bool
  /// Whether it is asked how many names a file has.
  public var countsLinks: Bool
  /// Whether it is asked which file it is, and how much room it takes.
  public var asksForStorage: Bool

  /// Questions of the given kinds.
  public init(
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

/// Which file or folder a name stands for, how much room it takes, and whose it is.
public struct FileStorage: BitwiseCopyable, Sendable, Equatable {
  /// Which one it is.
  public var identity: FileSystem.Identity
  /// Bytes that the file system has given it; negative if nobody knows, nor anything else of its
  /// storage.
  public var allocated: Int64
  /// Nanoseconds of its time of change beyond the second.
  public var nanoseconds: UInt32
  /// How many names it has.
  public var links: UInt32
  /// The user that it belongs to.
  public var owner: UInt32
  /// The group that it belongs to.
  public var group: UInt32

  /// Storage of a file or folder.
  public init(
    identity: FileSystem.Identity, allocated: Int64, nanoseconds: UInt32 = 0, links: UInt32 = 0,
    owner: UInt32 = 0, group: UInt32 = 0
  ) {
    self.identity = identity
    self.allocated = allocated
    self.nanoseconds = nanoseconds
    self.links = links
    self.owner = owner
    self.group = group
  }

  /// Of a file that nobody could be asked about.
  package static var unknown: FileStorage { unknown(nanoseconds: 0) }

  /// Of a file of which nothing is known but when it was changed.
  package static func unknown(nanoseconds: UInt32) -> FileStorage {
    FileStorage(
      identity: FileSystem.Identity(device: 0, inode: 0), allocated: -1, nanoseconds: nanoseconds)
  }

  /// Whether any of it is known.
  package var isKnown: Bool { allocated >= 0 }
}

extension Errno {
  /// Whether a symbolic link leads nowhere: its target is missing, or the way there is no folder, too
  /// long or a circle.
  var meansBrokenLink: Bool {
    self == .noEntry || self == .notDirectory || self == .linkLoop || self == .nameTooLong
  }
}

/// By which system calls folders are read.
public enum ReadingMethod: Sendable, CaseIterable {
  /// The fastest that this system has: `getdents64` and `statx` on Linux.
  case native
  /// What every POSIX system has: `readdir` and `fstatat`.
  case portable

  /// The method to use where nobody says otherwise.
  public static var preferred: ReadingMethod {
    #if os(Linux)
      .native
    #else
      .portable
    #endif
  }
}
