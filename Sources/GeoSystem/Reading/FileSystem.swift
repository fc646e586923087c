import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls that read a tree, each relative to a folder's descriptor.
package enum FileSystem {
  package struct Facts: Sendable {
    package var size: Int64
    /// Unix time of the last modification in whole seconds, rounded down.
    package var modified: Int64
    package var kind: EntryKind
    package var permissions: UInt32
    /// Has only the identity and the nanoseconds, and otherwise zeros, unless storage was requested.
    package var storage: FileStorage

    package var identity: Identity { storage.identity }
    package var modifiedNanoseconds: UInt32 { storage.nanoseconds }
  }

  package typealias Identity = FileIdentity

  /// The facts about an entry; symbolic links are followed only on request.
  static func lookUp(
    _ name: UnsafePointer<CChar>, in directory: Int32, following: Bool = false,
    storage: Bool = false, method: ReadingMethod
  ) throws(Errno) -> Facts {
    var facts = csystem_facts()
    let error =
      switch method {
      case .native: csystem_lookup(directory, name, following, storage, &facts)
      case .portable: csystem_lookup_portable(directory, name, following, &facts)
      }
    if error != 0 { throw Errno(rawValue: error) }
    return Facts(
      size: facts.size, modified: facts.seconds, kind: EntryKind(mode: facts.mode),
      permissions: facts.mode & 0o777,
      storage: FileStorage(
        identity: Identity(device: facts.device, inode: facts.inode),
        allocated: storage ? facts.allocated : 0, nanoseconds: facts.nanoseconds,
        links: storage ? facts.links : 0, owner: storage ? facts.owner : 0,
        group: storage ? facts.group : 0))
  }

  package static func facts(
    of directory: Int32, storage: Bool = false, method: ReadingMethod = .preferred
  ) throws(Errno) -> Facts {
    try lookUp("", in: directory, storage: storage, method: method)
  }

  package static func facts(
    of name: [UInt8], in directory: Int32, following: Bool = false, storage: Bool = false,
    method: ReadingMethod = .preferred
  ) throws(Errno) -> Facts {
    try withCString(name) { (name) throws(Errno) in
      try lookUp(name, in: directory, following: following, storage: storage, method: method)
    }
  }

  /// Opens a sub-folder; fails for other entries.
  package static func openFolder(
    _ name: [UInt8], in directory: Int32, following: Bool = false
  ) throws(Errno) -> Descriptor {
    let access = O_RDONLY | O_DIRECTORY | (following ? 0 : O_NOFOLLOW)
    return try open(name, access, in: directory)
  }

  #if canImport(Glibc)
    private static var openFiles: __rlimit_resource_t { .init(RLIMIT_NOFILE.rawValue) }
  #else
    private static var openFiles: Int32 { RLIMIT_NOFILE }
  #endif

  package static var descriptorLimit: Int {
    var limit = rlimit()
    return getrlimit(openFiles, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 256
  }

  /// Raises the limit of open descriptors as far as the system allows, up to `count`.
  package static func raiseDescriptorLimit(to count: Int) {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0, Int(clamping: limit.rlim_cur) < count else { return }
    limit.rlim_cur = min(limit.rlim_max, numericCast(count))
    _ = setrlimit(openFiles, &limit)
  }

  /// The number of processors that this process may use, at least 1.
  package static var processors: Int { Int(csystem_processors()) }

  static func withCString<Result>(
    _ bytes: [UInt8], _ body: (UnsafePointer<CChar>) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    let terminated = bytes + [0]
    return try terminated.withUnsafeBufferPointer { (buffer) throws(Errno) in
      guard let base = buffer.baseAddress else { throw .noEntry }
      return try base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
        (name) throws(Errno) in try body(name)
      }
    }
  }
}

extension EntryKind {
  @inlinable
  package init(mode: UInt32) {
    switch mode & UInt32(S_IFMT) {
    case UInt32(S_IFREG): self = .regular
    case UInt32(S_IFDIR): self = .directory
    case UInt32(S_IFLNK): self = .symlink
    case UInt32(S_IFIFO): self = .fifo
    case UInt32(S_IFSOCK): self = .socket
    case UInt32(S_IFBLK): self = .block
    case UInt32(S_IFCHR): self = .character
    default: self = .unknown
    }
  }
}

