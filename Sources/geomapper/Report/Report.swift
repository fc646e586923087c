import GeoCore
import GeoFormats
import GeoPipeline
import GeoSystem
import GeoTree
import GeoWeb

/// Counts the written nodes and faults, and reports progress and a summary.
final class Report: TreeReport {
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
  private var hasListed = false

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

  var preparationListener: FileSystemScanner.PreparationListener? {
    progress?.preparationListener
  }

  var stallListener: FileSystemScanner.StallListener? { progress?.stallListener }

  /// Begins an additional pass of a scan.
  func listener(_ part: String, of total: Int?) -> FileSystemScanner.Listener? {
    progress?.begin(part, of: total)
    hearsScan = true
    return progress?.listener
  }

  /// Begins a part that shows only the time spent.
  func timer(_ part: String) -> @Sendable () -> Void {
    progress?.begin(part)
    return { [progress] in progress?.showTime() }
  }

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
    clearLine()
    Messages.write(
      new.prefix(left).map { "\(Tool.name): \($0.message(whenVanished: "mapped"))\n" }.joined())
  }

  private var leftOut: String {
    let excluded = total.excluded
    if excluded.reasons.isEmpty { return "" }
    let reasons = excluded.reasons.map { "\($0) \(excluded[$0].grouped)" }
    return "\(excluded.total.grouped) left out (\(reasons.joined(separator: ", "))), "
  }

  func clearLine() { progress?.clear() }

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
