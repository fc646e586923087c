import GeoCore
import GeoPipeline
import GeoTree

/// One run of a command.
///
/// A command names its inputs and its product. The run opens the inputs, shows progress, reports
/// unreadable entries, writes the product whole or not at all, and decides the exit status.
final class Run {
  private let given: GivenArguments
  var low: LowArguments
  /// The progress line; nil if progress is off.
  private(set) lazy var progress: Progress? = low.progressLine()
  /// Number of entries that could not be read or used; each was reported.
  private var faults = 0
  private var isClosed = false
  /// A status that overrides the one for faults.
  private var verdict: ExitStatus?
  private var knownPlace: OutputPlace?

  init(_ given: GivenArguments) {
    self.given = given
    low = given.low
  }

  // MARK: Status

  var status: ExitStatus {
    verdict ?? (faults == 0 || isClosed ? .success : .incomplete)
  }

  var isIncomplete: Bool { faults > 0 }

  func add(faults: Int) { self.faults += faults }

  /// Runs a part whose failure is reported, but ends nothing; nil if it failed.
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

  func endAsClosed() { isClosed = true }

  func end(_ status: ExitStatus) { verdict = status }

  func note(_ text: @autoclosure () -> String) {
    if !low.isQuiet { Messages.note(text()) }
  }

  // MARK: Inputs

  var operands: [[UInt8]] { given.operands }

  /// The action; the rules refuse unknown ones.
  func action<Action: RawRepresentable<String>>(or defaultAction: Action) -> Action {
    Action(rawValue: given.action) ?? defaultAction
  }

  /// Opens the sources that operands name; `writesStorage` says that the output shows how entries
  /// are stored.
  func inputs(
    _ operands: [[UInt8]], read reading: Inputs.Reading, writesStorage: Bool = false
  ) throws(Failure) -> Inputs {
    let inputs = try Inputs(low, operands, read: reading, writesStorage: writesStorage)
    faults += inputs.faults
    return inputs
  }

  /// Reads trees on the main thread, which is free to make blocking calls.
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

  /// The totals of all folders of some trees.
  func totals(
    _ part: String = "", of roots: [ScanRoot], _ options: FileSystemScanner.Options,
    layers: LayerSet? = nil
  ) throws(Failure) -> TreeTotals {
    try read(part, of: roots.entryCount) { faults in
      try await TreeTotals.all(
        of: roots, options: options.heard(by: faults.progress), layers: layers
      ) { faults.add($0) }
    }
  }

  /// About how many entries there are below folders on a disk; nil without progress.
  func expectedEntries(of roots: [ScanRoot]) -> ExpectedEntries? {
    progress == nil ? nil : ExpectedEntries(of: roots, low)
  }

  // MARK: Product

  var format: FileFormat { given.format ?? .text }

  /// The format and the place of the product, resolved before reading.
  var product: (format: FileFormat, place: OutputPlace) {
    get throws(Failure) { (format, try place) }
  }

  var place: OutputPlace {
    get throws(Failure) {
      if let knownPlace { return knownPlace }
      let place = try low.place
      knownPlace = place
      return place
    }
  }

  func write(_ bytes: [UInt8]) throws(Failure) {
    try write { (output) throws(Failure) in try output.write(bytes.span) }
  }

  func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  func write(
    as format: FileFormat, json: @autoclosure () -> [UInt8], text: @autoclosure () -> String
  ) throws(Failure) {
    try write(format == .json ? json() : Array(text().utf8))
  }

  /// Writes the product in pieces; an existing file is replaced only on success. False if the
  /// reader has closed the pipe.
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

  /// Writes the chunks of a stream as they arrive; fails above a maximum of nodes.
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
