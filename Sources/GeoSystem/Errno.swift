#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reason why a system call failed.
public struct Errno: Error, Hashable, Sendable {
  /// The number that the system gave.
  public let rawValue: Int32

  /// A reason of the given number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The reason why the last system call of this thread failed.
  static var current: Errno { Errno(rawValue: errno) }

  /// There is such an entry already.
  public static let exists = Errno(rawValue: EEXIST)
  /// No such entry.
  public static let noEntry = Errno(rawValue: ENOENT)
  /// The entry is no directory.
  public static let notDirectory = Errno(rawValue: ENOTDIR)
  /// Too many symbolic links, or one where none may be followed.
  public static let linkLoop = Errno(rawValue: ELOOP)
  /// Permission denied.
  public static let accessDenied = Errno(rawValue: EACCES)
  /// A right is missing.
  public static let notPermitted = Errno(rawValue: EPERM)
  /// This process has too many open files.
  public static let tooManyOpen = Errno(rawValue: EMFILE)
  /// The system has too many open files.
  public static let tooManyOpenInSystem = Errno(rawValue: ENFILE)
  /// The other end of a pipe is closed.
  public static let brokenPipe = Errno(rawValue: EPIPE)

  /// A device, or what stands for one, fails.
  public static let inputOutput = Errno(rawValue: EIO)
  /// A path is longer than the system takes at once.
  public static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  /// A file is larger than what is read of it.
  public static let fileTooLarge = Errno(rawValue: EFBIG)
  /// A handle to something that is no longer what it was.
  public static let stale = Errno(rawValue: ESTALE)
  /// The file system, or the system, can't do that.
  static let notSupported = Errno(rawValue: EOPNOTSUPP)
  /// A call was interrupted by a signal.
  static let interrupted = Errno(rawValue: EINTR)
}

extension Errno: CustomStringConvertible {
  /// The system's own words, such as `Permission denied`.
  public var description: String {
    guard let text = strerror(rawValue) else { return "error \(rawValue)" }
    return String(cString: text)
  }
}

/// Calls again as long as a signal interrupts.
///
/// - Throws: The reason, where the call gives −1.
@inline(__always)
func retrying<Result: FixedWidthInteger & SignedInteger>(
  _ call: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let reason = Errno.current
    if reason != .interrupted { throw reason }
  }
}
