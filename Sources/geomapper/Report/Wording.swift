import GeoCore
import GeoPipeline
import GeoSources
import GeoSystem

/// Runs a part of a command, and converts its errors to messages; `task` words those of unknown
/// types.
func wording<Value>(
  _ task: String = "it was broken off", _ body: () throws -> Value
) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(error, task)
  }
}

/// Runs a part of a command, and puts `obstacle` before its error message.
func explaining<Value>(
  _ obstacle: @autoclosure () -> String, as group: ErrorGroup = .usage,
  _ body: () throws -> Value
) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(group, "\(obstacle()): \(error)")
  }
}

/// Runs a part of a command on the main thread, which waits for its threads, and converts its
/// errors to messages.
func onMainThread<Value: Sendable>(
  _ task: String = "it was broken off", _ body: @escaping @Sendable () async throws -> Value
) throws(Failure) -> Value {
  try MainThreadExecutor().run { () async -> Result<Value, Failure> in
    do {
      return .success(try await body())
    } catch {
      return .failure(Failure(error, task))
    }
  }.get()
}

extension Collection<UInt8> {
  /// A name or path as a terminal shows it.
  var shown: String { TerminalText.escaped(Array(self)) }
  /// The same in quotes, for messages.
  var quoted: String { "'\(shown)'" }
}

extension Failure {
  /// An argument has a fault, worded as what follows the argument.
  static func wrong(_ argument: some Collection<UInt8>, _ fault: String) -> Failure {
    .usage("\(argument.quoted) \(fault)")
  }

  init(_ error: any Error, _ task: String) {
    switch error {
    case let failure as Failure: self = failure
    case let error as MapError: self.init(error)
    case let error as RootError: self.init(error)
    case let error as any GeoError:
      self.init(error)
      switch error {
      case SnapshotError.foreign: option = "; '\(Tool.name) snapshot' writes them"
      case GitError.range: option = " (--since, --until)"
      default: break
      }
    default: self = .output("\(task): \(error)")
    }
  }

  init(_ error: RootError) {
    self.init(error.group, error.description, cause: error)
    if let folder = error.wronglyLabelled {
      message += ", such as NAME=\(folder.shown)"
    }
  }

  init(_ error: MapError) {
    self.init(error.group, error.description, cause: error)
    switch error {
    case .rootNotFolder(let directory):
      if let kind = FileKind(at: directory) { message += ", but \(kind.advice)" }
    case .refusedRoot(let root): self.init(root)
    case .list(.ambiguous): message += " with --list-format"
    default: break
    }
  }
}
