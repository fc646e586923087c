#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The machine of a measurement.
struct Machine {
  var processor: String
  var cores: Int
  var memory: Int
  var kernel: String
  var fileSystem: String

  /// This machine, with the file system of a folder.
  static func current(folder: String) -> Machine {
    var names = utsname()
    uname(&names)
    let kernel = withUnsafeBytes(of: names.release) { text($0) }
    let system = withUnsafeBytes(of: names.sysname) { text($0) }
    return Machine(
      processor: processor(), cores: cores,
      memory: Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE))),
      kernel: "\(system) \(kernel)", fileSystem: fileSystem(of: folder))
  }

  /// The number of processors that are online.
  static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func processor() -> String {
    #if canImport(Darwin)
      let name = Launcher.output(of: ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"])
      return name.map { String($0.prefix { $0 != "\n" }) } ?? "unknown"
    #else
      for line in (System.text(of: "/proc/cpuinfo") ?? "").split(separator: "\n") {
        if line.hasPrefix("model name"), let colon = line.firstIndex(of: ":") {
          return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
      }
      return "unknown"
    #endif
  }

  /// The type of a folder's file system: of the mount with the longest matching path.
  private static func fileSystem(of folder: String) -> String {
    let path = System.realPath(folder) ?? folder
    var best = (length: -1, type: "unknown")
    for line in (System.text(of: "/proc/self/mounts") ?? "").split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count >= 3 else { continue }
      let mount = parts[1] == "/" ? "" : String(parts[1])
      if path == mount || path.hasPrefix(mount + "/"), mount.utf8.count >= best.length {
        best = (mount.utf8.count, String(parts[2]))
      }
    }
    return best.type
  }

  var json: JSON {
    .object([
      ("processor", .string(processor)), ("cores", .number(Double(cores))),
      ("memory", .number(Double(memory))), ("kernel", .string(kernel)),
      ("fileSystem", .string(fileSystem)),
    ])
  }

  var text: String {
    "\(processor), \(cores) cores, \(memory >> 30) GiB, \(kernel), \(fileSystem)"
  }
}
