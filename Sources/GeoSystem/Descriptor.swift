#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file or folder, which is closed with the value.
public struct Descriptor: ~Copyable, Sendable {
  /// The number that the system knows it by.
  public let rawValue: Int32

  /// Takes an open descriptor over.
  public init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { _ = close(rawValue) }

  /// Hands the descriptor over to whoever closes it.
  public consuming func take() -> Int32 {
    let number = rawValue
    discard self
    return number
  }
}

extension Descriptor {
  /// Adds the next bytes of a file to some others.
  ///
  /// A descriptor that others have set to not block is waited for.
  ///
  /// - Parameters:
  ///   - count: How many bytes there may be at most, above 0.
  ///   - offset: Where in the file to read; where the last reader stopped if it isn't given.
  /// - Returns: How many bytes there were; 0 at the end.
  public borrowing func read(
    upTo count: Int, at offset: Int64? = nil, appendingTo bytes: inout [UInt8]
  ) throws(Errno) -> Int {
    let number = rawValue
    while true {
      var failure: Errno?
      let found = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        do throws(Errno) {
          filled = try retrying {
            if let offset { return pread(number, buffer.baseAddress, count, off_t(offset)) }
            return systemRead(number, buffer.baseAddress, count)
          }
        } catch {
          failure = error
        }
      }
      switch failure {
      case nil:
        if bytes.isEmpty { bytes = found } else { bytes += found }
        return found.count
      case .wouldBlock?: try Self.wait(for: POLLIN, of: number)
      case let failure?: throw failure
      }
    }
  }

  /// Another descriptor of the same open file.
  public static func duplicate(_ number: Int32) throws(Errno) -> Descriptor {
    Descriptor(owning: try retrying { fcntl(number, F_DUPFD_CLOEXEC, 0) })
  }
}

/// `read`, which is the name of a method here.
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, buffer, count)
}

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
