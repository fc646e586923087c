import GeoCore
import GeoFormats
import GeoPipeline
import GeoSystem
import GeoTree

/// One run of a command.
///
/// A command names its inputs and its product. The run opens the inputs, shows progress, reports
/// unreadable entries, writes the product whole or not at all, and decides the exit status.
final class Run {
  /// The arguments as they were checked.
  private let given: GivenArguments
  var low: LowArguments
  /// The progress line; nil if progress is off.
  private(set) lazy var progress: Progress? = low.progressLine()
  /// Number of entries that could not be read or used; each was reported.
  private var faults = 0
  /// Whether the reader of the output has closed its pipe.
  private var isClosed = false
  /// A status that overrides the one for faults.
  private var verdict: ExitStatus?
  private var knownPlace: OutputPlace?

  /// Makes a run of a command line that keeps all rules.
  init(_ given: GivenArguments) {
    self.given = given
    low = given.low
  }

  // MARK: Status

  var status: ExitStatus {
    verdict ?? (faults == 0 || isClosed ? .success : .incomplete)
  }

  /// Whether something could not be read or used so far.
  var isIncomplete: Bool { faults > 0 }

  /// Counts entries that could not be read or used; each was reported.
  func add(faults: Int) { self.faults += faults }

  /// Runs a part whose failure is reported, but ends nothing.
  ///
  /// - Parameter loss: What the failure means, for the message.
  /// - Returns: nil if it failed.
  @discardableResult
  func reportingFailure<Value>(_ loss: String, _ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      Messages.note("\(loss): \((error as? Failure)?.message ?? "\(error)")")
      faults += 1
      return nil
    }
  }

  /// Reports that the input ends too early if `fault` is not nil.
  func add(_ fault: (some Error)?, endingEarly file: String) {
    guard let fault else { return }
    Messages.note("\(file) breaks off: \(fault)")
    faults += 1
  }

  /// Ends with success because the reader of the output has closed its pipe.
  func endAsClosed() { isClosed = true }

  /// Ends with this status, even if entries could not be read.
  func end(_ status: ExitStatus) { verdict = status }

  /// Prints a note, unless the user wants none.
  func note(_ text: @autoclosure () -> String) {
    if !low.isQuiet { Messages.note(text()) }
  }

  // MARK: Inputs

  /// The operands after the action.
  var operands: [[UInt8]] { given.operands }

  /// The action; the rules refuse unknown ones.
  func action<Action: RawRepresentable<String>>(or defaultAction: Action) -> Action {
    Action(rawValue: given.action) ?? defaultAction
  }

  /// Opens the sources that operands name.
  ///
  /// - Parameter writesStorage: Whether the output says how entries are stored.
  func inputs(
    _ operands: [[UInt8]], read reading: Inputs.Reading, writesStorage: Bool = false
  ) throws(Failure) -> Inputs {
    let inputs = try Inputs(low, operands, read: reading, writesStorage: writesStorage)
    faults += inputs.faults
    return inputs
  }

  /// Reads trees on the main thread, which is free to make blocking calls.
  ///
  /// - Parameters:
  ///   - part: The name of this part in the progress, if there are several.
  ///   - total: The number of entries, if known.
  ///   - expected: That number, if it is only estimated.
  ///   - body: Reads, and reports unreadable entries to the list.
  func read<Value: Sendable>(
    _ part: String = "", of total: Int? = nil, about expected: ExpectedEntries? = nil,
    _ body: @escaping @Sendable (FaultList) async throws -> Value
  ) throws(Failure) -> Value {
    progress?.begin(part, of: total, about: expected)
    let (value, faults) = try onMainThread { [isQuiet = low.isQuiet, progress] in
      let faults = FaultList(isQuiet: isQuiet, progress)
      let value = try await body(faults)
      faults.finish()
      return (value, faults.count)
    }
    self.faults += faults
    return value
  }

  /// About how many entries there are below folders on a disk; nil without progress.
  func expectedEntries(of roots: [ScanRoot]) -> ExpectedEntries? {
    progress == nil ? nil : ExpectedEntries(of: roots, low)
  }

  // MARK: Product

  /// The format of the product.
  var format: FileFormat { given.format ?? .text }

  /// The format and the place of the product, resolved before reading.
  var product: (format: FileFormat, place: OutputPlace) {
    get throws(Failure) { (format, try place) }
  }

  /// The place of the product.
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
    try write { (output) throws(Failure) in try output.write(bytes.span) }
  }

  /// Writes the product as text.
  func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  /// Writes a report as JSON or as text.
  func write(
    as format: FileFormat, json: @autoclosure () -> [UInt8], text: @autoclosure () -> String
  ) throws(Failure) {
    try write(format == .json ? json() : Array(text().utf8))
  }

  /// Writes the product in pieces; an existing file is replaced only on success.
  ///
  /// - Returns: Whether all of it was written; else the reader has closed the pipe.
  @discardableResult
  func write(_ body: (OutputFile) throws(Failure) -> Void) throws(Failure) -> Bool {
    let place = try place
    Progress.wipe()
    let isWhole = try OutputFile.write(to: place, body)
    if !isWhole { endAsClosed() }
    Progress.wipe()
    return isWhole
  }

  /// Describes a product that was written to a file: as JSON on standard output, or by a note.
  func describe(
    json: @autoclosure () -> [UInt8], note: @autoclosure () -> String?
  ) throws(Failure) {
    if low.format == .json { return try OutputFile.write(json(), to: .standardOutput) }
    if !low.isQuiet, let note = note() { Messages.note(note) }
  }

  /// Runs work on the main thread that reports what it reads while it writes.
  ///
  /// - Parameters:
  ///   - total: The number of nodes to write, if known.
  ///   - expected: That number, if it is only estimated.
  ///   - mode: When to show progress and summary; nil for the options' choice.
  func report<Value: Sendable>(
    to place: OutputPlace? = nil, of total: Int? = nil, about expected: ExpectedEntries? = nil,
    _ mode: ProgressMode? = nil,
    _ body: @escaping @Sendable (Report) async throws -> Value
  ) throws(Failure) -> Value {
    let (mode, isQuiet) = (mode ?? low.progress ?? .auto, low.isQuiet)
    let (value, faults) = try onMainThread {
      let report = Report(
        mode: mode, isQuiet: isQuiet, outputIsTerminal: place?.isTerminal ?? false, total: total,
        expected: expected)
      let value = try await body(report)
      return (value, report.faults)
    }
    self.faults += faults
    return value
  }

  /// Writes the chunks of a stream as they arrive.
  ///
  /// - Parameters:
  ///   - name: The product, for messages.
  ///   - maximum: The number of nodes above which writing fails.
  /// - Returns: The stream, completely written.
  @discardableResult
  func write<Stream: AsyncSequence & Sendable>(
    _ name: String, of total: Int? = nil, about expected: ExpectedEntries? = nil,
    maximum: Int = .max, _ mode: ProgressMode? = nil,
    opening open: @escaping @Sendable (Report) async throws -> Stream
  ) throws(Failure) -> Stream where Stream.Element == MapChunk {
    let place = try place
    return try report(to: place, of: total, about: expected, mode) { report in
      let stream = try await open(report)
      try await StreamOutput(name: name, report: report, maximum: maximum)
        .drain(stream, into: OutputFile(opening: place))
      return stream
    }
  }
}
