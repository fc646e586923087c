#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pseudo-terminal: a side for a program to write to, and a side for the test to read.
public struct PseudoTerminal: Sendable {
  /// The side that the program uses as its terminal.
  public let terminal: Int32
  /// The side on which the program's output can be read.
  public let screen: Int32

  /// Makes a terminal of the given width.
  public init(columns: UInt16 = 80) throws {
    // The same as posix_openpt, unlockpt and ptsname, which the importer hides.
    screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    if screen < 0 { throw SystemFailure(call: "open /dev/ptmx") }
    var lock: Int32 = 0
    var number: Int32 = 0
    if ioctl(screen, 0x4004_5431, &lock) != 0 || ioctl(screen, 0x8004_5430, &number) != 0 {
      throw SystemFailure(call: "ioctl")
    }
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    if terminal < 0 { throw SystemFailure(call: "open terminal") }
    var size = winsize(ws_row: 25, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the test's descriptor of the terminal, and returns all output.
  public func finish() -> String {
    close(terminal)
    defer { close(screen) }
    return String(decoding: readAll(screen), as: UTF8.self)
  }
}
