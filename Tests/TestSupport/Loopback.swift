#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Connections to servers on this machine.
public enum Loopback {
  /// Connects to a port on which a server listens.
  public static func connect(to port: UInt16) throws -> Int32 {
    #if canImport(Glibc)
      let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let connection = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        systemConnect(connection, address, size)
      }
    }
    if result != 0 {
      close(connection)
      throw SystemFailure(call: "connect")
    }
    return connection
  }
}

/// The system's `connect`; in ``Loopback``, that name is a method.
private func systemConnect(
  _ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t
) -> Int32 {
  connect(socket, address, size)
}
