import GeoPipeline
import GeoSystem

/// Writes the output of a pipeline, and reports progress.
struct StreamOutput {
  /// The product, for messages.
  let name: String
  let report: Report
  /// Maximum number of nodes; writing fails above it.
  var most = Int.max

  /// Writes all chunks in order; ends the process on failure.
  func drain<Stream: AsyncSequence>(
    _ stream: Stream, into output: OutputFile
  ) async where Stream.Element == MapChunk {
    var nodes = 0
    do {
      for try await chunk in stream {
        if output.isTerminal { report.clearLine() }
        try chunk.withBytes { (bytes) throws(OutputError) in try output.write(bytes) }
        report.add(chunk)
        nodes += chunk.summary.folders + chunk.summary.files
        if nodes > most { throw OutputError.failed(.tooManyNodes(most)) }
      }
      try output.complete()
    } catch {
      // The threads of the pipeline may be busy: don't wait for them.
      report.clearLine()
      output.discard()
      var status = ExitStatus.success
      switch error {
      case OutputError.closedPipe: break
      case OutputError.failed(let failure):
        Messages.show(failure)
        status = failure.status
      default:
        Messages.show(.output("the \(name) is not complete: \(error)"))
        status = .output
      }
      ThisProcess.end(status: status.rawValue)
    }
    report.finish(bytes: output.count)
  }
}

extension Result where Success: Sendable, Failure: Error {
  /// The result of an asynchronous call.
  init(awaiting body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

extension Failure {
  /// The error for a page with more nodes than browsers can show.
  fileprivate static func tooManyNodes(_ most: Int) -> Failure {
    .output(
      "the tree has more than \(most) nodes, too many for one page; use --zoom, "
        + "--max-depth or --bbox to show fewer, or '\(Tool.name) serve'")
  }
}

/// Standard output for a short text; closing it shows whether all was written.
enum StandardOutput {
  /// Prints a text as it is.
  static func print(_ text: String) throws(Failure) {
    try OutputFile.write(Array(text.utf8), to: .standardOutput)
  }
}

extension OutputFile {
  /// Writes bytes.
  static func write(_ bytes: [UInt8], to place: OutputPlace) throws(Failure) {
    try write(to: place) { (output) throws(OutputError) in try output.write(bytes.span) }
  }

  /// Writes a file whole, or leaves the old one.
  ///
  /// - Returns: Whether all of it was written; a reader that closed the pipe is not an error.
  @discardableResult
  static func write(
    to place: OutputPlace, _ body: (OutputFile) throws(OutputError) -> Void
  ) throws(Failure) -> Bool {
    let output = try OutputFile(opening: place)
    do throws(OutputError) {
      try body(output)
      try output.complete()
      return true
    } catch {
      output.discard()
      if case .failed(let failure) = error { throw failure }
      return false
    }
  }
}
