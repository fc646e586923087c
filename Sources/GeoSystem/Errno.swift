import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reason why a system call failed.
public struct Errno: Error, CustomStringConvertible, Hashable, Sendable {
  /// The system's number.
  public let rawValue: Int32

  /// Creates a reason from its number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  static var current: Errno { Errno(rawValue: errno) }

  package static let exists = Errno(rawValue: EEXIST)
  /// No such entry.
  public static let noEntry = Errno(rawValue: ENOENT)
  /// The entry is not a directory.
  public static let notDirectory = Errno(rawValue: ENOTDIR)
  /// Too many symbolic links, or a link where links are not followed.
  package static let linkLoop = Errno(rawValue: ELOOP)
  /// Permission denied.
  public static let accessDenied = Errno(rawValue: EACCES)
  package static let tooManyOpen = Errno(rawValue: EMFILE)
  package static let tooManyOpenInSystem = Errno(rawValue: ENFILE)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let addressInUse = Errno(rawValue: EADDRINUSE)
  package static let addressNotAvailable = Errno(rawValue: EADDRNOTAVAIL)
  package static let inputOutput = Errno(rawValue: EIO)
  package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
  package static let fileTooLarge = Errno(rawValue: EFBIG)
  /// A handle refers to something that has changed or is gone.
  package static let stale = Errno(rawValue: ESTALE)
  package static let timedOut = Errno(rawValue: ETIMEDOUT)
  package static let cancelled = Errno(rawValue: ECANCELED)
  /// The file system or the system doesn't support the operation.
  static let notSupported = Errno(rawValue: EOPNOTSUPP)
  static let interrupted = Errno(rawValue: EINTR)

  /// The system's message, such as `Permission denied`.
  public var description: String {
    guard let text = strerror(rawValue) else { return "error \(rawValue)" }
    return String(cString: text)
  }
}

@inlinable
@inline(__always)
package func rethrowing<Value: ~Copyable, New: Error>(
  _ call: @autoclosure () throws(Errno) -> Value, as convert: (Errno) -> New
) throws(New) -> Value {
  do throws(Errno) { return try call() } catch { throw convert(error) }
}

extension Failure {
  package static func unreadable(_ reason: Errno) -> Failure {
    Failure(.source, "\(reason)", cause: reason)
  }

  /// A scratch file can't be made, written or read; `task` follows the word "can't".
  package static func noScratch(_ task: String, _ reason: Errno) -> Failure {
    .output(
      "can't \(task): \(reason); set TMPDIR to a folder with free space", cause: reason)
  }

  package static func noScratch(_ reason: Errno) -> Failure {
    noScratch("write temporary files", reason)
  }

  package static func noThread(_ reason: Errno) -> Failure {
    Failure(.limit, "can't start a thread to read with: \(reason)", cause: reason)
  }
}

/// Repeats a call while signals interrupt it; throws if it returns −1.
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
