#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How users are called.
public enum UserNames {
  /// The longest entry of the user database that is read, in bytes.
  private static let longestEntry = 1 << 16

  /// The name of a user; nil if the number has none here.
  public static func name(of user: UInt32) -> [UInt8]? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var text = [CChar](repeating: 0, count: longestEntry)
    return text.withUnsafeMutableBufferPointer { text in
      guard let room = text.baseAddress,
        getpwuid_r(user, &entry, room, text.count, &found) == 0, found != nil,
        let name: UnsafeMutablePointer<CChar> = entry.pw_name
      else { return nil }
      return UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
    }
  }
}
