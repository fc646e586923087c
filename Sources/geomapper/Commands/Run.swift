import GeoCore
import GeoFormats
import GeoPipeline
import GeoSystem
import GeoTree

/// One run of a command.
///
/// A command says what it reads, what it makes of that, and in which form. The run opens the inputs, shows the progress,
/// names what can't be read, writes the product whole or not at all, and knows the exit status.
final class Run {
  let command: Command.Name
  var low: LowArguments
  /// Shows how far the run is; nil if nothing is to be shown.
  private(set) lazy var progress: Progress? = low.progressLine()
  /// How many entries could not be read or used; each was reported.
  private var faults = 0
  /// Whether the reader of the output has closed its pipe.
  private var isClosed = false
  /// The status that stands whatever else happens.
  private var verdict: ExitStatus?
  private var knownPlace: OutputPlace?

  init(_ command: Command.Name, _ low: LowArguments) {
    self.command = command
    self.low = low
  }

  // MARK: Status

  var status: ExitStatus {
    verdict ?? (faults == 0 || isClosed ? .success : .incomplete)
  }

  /// Counts entries that could not be read or used, each of which was reported.
  func add(faults: Int) { self.faults += faults }

  /// Reports that the input ends too early, if it does.
  func add(_ fault: (some Error)?, endingEarly file: String) {
    guard let fault else { return }
    Messages.note("\(file) breaks off: \(fault)")
    faults += 1
  }

  /// Ends well, whatever could not be read: the reader of the output has closed its pipe.
  func endAsClosed() { isClosed = true }

  /// Ends with a status, whatever could not be read.
  func end(_ status: ExitStatus) { verdict = status }

  /// Adds a remark, unless the user wants none.
  func note(_ text: @autoclosure () -> String) {
    if !low.isQuiet { Messages.note(text()) }
  }

  // MARK: Inputs

  /// Opens the sources that operands name.
  func inputs(_ operands: [[UInt8]], read reading: Inputs.Reading) throws(Failure) -> Inputs {
    let inputs = try Inputs(low, operands, read: reading)
    faults += inputs.faults
    return inputs
  }

  /// Reads trees, on the main thread, which waits anyway: it makes the calls that block.
  ///
  /// - Parameters:
  ///   - part: What the progress calls it, if there is more than one part.
  ///   - total: How many entries there are, if that is known.
  ///   - body: Reports what can't be read to the list.
  func read<Value: Sendable>(
    _ part: String = "", of total: Int? = nil,
    _ body: @escaping @Sendable (FaultList) async throws -> Value
  ) throws(Failure) -> Value {
    progress?.begin(part, of: total)
    let (value, faults) = try onMainThread { [isQuiet = low.isQuiet, progress] in
      let faults = FaultList(isQuiet: isQuiet, progress)
      let value = try await body(faults)
      faults.finish()
      return (value, faults.count)
    }
    self.faults += faults
    return value
  }

  // MARK: Product

  /// The format of the product: that of `--format`, else the one that the name of the file implies, else the
  /// command's usual one.
  var format: FileFormat {
    get throws(Failure) { try low.format(of: command) }
  }

  /// The format of the product, and where it goes: both are known before anything is read.
  var product: (format: FileFormat, place: OutputPlace) {
    get throws(Failure) { (try format, try place) }
  }

  /// Where the product goes.
  var place: OutputPlace {
    get throws(Failure) {
      if let knownPlace { return knownPlace }
      let place = try low.place
      knownPlace = place
      return place
    }
  }

  /// Writes the product.
  func write(_ bytes: [UInt8]) throws(Failure) {
    try write { (output) throws(OutputError) in try output.write(bytes.span) }
  }

  /// Writes the product, a text.
  func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  /// Writes the product piece by piece: the whole of it, or what was there stays.
  func write(_ body: (OutputFile) throws(OutputError) -> Void) throws(Failure) {
    let place = try place
    Progress.wipe()
    if try !OutputFile.write(to: place, body) { endAsClosed() }
    Progress.wipe()
  }

  /// Does something on the main thread that reports what it reads while it writes.
  ///
  /// - Parameters:
  ///   - total: How many nodes there are to be written, if that is known.
  ///   - mode: When to show progress and summary; nil for what the options say.
  func report<Value: Sendable>(
    to place: OutputPlace? = nil, of total: Int? = nil, _ mode: ProgressMode? = nil,
    _ body: @escaping @Sendable (Report) async throws -> Value
  ) throws(Failure) -> Value {
    let (mode, isQuiet) = (mode ?? low.progress ?? .auto, low.isQuiet)
    let (value, faults) = try onMainThread {
      let report = Report(
        mode: mode, isQuiet: isQuiet, outputIsTerminal: place?.isTerminal ?? false, total: total)
      let value = try await body(report)
      return (value, report.faults)
    }
    self.faults += faults
    return value
  }

  /// Writes the chunks of a stream as they are made.
  ///
  /// - Parameters:
  ///   - name: The product, for messages.
  ///   - most: The number of nodes above which writing fails.
  /// - Returns: The stream, all of which was written.
  @discardableResult
  func write<Stream: AsyncSequence & Sendable>(
    _ name: String, of total: Int? = nil, most: Int = .max, _ mode: ProgressMode? = nil,
    opening open: @escaping @Sendable (Report) async throws -> Stream
  ) throws(Failure) -> Stream where Stream.Element == MapChunk {
    let place = try place
    return try report(to: place, of: total, mode) { report in
      let stream = try await open(report)
      try await StreamOutput(name: name, report: report, most: most)
        .drain(stream, into: OutputFile(opening: place))
      return stream
    }
  }
}
