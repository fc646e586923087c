#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How this process starts another program; no shell is asked.
struct Spawning {
  /// Its name, which is looked for in `PATH`, and its arguments; one at least.
  var words: [[UInt8]]
  /// What is set in its environment, `NAME=VALUE`.
  var variables: [[UInt8]] = []
  /// Names of variables that it doesn't get; those that end in `*` stand for all that begin so.
  var removed: [[UInt8]] = []
  /// What it reads; nothing if there is none.
  var input: Int32?
  /// Where it writes what it has to say.
  var output: Int32
  /// Where it writes what it has to say about errors; this process's own if there is none.
  var messages: Int32?
  /// Whether it gets a process group of its own, and all signals that are blocked here.
  var isApart = false

  /// Starts it.
  ///
  /// - Returns: The number of its process.
  /// - Throws: Why it can't be started; ``Errno/noEntry`` if there is no such program.
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

    // What this process ignores, the other one need not.
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

  /// The variables of this process that are neither removed nor set, to be freed.
  private func inherited() -> [UnsafeMutablePointer<CChar>?] {
    let names = removed + variables.map { Array($0.prefix { $0 != UInt8(ascii: "=") }) }
    var result: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let text = next.pointee {
      next += 1
      let variable = UnsafeBufferPointer(start: text, count: strlen(text)).map {
        UInt8(bitPattern: $0)
      }
      let own = variable.prefix { $0 != UInt8(ascii: "=") }
      let isLeftOut = names.contains { name in
        name.last == UInt8(ascii: "*") ? own.starts(with: name.dropLast()) : own.elementsEqual(name)
      }
      if !isLeftOut { result.append(strdup(text)) }
    }
    return result
  }

  /// Bytes with a zero after them, to be freed.
  private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress?.withMemoryRebound(to: CChar.self, capacity: buffer.count) { strdup($0) }
    }
  }
}
