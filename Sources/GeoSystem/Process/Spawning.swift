import CSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Starts another program without a shell.
struct Spawning {
  /// The words and variables are those of a ``BoundedProgram``.
  var words: [[UInt8]]
  var variables: [[UInt8]] = []
  var removed: [[UInt8]] = []
  var input: Int32?
  /// What becomes its descriptor 3, with `/dev/null` as 4; nil for neither.
  var control: Int32?
  var output: Int32
  /// The descriptor for its error messages; nil for this process's standard error.
  var messages: Int32?
  var folder: [UInt8]?
  /// Whether it gets its own process group, and a signal mask that blocks nothing.
  var isApart = false

  /// Throws ``Errno/noEntry`` if the program isn't found.
  func start() throws(Errno) -> pid_t {
    guard let name = words.first, !name.isEmpty else { throw .noEntry }
    let arguments = words.map(Self.copy) + [nil]
    let environment = inherited() + variables.map(Self.copy) + [nil]
    defer { for word in arguments + environment { free(word) } }

    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    if let messages { posix_spawn_file_actions_adddup2(&actions, messages, 2) }
    if let folder {
      let path = Self.copy(folder)
      defer { free(path) }
      guard let path else { throw Errno(rawValue: ENOMEM) }
      let reason = csystem_spawn_folder(&actions, path)
      if reason != 0 { throw Errno(rawValue: reason) }
    }
    if let control {
      posix_spawn_file_actions_adddup2(&actions, control, 3)
      posix_spawn_file_actions_addopen(&actions, 4, "/dev/null", O_WRONLY, 0)
    }

    // The program shouldn't inherit ignored signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF)
    if isApart {
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP)
    }
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, flags)

    var started: pid_t = 0
    guard let program = arguments[0] else { throw Errno(rawValue: ENOMEM) }
    let error = posix_spawnp(&started, program, &actions, &attributes, arguments, environment)
    if error != 0 { throw Errno(rawValue: error) }
    return started
  }

  /// Copies of this process's variables that are neither removed nor set; the caller frees them.
  private func inherited() -> [UnsafeMutablePointer<CChar>?] {
    let names = removed + variables.map { Array($0.prefix { $0 != UInt8(ascii: "=") }) }
    var result: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let text = next.pointee {
      next += 1
      let own = [UInt8](cString: text).prefix { $0 != UInt8(ascii: "=") }
      let isLeftOut = names.contains { name in
        name.last == UInt8(ascii: "*") ? own.starts(with: name.dropLast()) : own.elementsEqual(name)
      }
      if !isLeftOut { result.append(strdup(text)) }
    }
    return result
  }

  /// Copies bytes as a C string; the caller frees it.
  private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: buffer.count) { strdup($0) }
    }
  }
}
