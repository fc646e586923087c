#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    let start = bytes.count
    let number = rawValue
    bytes.append(contentsOf: repeatElement(0, count: count))
    var filled = 0
    defer { bytes.removeLast(count - filled) }
    while true {
      do throws(Errno) {
        filled = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(Errno) in
          let rest = UnsafeMutableBufferPointer(rebasing: buffer[start...])
          if let offset {
            return try retrying { pread(number, rest.baseAddress, rest.count, off_t(offset)) }
          }
          return try retrying { systemRead(number, rest.baseAddress, rest.count) }
        }
        return filled
      } catch .wouldBlock {
        try Self.wait(for: POLLIN, of: number)
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
