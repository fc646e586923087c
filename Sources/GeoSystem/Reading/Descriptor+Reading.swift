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
