#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file or folder, which is closed when the value is destroyed.
package struct Descriptor: ~Copyable, Sendable {
  package let rawValue: Int32

  package init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { _ = close(rawValue) }

  /// Gives up ownership: the caller has to close the descriptor.
  package consuming func take() -> Int32 {
    let number = rawValue
    discard self
    return number
  }
}

extension Descriptor {
  /// Reads up to `count` bytes (above 0), from the current position if `offset` is nil, and appends
  /// them. Waits for bytes if the descriptor is non-blocking. Returns their number; 0 at the end.
  package borrowing func read(
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

  package static func duplicate(_ number: Int32) throws(Errno) -> Descriptor {
    Descriptor(owning: try retrying { fcntl(number, F_DUPFD_CLOEXEC, 0) })
  }
}

/// The system's `read`, which the method of the same name hides.
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(number, buffer, count)
}

extension Descriptor {
  package static let standardInput: Int32 = 0
  package static let standardOutput: Int32 = 1
  package static let standardError: Int32 = 2

  /// Writes all bytes; waits for room if the descriptor is non-blocking.
  package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) throws(Errno) {
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

  /// Sleeps until one of some non-blocking descriptors is ready.
  static func wait(for event: Int32, of descriptors: Int32...) throws(Errno) {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(event), revents: 0) }
    _ = try retrying { poll(&requests, nfds_t(requests.count), -1) }
  }

  /// Whether a descriptor can be read without waiting.
  static func isReadable(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return ((try? retrying { poll(&request, 1, 0) }) ?? 0) > 0
  }

  package borrowing func write(_ bytes: Span<UInt8>) throws(Errno) {
    try Self.write(bytes, to: rawValue)
  }

  /// Closes the file, and throws if the system reports that writing has failed.
  /// The descriptor is closed either way.
  package consuming func finish() throws(Errno) {
    let number = rawValue
    discard self
    // On Linux the descriptor is closed even after EINTR: calling again could close another file.
    if close(number) != 0, Errno.current != .interrupted { throw Errno.current }
  }

  package static func isWritable(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags != -1 && flags & O_ACCMODE != O_RDONLY
  }

  /// Opens `/dev/null` for each standard descriptor that is closed.
  ///
  /// Otherwise the next opened file would get its number, and messages would be written into that
  /// file. Standard input is opened for writing and the others for reading, so that using them is
  /// still an error.
  package static func occupyStandardNumbers() {
    for number in standardInput...standardError where fcntl(number, F_GETFD) == -1 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", number == standardInput ? O_WRONLY : O_RDONLY)
    }
  }
}

extension Errno {
  package static let wouldBlock = Errno(rawValue: EAGAIN)
  package static let badDescriptor = Errno(rawValue: EBADF)
  package static let isDirectory = Errno(rawValue: EISDIR)
}
