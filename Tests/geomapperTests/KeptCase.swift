import Foundation
import GeoCore
import TestSupport

@testable import GeoSources

/// A folder of which states are kept, at any times.
struct KeptCase {
  let folder: TemporaryFolder
  /// The Unix time when the case began.
  let now = Int64(Date().timeIntervalSince1970)

  static let day: Int64 = 86_400

  init() throws { folder = try TemporaryFolder() }

  /// The store, and no other place for one.
  private var environment: [String] { ["XDG_DATA_HOME=\(folder("data"))", "TZ=UTC"] }

  /// Runs the tool in the folder.
  func run(
    _ arguments: [String], in place: String = "", environment more: [String] = []
  ) throws -> Subprocess.Outcome {
    try Geomapper.start(
      arguments, in: place.isEmpty ? folder.path : folder(place),
      environment: environment.filter { own in
        !more.contains { $0.prefix { $0 != "=" } == own.prefix { $0 != "=" } }
      } + more
    ).finish()
  }

  /// Serves from the folder.
  func serve(_ arguments: [String]) throws -> ServedWorld {
    try ServedWorld(["--port", "0"] + arguments, in: folder.path, environment: environment)
  }

  /// The store's states by their files, in the order in which they were kept.
  func states() throws -> [KeptState] {
    try KeptStore(at: Array(folder("data/geomapper/kept").utf8)).states()
      .sorted { $0.number < $1.number }
  }

  /// Keeps a state as if it were that many seconds ago.
  @discardableResult
  func keep(_ arguments: [String], ago: Int64 = 0) throws -> Subprocess.Outcome {
    let outcome = try run(["keep", "-q"] + arguments)
    if outcome.status == 0 || outcome.status == 1, ago > 0, let last = try states().last {
      try change(last) { ($0.seconds, $0.nanoseconds) = (now - ago, 0) }
    }
    return outcome
  }

  /// Changes what is known of a state.
  func change(_ state: KeptState, _ body: (inout KeptState) -> Void) throws {
    var state = state
    body(&state)
    let name = String(decoding: state.id, as: UTF8.self) + ".state"
    try Data(state.encoded).write(
      to: URL(fileURLWithPath: folder("data/geomapper/kept/\(name)")))
  }

  /// A Unix time as the tool prints it.
  func text(ago: Int64) -> String {
    ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(now - ago)))
  }
}
