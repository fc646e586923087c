import GeoPipeline
import GeoSystem

/// Writes what a pipeline makes, and tells how it goes.
struct StreamOutput {
  /// What is written, for messages.
  let name: String
  let report: Report
  /// With how many nodes at most; with more it fails.
  var most = Int.max

  /// Writes all chunks in their order. If that fails it ends the process.
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
      // The pipeline's threads may be in the midst of anything: they are not waited for.
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
  /// What comes of something that takes its time.
  init(awaiting body: () async throws(Failure) -> Success) async {
    do throws(Failure) {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}

extension Failure {
  /// What to say when a page would hold more than browsers bear.
  fileprivate static func tooManyNodes(_ most: Int) -> Failure {
    .output(
      "the tree has more than \(most) nodes, too many for one page; use --zoom, "
        + "--max-depth or --bbox to show fewer, or '\(Tool.name) serve'")
  }
}

/// Standard output, for a short text: it is closed after it, to tell whether all was written.
enum StandardOutput {
  /// Prints a text as it is.
  static func print(_ text: String) throws(Failure) {
    try OutputFile.write(Array(text.utf8), to: .standardOutput)
  }
}

extension OutputFile {
  /// Writes bytes that are all there already.
  static func write(_ bytes: [UInt8], to place: OutputPlace) throws(Failure) {
    try write(to: place) { (output) throws(OutputError) in try output.write(bytes.span) }
  }

  /// Writes a file whole, or leaves what was there.
  ///
  /// - Returns: Whether all of it was written: a reader that has closed the pipe is no failure.
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
