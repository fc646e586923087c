import CSystem
import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The system calls that look at a tree, each relative to a folder's descriptor.
public enum FileSystem {
  /// What the system knows of an entry.
  public struct Facts: Sendable {
    /// Bytes.
    public var size: Int64
    /// Unix time of the last change in whole seconds, rounded down.
    public var modified: Int64
    /// Nanoseconds of that time beyond the second.
    public var modifiedNanoseconds: UInt32 = 0
    /// What it is.
    public var kind: EntryKind
    /// Who may read, write and execute it.
    public var permissions: UInt32
    /// What tells it from every other entry of the machine, as long as it exists.
    public var identity: Identity
    /// How many names it has; 0 unless somebody asked for its storage.
    public var links: UInt32
    /// Bytes that the file system has given it; 0 unless somebody asked for its storage.
    public var allocated: Int64
    /// The user that it belongs to; 0 unless somebody asked for its storage.
    public var owner: UInt32
    /// The group that it belongs to; 0 unless somebody asked for its storage.
    public var group: UInt32

    /// Which entry it is, what room it takes and whose it is, if somebody asked for its storage.
    package var storage: FileStorage {
      FileStorage(
        identity: identity, allocated: allocated, nanoseconds: modifiedNanoseconds, links: links,
        owner: owner, group: group)
    }
  }

  /// What tells an entry from every other one of the machine, as long as it exists.
  public struct Identity: Hashable, BitwiseCopyable, Sendable {
    /// The file system.
    public let device: UInt64
    /// The number in it.
    public let inode: UInt64

    /// An entry of the given numbers.
    public init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }

