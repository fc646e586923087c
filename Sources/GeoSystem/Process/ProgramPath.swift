import GeoCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ThisProcess {
  /// The absolute path of a program, found as the system finds it: by its path, or in `PATH`.
  ///
  /// - Returns: nil if there is no such program. Links are not resolved.
  package static func path(ofProgram name: [UInt8]) -> [UInt8]? {
    if name.isEmpty { return nil }
    if name.contains(.slash) { return isProgram(name) ? absolutePath(name) : nil }
    let folders = (environment("PATH") ?? Array("/usr/bin:/bin".utf8))
      .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    // An empty name is the current folder.
    return folders.lazy.map { $0.isEmpty ? name : Array($0).appending(component: name) }
      .first(where: isProgram).flatMap(absolutePath)
  }

  /// The absolute path of this program, by which it can be started again.
  ///
  /// It is the path by which the program was started, links included, if that still leads to it:
  /// such a path outlives an update more often than the real one.
  ///
  /// - Parameter name: The first word of this process's command line.
  package static func ownPath(calledAs name: [UInt8]) -> [UInt8]? {
    let found = path(ofProgram: name)
    #if os(Linux)
      let real = Array("/proc/self/exe".utf8)
      guard let own = try? FileSystem.rootFacts(real).identity else { return found }
      if let found, (try? FileSystem.rootFacts(found).identity) == own { return found }
      return try? realPath(real)
    #else
      return found
    #endif
  }

  /// A path from the root folder. Neither links nor `..` are resolved.
  package static func absolutePath(_ path: [UInt8]) -> [UInt8]? {
    if path.first == .slash { return path }
    var rest = path[...]
    while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2).drop { $0 == .slash } }
    return workingDirectory.map { $0 == [.slash] ? $0 + rest : $0.appending(component: rest) }
  }

  private static func isProgram(_ path: [UInt8]) -> Bool {
    guard (try? FileSystem.rootFacts(path).kind) == .regular else { return false }
    let result = try? FileSystem.withCString(path) { (path) throws(Errno) in access(path, X_OK) }
    return result == 0
  }

  /// The number of the user.
  package static var user: UInt32 { UInt32(getuid()) }
}
