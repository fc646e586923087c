import GeoChange
import GeoCore
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTrack
import GeoTree
import GeoWeb

/// Runs a part of a command, and puts its errors into words.
///
/// - Parameter task: What can't be done if the error is of no known kind.
func wording<Value>(
  _ task: String = "it was broken off", _ body: () throws -> Value
) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(error, task)
  }
}

/// Runs a part of a command, and says what can't be done if it fails: the reason follows a colon.
///
/// - Parameters:
///   - obstacle: What can't be done.
///   - status: The exit status then.
func explaining<Value>(
  _ obstacle: @autoclosure () -> String, as status: ExitStatus = .usage,
  _ body: () throws -> Value
) throws(Failure) -> Value {
  do {
    return try body()
  } catch let failure as Failure {
    throw failure
  } catch {
    throw Failure(status: status, message: "\(obstacle()): \(error)")
  }
}

/// Runs a part of a command that waits for threads on the main thread, and puts its errors into words.
///
/// - Parameter task: What can't be done if the error is of no known kind.
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

extension Failure {
  /// What to say of an error.
  ///
  /// - Parameter task: What can't be done if the error is of no known kind.
  init(_ error: any Error, _ task: String) {
    switch error {
    case let failure as Failure: self = failure
    case let error as MapError: self.init(error)
    case let error as GitError: self.init(error)
    case let error as RootError: self.init(error)
    case let error as ListError: self.init(MapError.list(error))
    case let error as FileSystemScanner.Failure: self.init(MapError(error))
    case let error as SnapshotError: self = .usage(error.description)
    case let error as JoinError: self = .usage(error.description)
    case let error as ServerError: self.init(error)
    case OutputError.failed(let failure): self = failure
    default: self = .output("\(task): \(error)")
    }
  }

  /// What to say when a map could not be begun.
  init(_ error: MapError) {
    switch error {
    case .noThread, .noScratch, .list(.noScratch): self = .output(error.description)
    case .rootNotFolder(let directory):
      let advice = FileKind(at: directory).map { ", but \($0.advice)" } ?? ""
      self = .usage(error.description + advice)
    case .rootNotFound(let directory, _):
      self = .usage(error.description)
      missing = directory
    default: self = .usage(error.description)
    }
  }

  /// What to say when a repository can't be read.
  init(_ error: GitError) {
    switch error {
    case .noScratch: self = .output(error.description)
    default: self = .usage(error.description)
    }
  }

  /// What to say when a map could not be checked.
  ///
  /// - Parameter subject: The map.
  init(_ error: VerificationError, _ subject: String) {
    switch error {
    case .unreadable(_, let reason): self = .usage("can't read \(subject): \(reason)")
    case .notRegular:
      self = .usage("\(subject) is no regular file: a map is read twice, so save it in one first")
    case .unmappable(let error): self.init(error)
    case .changed:
      self.init(
        status: .incomplete,
        message: "the tree was changed while it was mapped: nothing can be said about it")
    case .cancelled: self = .output("it was broken off")
    case .fault(let fault): self.init(status: .fault, message: "\(subject): \(fault.what)")
    }
  }

  /// What to say when tracks can't be read, or not be written.
  ///
  /// - Parameter file: The file that they are read from.
  init(_ error: TrackError, _ file: String) {
    switch error {
    case .unreadable(let reason): self = .usage("can't read \(file): \(reason)")
    case .malformed: self = .usage("can't use \(file): \(error)")
    case .stopped: self = .output("\(error)")
    }
  }

  /// What to say when a folder can't be a root.
  init(_ error: RootError) { self = .usage(error.description) }
}