    /// Whether both are in one file system.
    public func isOnDevice(of other: Identity) -> Bool { device == other.device }
  }

  /// The facts of an entry, which is not followed if it is a symbolic link.
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
      size: facts.size, modified: facts.seconds, modifiedNanoseconds: facts.nanoseconds,
      kind: EntryKind(mode: facts.mode), permissions: facts.mode & 0o777,
      identity: Identity(device: facts.device, inode: facts.inode),
      links: storage ? facts.links : 0, allocated: storage ? facts.allocated : 0,
      owner: storage ? facts.owner : 0, group: storage ? facts.group : 0)
  }

  /// The facts of an open folder.
  ///
  /// - Parameter storage: Whether its storage is asked for, too.
  public static func facts(
    of directory: Int32, storage: Bool = false, method: ReadingMethod = .preferred
  ) throws(Errno) -> Facts {
    try lookUp("", in: directory, storage: storage, method: method)
  }

  /// The facts of one entry of a folder.
  public static func facts(
    of name: [UInt8], in directory: Int32, following: Bool = false, storage: Bool = false,
    method: ReadingMethod = .preferred
  ) throws(Errno) -> Facts {
    try withCString(name) { (name) throws(Errno) in
      try lookUp(name, in: directory, following: following, storage: storage, method: method)
    }
  }

  /// Opens a sub-folder, and nothing but a folder.
  ///
  /// - Parameter following: Whether it may be a link to a folder.
  public static func openFolder(
    _ name: [UInt8], in directory: Int32, following: Bool = false
  ) throws(Errno) -> Descriptor {
    let access = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (following ? 0 : O_NOFOLLOW)
    let opened = try withCString(name) { (name) throws(Errno) in
      try retrying { openat(directory, name, access) }
    }
    return Descriptor(owning: opened)
  }

  /// How many descriptors this process may have open.
  public static var descriptorLimit: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let result = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let result = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return result == 0 ? Int(clamping: limit.rlim_cur) : 256
  }

  /// Has as many descriptors allowed as the system lets this process have, `count` at most.
  public static func raiseDescriptorLimit(to count: Int) {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0, Int(clamping: limit.rlim_cur) < count else { return }
    limit.rlim_cur = min(limit.rlim_max, numericCast(count))
    _ = setrlimit(resource, &limit)
  }

  /// How many processors this process may run on, at least 1.
  public static var processors: Int { Int(csystem_processors()) }

  /// Lends bytes to a system call with a zero after them.
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
  /// The kind that is in a file mode.
  public init(mode: UInt32) {
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

extension FileSystem {
  /// The bytes of a regular file.
  ///
  /// - Parameters:
  ///   - path: Where it is, relative to the folder unless it begins with `/`.
  ///   - directory: An open folder; the current one if it isn't given.
  ///   - following: Whether the last name may be a symbolic link; if not, it throws
  ///     ``Errno/linkLoop``.
  ///   - limit: How many bytes it may have; it throws ``Errno/fileTooLarge`` if it has more.
  /// - Returns: The bytes; nil if it is no regular file.
  public static func readFile(
    _ path: [UInt8], in directory: Int32? = nil, following: Bool, limit: Int
  ) throws(Errno) -> [UInt8]? {
    // A pipe would let the call wait for a writer.
    let access = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | (following ? 0 : O_NOFOLLOW)
    let file = try open(path, access, in: directory ?? AT_FDCWD)
    let facts = try facts(of: file.rawValue)
    if facts.kind != .regular { return nil }
    return try readAll(file, expecting: facts.size, limit: limit)
  }

  /// The bytes of a file or what comes through a pipe, to the end.
  ///
  /// - Parameters:
  ///   - path: Where it is; links are followed.
  ///   - limit: How many bytes there may be; it throws ``Errno/fileTooLarge`` if there are more.
  public static func readInput(_ path: [UInt8], limit: Int) throws(Errno) -> [UInt8] {
    let file = try open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, in: AT_FDCWD)
    return try readAll(file, expecting: 0, limit: limit)
  }

  static func open(
    _ path: [UInt8], _ access: Int32, in directory: Int32
  ) throws(Errno) -> Descriptor {
    Descriptor(
      owning: try withCString(path) { (path) throws(Errno) in
        try retrying { openat(directory, path, access) }
      })
  }

  private static func readAll(
    _ file: borrowing Descriptor, expecting size: Int64, limit: Int
  ) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    // One more, so that the end is met without growing.
    var room = Int(clamping: min(max(size, 0), 1 << 20)) + 1
    while true {
      let count = try file.read(upTo: room, appendingTo: &bytes)
      if count == 0 { return bytes }
      if bytes.count > limit { throw .fileTooLarge }
      room = 64 * 1024
    }
  }
}

extension FileSystem {
  /// The longest stretch of a path that is given to the system at once.
  private static let stretch = 2048

  /// Opens a folder by a path of any length, following links.
  ///
  /// A path that is longer than the system takes at once is walked in stretches.
  public static func openRoot(_ path: [UInt8]) throws(Errno) -> Descriptor {
    try walk(path) { (directory, rest) throws(Errno) in try openFollowing(rest, in: directory) }
  }

  /// The facts of what a path of any length leads to, following links.
  public static func rootFacts(
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
    if path.count <= stretch { return try body(AT_FDCWD, path) }
    guard let cut = path.prefix(stretch).lastIndex(of: .slash) else {
      throw .nameTooLong
    }
    var directory = try openFollowing(Array(path[...cut]), in: AT_FDCWD)
    var rest = path[(cut + 1)...]
    while true {
      rest = rest.drop { $0 == .slash }
      if rest.isEmpty { rest = [UInt8(ascii: ".")] }
      if rest.count <= stretch { return try body(directory.rawValue, Array(rest)) }
      guard let cut = rest.prefix(stretch).lastIndex(of: .slash) else {
        throw .nameTooLong
      }
      directory = try openFollowing(Array(rest[...cut]), in: directory.rawValue)
      rest = rest[(cut + 1)...]
    }
  }

  private static func openFollowing(
    _ path: [UInt8], in directory: Int32
  ) throws(Errno) -> Descriptor {
    let opened = try withCString(path) { (path) throws(Errno) in
      try retrying { openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }
    return Descriptor(owning: opened)
  }
}
