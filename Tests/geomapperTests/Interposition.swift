import Foundation
import TestSupport
import Testing

/// A library preloaded before libc, which makes calls of the tool fail, or runs something just
/// before them.
struct Interposition {
  /// The library; nil if it can't be built or preloaded.
  private static let library: String? = {
    #if os(Linux)
      atexit { Interposition.folder?.remove() }
      guard let folder else { return nil }
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Interposed/interposed.c").path
      let result = folder("interposed.so")
      let built = try? Subprocess.run(
        "/usr/bin/env", ["cc", "-shared", "-fPIC", "-o", result, source, "-ldl"])
      if built?.status == 0 { return result }
    #endif
    return nil
  }()
  private static let folder = try? TemporaryFolder()

  /// Whether calls can be intercepted here.
  static var isPossible: Bool { library != nil }
  /// Why they can't be.
  static let need: Comment = "needs Linux and a C compiler, cc"

  private var settings: [String] = []

  /// Hits some calls.
  ///
  /// - Parameters:
  ///   - call: The name of the libc function; nil for none.
  ///   - end: The end of the path that the call is about.
  ///   - after: How many such calls succeed first.
  ///   - times: How many are hit then; nil for all.
  init(_ call: String? = nil, on end: String? = nil, after: Int = 0, times: Int? = nil) {
    if let call { self["CALL"] = call }
    self["ON"] = end
    self["AFTER"] = "\(after)"
    self["TIMES"] = times.map { "\($0)" }
  }

  /// A setting of the library, in the environment variable `FAULT_` and the name.
  private subscript(name: String) -> String? {
    get { nil }
    set { if let newValue { settings.append("FAULT_\(name)=\(newValue)") } }
  }

  /// Makes the calls fail with an error number.
  func failing(_ reason: Int32) -> Self { with("ERRNO", "\(reason)") }
  /// Runs a shell command before the calls.
  func running(_ command: String) -> Self { with("RUN", command) }
  /// Sends a signal at the calls.
  func sending(_ signal: Int32) -> Self { with("SIGNAL", "\(signal)") }
  /// Adds a setting.
  func with(_ name: String, _ value: String) -> Self {
    var result = self
    result[name] = value
    return result
  }

  /// The environment that enables the fault.
  var environment: [String] { settings + ["LD_PRELOAD=\(Self.library ?? "")"] }

  /// Runs the tool to its end.
  func run(
    _ arguments: [String], in folder: TemporaryFolder, launcher: [String] = []
  ) throws -> Subprocess.Outcome {
    try Geomapper.start(
      arguments, in: folder.path, launcher: launcher, environment: environment
    ).finish()
  }
}
