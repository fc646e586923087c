#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A system call of a test failed.
public struct SystemFailure: Error, CustomStringConvertible {
  let call: String
  let number: Int32

  init(call: String, number: Int32 = errno) {
    self.call = call
    self.number = number
  }

  /// The call and the system's reason.
  public var description: String { "\(call): \(String(cString: strerror(number)))" }
}

/// A pipe whose ends child processes don't inherit.
public struct TestPipe: Sendable {
  /// The end to read from.
  public let reader: Int32
  /// The end to write to.
  public let writer: Int32

  /// Makes a pipe. Close its ends by ``closeReader()`` and ``closeWriter()``.
  public init() throws {
    var ends: [Int32] = [0, 0]
    if pipe(&ends) != 0 { throw SystemFailure(call: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, writer) = (ends[0], ends[1])
  }

  /// Whether the pipe has little or no room left.
  public var isFull: Bool {
    var count: Int32 = 0
    return ioctl(reader, UInt(FIONREAD), &count) == 0 && count > 60 * 1024
  }

  /// Closes the end to read from.
  public func closeReader() { close(reader) }

  /// Closes the end to write to.
  public func closeWriter() { close(writer) }

  /// Fills the pipe, so that the next write blocks.
  public func fill() {
    let flags = fcntl(writer, F_GETFL)
    _ = fcntl(writer, F_SETFL, flags | O_NONBLOCK)
    let block = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
    while write(writer, block, block.count) > 0 {}
    while write(writer, block, 1) > 0 {}
    _ = fcntl(writer, F_SETFL, flags)
  }
}

/// The next bytes of a descriptor; empty at its end.
public func readSome(_ descriptor: Int32) -> [UInt8] {
  var block = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = read(descriptor, &block, block.count)
    if count >= 0 { return Array(block[..<count]) }
    // Reading a terminal whose other side is closed fails with EIO.
    if errno != EINTR { return [] }
  }
}

/// All bytes of a descriptor, up to its end.
public func readAll(_ descriptor: Int32) -> [UInt8] {
  var bytes: [UInt8] = []
  while true {
    let more = readSome(descriptor)
    if more.isEmpty { return bytes }
    bytes += more
  }
}
