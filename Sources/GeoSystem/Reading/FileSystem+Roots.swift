#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
