import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// The real program, as built with the tests.
enum Geomapper {
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["GEOMAPPER_BINARY"] { return path }
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("geomapper").path
  }()

  /// A command that drops the superuser's access to everything. It is empty if permissions apply
  /// anyway, and nil if that isn't possible here.
  static let unprivileged: [String]? = {
    if geteuid() != 0 { return [] }
    let launcher = [
      "/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner",
    ]
    let probe = try? Subprocess.run(launcher[0], [launcher[1], "/bin/true"])
    return probe?.status == 0 ? launcher : nil
  }()

  /// Starts the program.
  static func start(
    _ arguments: [String], in folder: String? = nil, launcher: [String] = [],
    environment: [String] = [], output: Subprocess.Stream = .captured,
    error: Subprocess.Stream = .captured
  ) throws -> Subprocess {
    try start(
      bytes: arguments.map { Array($0.utf8) }, in: folder, launcher: launcher,
      environment: environment, output: output, error: error)
  }

  /// Starts the program with arguments of any bytes.
  static func start(
    bytes arguments: [[UInt8]], in folder: String? = nil, launcher: [String] = [],
    environment: [String] = [], output: Subprocess.Stream = .captured,
    error: Subprocess.Stream = .captured
  ) throws -> Subprocess {
    let line = launcher + [path]
    let usual = ["TERM=xterm", "NO_COLOR="].filter { usual in
      !environment.contains { $0.prefix { $0 != "=" } == usual.prefix { $0 != "=" } }
    }
    return try Subprocess(
      line[0], line.dropFirst().map { Array($0.utf8) } + arguments,
      environment: usual + environment, in: folder, output: output,
      error: error)
  }

  /// Runs the program to its end.
  static func run(
    _ arguments: [String], in folder: String? = nil, launcher: [String] = []
  ) throws -> Subprocess.Outcome {
    try start(arguments, in: folder, launcher: launcher).finish()
  }

  /// Words of a shell that limit the sizes of files that programs write, in the shell's blocks; but not of their
  /// coverage, which can't be read if it is cut off.
  static func limit(fileBlocks count: Int) -> String {
    "ulimit -f \(count); export LLVM_PROFILE_FILE=/dev/null;"
  }

  /// Runs a shell script, in which `$T` is the program.
  static func shell(_ script: String, in folder: String) throws -> Subprocess.Outcome {
    try Subprocess(
      "/bin/sh", ["-c", script].map { Array($0.utf8) }, environment: ["T=\(path)"], in: folder
    ).finish()
  }
}

/// A map as GeoJSON, parsed.
struct WrittenMap {
  let header: [String: Any]
  let features: [[String: Any]]
  let summary: [String: Int]
  /// The number of excluded entries, by reason.
  let excluded: [String: Int]?

  init(_ bytes: [UInt8]) throws {
    let whole = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    header = whole["geomapper"] as? [String: Any] ?? [:]
    features = (whole["features"] as? [[String: Any]] ?? []).map {
      $0["properties"] as? [String: Any] ?? [:]
    }
    var counts = whole["summary"] as? [String: Any] ?? [:]
    excluded = counts.removeValue(forKey: "excluded") as? [String: Int]
    summary = counts as? [String: Int] ?? [:]
  }

  var paths: [String] { features.compactMap { $0["path"] as? String } }
  var roots: [String] { header["roots"] as? [String] ?? [] }

  /// The properties of the node with a path.
  subscript(path: String) -> [String: Any]? { features.first { $0["path"] as? String == path } }
}

/// A tree whose map is several times larger than a pipe's buffer.
final class LargeTree: Sendable {
  static let shared: LargeTree? = {
    // Static values are never deinitialized.
    atexit { LargeTree.shared?.folder.remove() }
    return try? LargeTree()
  }()

  let folder: TemporaryFolder
  var path: String { folder("large") }

  init() throws {
    folder = try TemporaryFolder()
    for part in 0..<8 {
      try folder.makeFolder("large/part-\(part)")
      for number in 0..<200 {
        let name = "a file with a name that takes some room in the output \(number)"
        try folder.makeFile("large/part-\(part)/\(name)")
      }
    }
  }
}
