import GeoCore
import GeoDraw
import GeoLive
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTrack
import GeoTree
import GeoVerify
import GeoWeb

/// Runs a part of a command, and converts its errors to messages.
///
/// - Parameter task: The message for errors of unknown types.
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
///
/// - Parameters:
///   - obstacle: The failed action, for the message.
///   - status: The exit status on failure.
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

/// Makes a temporary file or folder.
func temporary<Value: ~Copyable>(
  _ make: () throws(Errno) -> Value
) throws(Failure) -> Value {
  do throws(Errno) {
    return try make()
  } catch {
    throw .output("can't write temporary files: \(error); set TMPDIR to a folder with free space")
  }
}

/// Runs a part of a command on the main thread, which waits for its threads, and converts its
/// errors to messages.
///
/// - Parameter task: The message for errors of unknown types.
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
  /// The message for any error.
  ///
  /// - Parameter task: The message for errors of unknown types.
  init(_ error: any Error, _ task: String) {
    switch error {
    case let failure as Failure: self = failure
    case OutputError.failed(let failure): self = failure
    case let error as MapError: self.init(error)
    case let error as FileSystemScanner.Failure: self.init(MapError(error))
    case let error as ServerError: self.init(error)
    case let error as RecorderError: self.init(error)
    case let error as ScratchTreeError: self.init(error)
    case let error as any GroupedError: self.init(error)
    default: self = .output("\(task): \(error)")
    }
  }

  /// The message for an error that describes itself.
  init(_ error: some GroupedError) { self.init(saying: error) }

  private init(saying error: some GroupedError) {
    let status: ExitStatus =
      switch error.group {
      case .usage, .source, .damage: .usage
      case .output, .limit: .output
      }
    self.init(status: status, message: error.description)
  }

  /// The message for a map that could not be begun.
  init(_ error: MapError) {
    self.init(saying: error)
    switch error {
    case .rootNotFolder(let directory):
      if let kind = FileKind(at: directory) { message += ", but \(kind.advice)" }
    case .rootNotFound(let directory, _): missing = directory
    default: break
    }
  }

  /// The message for a map that could not be checked.
  ///
  /// - Parameter subject: The map.
  init(_ error: VerificationError, _ subject: String) {
    switch error {
    case .unreadable(_, let reason): self = .usage("can't read \(subject): \(reason)")
    case .notRegular:
      self = .usage(
        "\(subject) is not a regular file: a map is read twice, so save it in one first")
    case .unmappable(let error): self.init(error)
    case .changed:
      self.init(
        status: .incomplete,
        message: "the tree was changed while it was mapped: nothing can be said about it")
    case .cancelled: self = .output("it was broken off")
    case .fault(let fault): self.init(status: .fault, message: "\(subject): \(fault.what)")
    }
  }

  /// The message for tracks that can't be read or written.
  ///
  /// - Parameter file: The file with the tracks.
  init(_ error: TrackError, _ file: String) {
    switch error {
    case .unreadable(let reason): self = .usage("can't read \(file): \(reason)")
    case .malformed: self = .usage("can't use \(file): \(error)")
    case .stopped: self = .output("\(error)")
    }
  }

  /// The message for a server that can't start.
  init(_ error: ServerError) {
    switch error {
    case .unmappable(let error): self.init(error)
    case .unknownHost(let host):
      self = .usage("--host: '\(TerminalText.escaped(Array(host.utf8)))' is not known here")
    case .cannotListen(let host, _, .addressNotAvailable):
      self = .usage(
        "--host: \(host) is not an address of this machine; 'ip address' shows those it has, and "
          + "0.0.0.0 is all of them")
    case .cannotListen(let host, let port, let reason):
      self = .output(
        "can't listen at \(host), port \(port): \(reason)"
          + (reason == .addressInUse || reason == .accessDenied
            ? "; --port 0 picks a port that is free" : ""))
    case .refused(let reason): self = .output("can't serve: \(reason)")
    }
  }

  /// The message for a recording that can't start.
  init(_ error: RecorderError) {
    switch error {
    case .unmappable(let error): self.init(error)
    case .unwatchable(let reason):
      self = .output(
        "can't watch folders here: \(reason)"
          + (reason == .tooManyOpen
            ? "; to have more watchers: sysctl \(WatchLimit.watchers.setting(forMore: 1))" : ""))
    case .noThread(let reason):
      self = .output("can't start a thread to watch with: \(reason)")
    }
  }

  /// The message for a sheet that can't be drawn.
  ///
  /// - Parameter folder: The folder to draw, if one is given.
  init(_ error: PosterError, folder: [UInt8]?) {
    let shown = TerminalText.escaped(folder ?? [])
    let message =
      switch error {
      case .noFolder: "no folder '\(shown)' on the map"
      case .noLand: "'\(shown)' is so deep that it has no land; draw a folder around it"
      case .badBox:
        "--bbox needs a box with some extent, and W west of E: a sheet ends at the antimeridian"
      }
    self = .usage(message)
  }

  /// The message for a map that can't be compared.
  init(_ error: any Error, map shown: String) {
    let message =
      switch error {
      case MapReader.Failure.partial:
        "the map '\(shown)' lacks a part of its tree: it was made with a filter or selection"
      case MapReader.Failure.ofStates:
        "the map '\(shown)' is of several states: give the states themselves"
      case MapReader.Failure.fault(let fault):
        "can't use the map '\(shown)': line \(fault.line): \(fault.what)"
      default: "can't read the map '\(shown)': \(error)"
      }
    self = .usage(message)
  }

  /// The message for a site that can't be written.
  init(_ error: SiteFolder.Failure, at path: [UInt8]) {
    let shown = TerminalText.escaped(path)
    switch error {
    case .foreign:
      self = .usage(
        "'\(shown)' holds something else than a site of \(Tool.name): give a folder that is empty, or "
          + "isn't there")
    case .misplaced(let name):
      self = .usage("'\(shown)/\(name)' is not a folder of a site: remove it")
    case .busy:
      self = .output(
        "another \(Tool.name) is writing the site '\(shown)': wait until it has ended, or give another "
          + "folder")
    case .dangling: self = OutputPlace.Fault.danglingLink.failure(shown)
    case .system(.noEntry): self = OutputPlace.Fault.missingParent.failure(shown)
    case .system(.notDirectory): self = .usage("'\(shown)' is not a folder")
    case .system(let reason): self = .output("can't write the site '\(shown)': \(reason)")
    }
  }
}
