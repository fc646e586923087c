import GeoCore
import GeoPipeline
import GeoSystem

final class OutputFile {
  private let place: OutputPlace
  let isTerminal: Bool
  private var descriptor: Descriptor?
  private(set) var count = 0

  init(opening place: OutputPlace) throws(Failure) {
    self.place = place
    isTerminal = place.isTerminal
    descriptor = try rethrowing(Self.open(place)) { place.failure("open", $0) }
  }

  private static func open(_ place: OutputPlace) throws(Errno) -> Descriptor {
    switch place {
    case .standardOutput:
      if !Descriptor.isWritable(Descriptor.standardOutput) { throw .badDescriptor }
      return Descriptor(owning: Descriptor.standardOutput)
    case .inPlace(let target): return try target.folder.openExisting(target.name)
    case .replacing(let target, let permissions, let temporary):
      // Register the name first: a signal may come at any moment.
      target.folder.rememberTemporary(temporary.name)
      do throws(Errno) {
        return try target.file.makeTemporary(temporary.name, permissions: permissions)
      } catch {
        FolderHandle.forgetTemporary()
        throw error
      }
    }
  }

  /// - Throws: `Failure` of the group `closed` if the reader has closed the pipe.
  func write(_ bytes: Span<UInt8>) throws(Failure) {
    try rethrowing(descriptor?.write(bytes)) { place.failure("write", $0) }
    count += bytes.count
  }

  func complete() throws(Failure) {
    try rethrowing(descriptor.take()?.finish()) { place.failure("write", $0) }
    guard case .replacing(let target, _, let temporary) = place else { return }
    try rethrowing(target.folder.rename(temporary.name, to: target.name)) {
      place.failure("replace", $0)
    }
    FolderHandle.forgetTemporary()
  }

  /// Removes the temporary file; output written in place can't be undone.
  func discard() {
    descriptor = nil
    guard case .replacing(let target, _, let temporary) = place else { return }
    try? target.folder.remove(temporary.name)
    FolderHandle.forgetTemporary()
  }

}

extension OutputPlace {
  fileprivate func failure(_ action: String, _ error: Errno) -> Failure {
    if error == .brokenPipe, temporary == nil { return Failure(.closed, "\(error)") }
    switch self {
    case .standardOutput where error == .badDescriptor:
      return .output("standard output is closed; write to a file with --output FILE")
    case .standardOutput: return .output("can't write to standard output: \(error)")
    case .inPlace(let target): return .output("can't \(action) '\(target.shown)': \(error)")
    case .replacing(let target, _, _):
      let file = action == "open" ? "a temporary file next to " : ""
      let verb = action == "open" ? "make" : action
      return .output("can't \(verb) \(file)'\(target.shown)': \(error)")
    }
  }
}

struct StreamOutput {
  let name: String
  let report: Report
  var maximum = Int.max

  /// Writes all chunks in order; ends the process on failure.
  func drain<Stream: AsyncSequence>(
    _ stream: Stream, into output: OutputFile
  ) async where Stream.Element == MapChunk {
    var nodes = 0
    do {
      for try await chunk in stream {
        if output.isTerminal { report.clearLine() }
        try chunk.withBytes { (bytes) throws(Failure) in try output.write(bytes) }
        report.add(chunk)
        nodes += chunk.summary.folders + chunk.summary.files
        if nodes > maximum { throw Failure.tooManyNodes(maximum) }
      }
      try output.complete()
    } catch {
      // The threads of the pipeline may be busy: don't wait for them.
      report.clearLine()
      output.discard()
      let failure = error as? Failure ?? .output("the \(name) is not complete: \(error)")
      Messages.show(failure)
      ThisProcess.end(status: failure.status.rawValue)
    }
    report.finish(bytes: output.count)
  }
}

extension Result where Success: Sendable, Failure: Error {
  init(awaiting body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

extension Failure {
  fileprivate static func tooManyNodes(_ maximum: Int) -> Failure {
    .output(
      "the tree has more than \(maximum) nodes, too many for one page; use --zoom, "
        + "--max-depth or --bbox to show fewer, or '\(Tool.name) serve'")
  }
}

/// Standard output for a short text; closing it shows whether all was written.
enum StandardOutput {
  static func print(_ text: String) throws(Failure) {
    try OutputFile.write(Array(text.utf8), to: .standardOutput)
  }
}

extension OutputFile {
  static func write(_ bytes: [UInt8], to place: OutputPlace) throws(Failure) {
    try write(to: place) { (output) throws(Failure) in try output.write(bytes.span) }
  }

  /// Writes a file whole, or leaves the old one; false if the reader closed the pipe, which is not
  /// an error.
  @discardableResult
  static func write(
    to place: OutputPlace, _ body: (OutputFile) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let output = try OutputFile(opening: place)
    do throws(Failure) {
      try body(output)
      try output.complete()
      return true
    } catch {
      output.discard()
      if error.group != .closed { throw error }
      return false
    }
  }
}
