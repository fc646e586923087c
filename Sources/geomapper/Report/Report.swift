import GeoCore
import GeoFormats
import GeoPipeline
import GeoSystem
import GeoTree
import GeoWeb

/// Counts the written nodes and faults, and reports progress and a summary.
final class Report: TreeReport {
  /// Number of faults that are reported by name.
  private static let maximumNamed = 100

  let isQuiet: Bool
  private let showsSummary: Bool
  private let progress: Progress?
  private let start = ThisProcess.nanoseconds
  private var total = MapSummary(folders: 0, files: 0, unreadable: 0)

  /// Number of entries that could not be read or used, or vanished.
  private(set) var faults = 0
  /// Whether the current scan reports its own progress.
  private var hearsScan = false
  /// The name of the current part, if its progress is in thousandths.
  private var part = ""
  /// Whether a fault came from a list.
  private var hasListed = false

  /// - Parameters:
  ///   - total: The number of nodes to write, if known.
  ///   - expected: That number, if it is only estimated.
  init(
    mode: ProgressMode, isQuiet: Bool, outputIsTerminal: Bool, total: Int? = nil,
    expected: ExpectedEntries? = nil
  ) {
    self.isQuiet = isQuiet
    showsSummary =
      switch mode {
      case .always: true
      case .auto: Terminal.isTerminal(Descriptor.standardError) && !isQuiet
      case .never: false
      }
    progress = Progress(mode, isQuiet: isQuiet, outputIsTerminal: outputIsTerminal)
    progress?.begin(of: total, about: expected)
  }

  /// The listener for the progress of reading a list; nil if progress is off.
  var preparationListener: FileSystemScanner.PreparationListener? {
    progress?.preparationListener
  }

  /// The listener for folders that don't answer; nil if progress is off.
  var stallListener: FileSystemScanner.StallListener? { progress?.stallListener }

  /// Begins an additional pass of a scan.
  ///
  /// - Returns: The listener for its progress; nil if progress is off.
  func listener(_ part: String, of total: Int?) -> FileSystemScanner.Listener? {
    progress?.begin(part, of: total)
    hearsScan = true
    return progress?.listener
  }

  /// Begins a part that shows only the time spent.
  ///
  /// - Returns: A closure to call now and then.
  func timer(_ part: String) -> @Sendable () -> Void {
    progress?.begin(part)
    return { [progress] in progress?.showTime() }
  }

  /// Counts a written chunk.
  func add(_ chunk: MapChunk) {
    total += chunk.summary
    if !chunk.faults.isEmpty { name(chunk.faults) }
    if let counted = chunk.counted {
      if !hearsScan { progress?.show(counted, at: chunk.place, of: "first pass: ") }
    } else {
      if hearsScan { progress?.begin() }
      hearsScan = false
      progress?.show(total, at: chunk.place)
    }
  }

  /// Shows the progress of a part.
  ///
  /// - Parameter thousandths: The finished share; 0 at the start.
  func show(thousandths: Int, of part: String) {
    if part != self.part {
      self.part = part
      progress?.begin(part)
    }
    progress?.show(done: Double(thousandths) / 1000)
  }

  private func name(_ new: [ScanFault]) {
    let left = max(0, Self.maximumNamed - faults)
    faults += new.count
    hasListed = hasListed || new.contains { if case .listed = $0.reason { true } else { false } }
    if isQuiet || left == 0 { return }
    var text = ""
    for fault in new.prefix(left) {
      let reason =
        switch fault.reason {
        case .unreadable(let error): "\(error)"
        case .vanished: "vanished while it was mapped"
        case .listed(let text): text
        }
      text += "\(Tool.name): \(TerminalText.escaped(fault.rawPath)): \(reason)\n"
    }
    clearLine()
    Messages.write(text)
  }

  /// The number of excluded entries by reason, if any could be excluded.
  private var leftOut: String {
    let excluded = total.excluded
    if excluded.reasons.isEmpty { return "" }
    let reasons = excluded.reasons.map { "\($0) \(excluded[$0].grouped)" }
    return "\(excluded.total.grouped) left out (\(reasons.joined(separator: ", "))), "
  }

  /// Clears the progress line, if there is one.
  func clearLine() { progress?.clear() }

  /// Writes the summary.
  func finish(bytes: Int) {
    clearLine()
    var text = ""
    if faults > Self.maximumNamed, !isQuiet {
      let more = (faults - Self.maximumNamed).grouped
      text +=
        "\(Tool.name): \(more) more could not be \(hasListed ? "used" : "read or vanished"), "
        + "\(faults.grouped) in all\n"
    }
    if showsSummary {
      let elapsed = ThisProcess.nanoseconds - start
      text +=
        "\(Tool.name): " + Quantity.count(total.folders, "folder") + ", "
        + Quantity.count(total.files, "file") + ", "
        + "\(total.unreadable.grouped) unreadable, " + leftOut
        + Quantity.seconds(nanoseconds: elapsed) + ", " + Quantity.bytes(bytes) + "\n"
    }
    if !text.isEmpty { Messages.write(text) }
  }
}
