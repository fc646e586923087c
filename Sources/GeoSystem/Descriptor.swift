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
