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
