#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Descriptor {
  /// The number of standard input.
  public static let standardInput: Int32 = 0
  /// The number of standard output.
  public static let standardOutput: Int32 = 1
  /// The number of standard error.
  public static let standardError: Int32 = 2

  /// Writes all bytes, however many calls it takes.
  ///
  /// A descriptor that others have set to not block is waited for.
  public static func write(_ bytes: Span<UInt8>, to descriptor: Int32) throws(Errno) {
    try bytes.withUnsafeBytes { (buffer) throws(Errno) in
      var rest = buffer[...]
      while !rest.isEmpty {
        do throws(Errno) {
          let part = UnsafeRawBufferPointer(rebasing: rest)
          #if canImport(Darwin)
            let call = Darwin.write
          #elseif canImport(Glibc)
            let call = Glibc.write
          #else
            let call = Musl.write
          #endif
          let written = try retrying { call(descriptor, part.baseAddress, part.count) }
          rest = rest.dropFirst(written)
        } catch .wouldBlock {
          try wait(for: POLLOUT, of: descriptor)
        }
      }
    }
  }

  /// Sleeps until a descriptor that was set to not block is ready.
  static func wait(for event: Int32, of descriptor: Int32) throws(Errno) {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    _ = try retrying { poll(&request, 1, -1) }
  }

  /// Whether something can be read from a descriptor right now.
  static func isReadable(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return ((try? retrying { poll(&request, 1, 0) }) ?? 0) > 0
  }

  /// Writes all bytes, however many calls it takes.
  public borrowing func write(_ bytes: Span<UInt8>) throws(Errno) {
    try Self.write(bytes, to: rawValue)
  }

  /// Closes the file and says whether what was written has arrived.
  ///
  /// It is closed either way.
  public consuming func finish() throws(Errno) {
    let number = rawValue
    discard self
    // After EINTR the descriptor is closed on Linux: calling again might close somebody else's.
    if close(number) != 0, Errno.current != .interrupted { throw Errno.current }
  }

  /// Whether a descriptor is open and can be written to.
  public static func isWritable(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags != -1 && flags & O_ACCMODE != O_RDONLY
  }

  /// Opens `/dev/null` for those of the three standard descriptors that are closed.
  ///
  /// Otherwise the next file that is opened would get their numbers, and messages would end up in
  /// it. They are opened the wrong way round, so that using them is still an error.
  public static func occupyStandardNumbers() {
    for number in standardInput...standardError where fcntl(number, F_GETFD) == -1 {
      // The lowest free number is given, which is this one.
      _ = open("/dev/null", number == standardInput ? O_WRONLY : O_RDONLY)
    }
  }
}

extension Errno {
  /// Reading or writing would have to wait, and the descriptor is set not to.
  package static let wouldBlock = Errno(rawValue: EAGAIN)
  /// The descriptor is closed, or not open for this.
  public static let badDescriptor = Errno(rawValue: EBADF)
  /// The entry is a directory.
  public static let isDirectory = Errno(rawValue: EISDIR)
}
