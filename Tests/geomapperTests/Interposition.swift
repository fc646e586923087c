import Foundation
import TestSupport
import Testing

/// A library in front of libc, which lets one call of the tool fail, or lets something happen just
/// before it.
struct Interposition {
  /// The library; nil where it can't be built or put in front.
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

  /// Whether faults can be made here.
  static var isPossible: Bool { library != nil }
  /// Why not.
  static let need: Comment = "needs Linux and a C compiler, cc"

  private var settings: [String] = []

  /// Hits some calls.
  ///
  /// - Parameters:
  ///   - call: Which call of libc; none if it is nil.
  ///   - end: How the path that it is about ends.
  ///   - after: How many such calls go well first.
  ///   - times: How many are hit then; all if nil.
  init(_ call: String? = nil, on end: String? = nil, after: Int = 0, times: Int? = nil) {
    if let call { self["CALL"] = call }
    self["ON"] = end
    self["AFTER"] = "\(after)"
    self["TIMES"] = times.map { "\($0)" }
  }

  /// What the library is told by `FAULT_` and a name.
  private subscript(name: String) -> String? {
    get { nil }
    set { if let newValue { settings.append("FAULT_\(name)=\(newValue)") } }
  }

  /// Lets the calls fail.
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

  /// The environment in which a program meets the fault.
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
