#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A system call that a test needs has failed.
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

/// A pipe whose ends no other program inherits.
public struct TestPipe: Sendable {
  /// Where the bytes come out.
  public let reader: Int32
  /// Where the bytes go in.
  public let writer: Int32

  /// Makes a pipe. Its ends are to be closed by ``closeReader()`` and ``closeWriter()``.
  public init() throws {
    var ends: [Int32] = [0, 0]
    if pipe(&ends) != 0 { throw SystemFailure(call: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, writer) = (ends[0], ends[1])
  }

  /// Whether there is little room left, or none.
  public var isFull: Bool {
    var count: Int32 = 0
    return ioctl(reader, UInt(FIONREAD), &count) == 0 && count > 60 * 1024
  }

  /// Nobody reads here any more.
  public func closeReader() { close(reader) }

  /// Nobody writes here any more.
  public func closeWriter() { close(writer) }

  /// Fills the pipe, so that the next one who writes has to wait.
  public func fill() {
    let flags = fcntl(writer, F_GETFL)
    _ = fcntl(writer, F_SETFL, flags | O_NONBLOCK)
    let block = [UInt8](repeating: UInt8(ascii: "."), count: 4096)
    while write(writer, block, block.count) > 0 {}
    while write(writer, block, 1) > 0 {}
    _ = fcntl(writer, F_SETFL, flags)
  }
}

/// The next bytes of a descriptor; none at its end.
public func readSome(_ descriptor: Int32) -> [UInt8] {
  var block = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = read(descriptor, &block, block.count)
    if count >= 0 { return Array(block[..<count]) }
    // A terminal whose other side is gone gives EIO.
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
