/// The program of the system that starts other programs at set times.
package enum ServiceManager: Hashable, Sendable, CaseIterable {
  case systemd
  case launchd

  /// The service manager of this system.
  package static var ofThisSystem: ServiceManager {
    #if canImport(Darwin)
      .launchd
    #else
      .systemd
    #endif
  }
}