/// The identity of an entry: it is unique on the machine as long as the entry exists.
public struct FileIdentity: Hashable, BitwiseCopyable, Sendable {
  /// The number of the file system.
  public let device: UInt64
  /// The number of the entry within the file system.
  public let inode: UInt64

  /// Creates an identity from its numbers.
  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// Whether both are on the same file system.
  package func isOnDevice(of other: FileIdentity) -> Bool { device == other.device }
}

extension FileSystem {
  /// Reads a regular file; nil if it isn't one. A relative path starts at `directory`, else at the
  /// current folder. Throws ``Errno/linkLoop`` if the last name is a link, unless `following`, and
  /// ``Errno/fileTooLarge`` beyond `limit` bytes.
  package static func readFile(
    _ path: [UInt8], in directory: Int32? = nil, following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    // Non-blocking, because opening a pipe would wait for a writer.
    let access = O_RDONLY | O_NONBLOCK | O_NOCTTY | (following ? 0 : O_NOFOLLOW)
    let file = try open(path, access, in: directory ?? AT_FDCWD)
    let facts = try facts(of: file.rawValue)
    if facts.kind != .regular { return nil }
    return try readAll(file, expecting: facts.size, limit: limit)
  }

  /// Reads a file or a pipe to its end, following links. Throws ``Errno/fileTooLarge`` beyond `limit`
  /// bytes.
  package static func readInput(_ path: [UInt8], limit: Int) throws(Errno) -> [UInt8] {
    try readAll(open(path, O_RDONLY | O_NOCTTY), expecting: 0, limit: limit)
  }

  /// Opens a file or folder by a path relative to a folder; its descriptor is closed on exec.
  static func open(
    _ path: [UInt8], _ access: Int32, in directory: Int32 = AT_FDCWD, permissions: mode_t = 0
  ) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try withCString(path) { (path) throws(Errno) in
        try retrying { openat(directory, path, access | O_CLOEXEC, permissions) }
      })
  }

  private static func readAll(
    _ file: borrowing Descriptor, expecting size: Int64, limit: Int
  ) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more, so that the end is found without another allocation.
    var length = Int(clamping: min(max(size, 0), 1 << 20)) + 1
    while true {
      let count = try file.read(upTo: length, appendingTo: &bytes)
      if count == 0 { return bytes }
      if bytes.count > limit { throw .fileTooLarge }
      length = 64 * 1024
    }
  }
}

extension FileSystem {
  /// The longest part of a path that is passed to one system call.
  private static let stretch = 2048

  /// Opens a folder by a path of any length, following links.
  /// A path longer than the system's limit is walked in parts.
  package static func openRoot(_ path: [UInt8]) throws(Errno) -> Descriptor {
    try walk(path) { (directory, rest) throws(Errno) in
      try open(rest, O_RDONLY | O_DIRECTORY, in: directory)
    }
  }

  /// The facts about the target of a path of any length, following links.
  package static func rootFacts(
    _ path: [UInt8], storage: Bool = false, method: ReadingMethod = .preferred
  ) throws(Errno) -> Facts {
    try walk(path) { (directory, rest) throws(Errno) in
      try facts(of: rest, in: directory, following: true, storage: storage, method: method)
    }
  }

  private static func walk<Result: ~Copyable>(
    _ path: [UInt8], _ body: (Int32, [UInt8]) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    if path.isEmpty { throw .noEntry }
    var directory: Descriptor?
    var rest = path[...]
    while rest.count > stretch {
      guard let cut = rest.prefix(stretch).lastIndex(of: .slash) else { throw .nameTooLong }
      let start = directory?.rawValue ?? AT_FDCWD
      directory = try open(Array(rest[...cut]), O_RDONLY | O_DIRECTORY, in: start)
      rest = rest[(cut + 1)...].drop { $0 == .slash }
      if rest.isEmpty { rest = [UInt8(ascii: ".")] }
    }
    return try body(directory?.rawValue ?? AT_FDCWD, Array(rest))
  }
}
