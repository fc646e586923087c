import GeoFormats
import GeoSources
import GeoCore
import GeoPipeline
import GeoTree
import GeoSystem

/// Keeps count of what was written, and tells people about it.
final class Report {
  /// How many faults are named.
  private static let mostNamed = 100

  let isQuiet: Bool
  private let showsSummary: Bool
  private let progress: Progress?
  private let start = ThisProcess.nanoseconds
  private var total = MapSummary(folders: 0, files: 0, unreadable: 0)

  /// How many entries could not be read, or vanished, or could not be used.
  private(set) var faults = 0
  /// Whether the scan that is under way says by itself how far it is.
  private var hearsScan = false
  /// What is under way, if it is told in thousandths.
  private var part = ""
  /// Whether any of them stands in a list.
  private var hasListed = false

  /// - Parameter total: How many folders and files there are to be written, if that is known.
  init(mode: ProgressMode, isQuiet: Bool, outputIsTerminal: Bool, total: Int? = nil) {
    self.isQuiet = isQuiet
    showsSummary =
      switch mode {
      case .always: true
      case .auto: Terminal.isTerminal(Descriptor.standardError) && !isQuiet
      case .never: false
      }
    progress = Progress(mode, isQuiet: isQuiet, outputIsTerminal: outputIsTerminal)
    progress?.begin(of: total)
  }

  /// What hears how far a list is read, before anything of it is written; nil if that is not shown.
  var preparationListener: FileSystemScanner.PreparationListener? {
    progress?.preparationListener
  }

  /// Begins a pass that a scan makes besides.
  ///
  /// - Returns: What hears how far it is; nil if that is not shown.
  func listener(_ part: String, of total: Int?) -> FileSystemScanner.Listener? {
    progress?.begin(part, of: total)
    hearsScan = true
    return progress?.listener
  }

  /// Begins a part of which nothing is known but how long it takes.
  ///
  /// - Returns: What is called now and then meanwhile.
  func timer(_ part: String) -> @Sendable () -> Void {
    progress?.begin(part)
    return { [progress] in progress?.showTime() }
  }

  /// Takes account of a chunk that was written.
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

  /// Tells how far something is that follows.
  ///
  /// - Parameter thousandths: How much is done; 0 when it begins.
  func show(thousandths: Int, of part: String) {
    if part != self.part {
      self.part = part
      progress?.begin(part)
    }
    progress?.show(done: Double(thousandths) / 1000)
  }

  private func name(_ new: [ScanFault]) {
    let room = max(0, Self.mostNamed - faults)
    faults += new.count
    hasListed = hasListed || new.contains { if case .listed = $0.reason { true } else { false } }
    if isQuiet || room == 0 { return }
    var text = ""
    for fault in new.prefix(room) {
      let reason =
        switch fault.reason {
        case .unreadable(let error): "\(error)"
        case .vanished: "vanished while it was mapped"
        case .listed(let text): text
        }
      text += "\(Tool.name): \(TerminalText.escaped(fault.path)): \(reason)\n"
    }
    clearLine()
    Messages.write(text)
  }

  /// How many entries were left out, if any could be.
  private var leftOut: String {
    let excluded = total.excluded
    if excluded.reasons.isEmpty { return "" }
    let reasons = excluded.reasons.map { "\($0) \(excluded[$0].grouped)" }
    return "\(excluded.total.grouped) left out (\(reasons.joined(separator: ", "))), "
  }

  /// Takes the progress line away, if there is one.
  func clearLine() { progress?.clear() }

  /// Says how it went.
  func finish(bytes: Int) {
    clearLine()
    var text = ""
    if faults > Self.mostNamed, !isQuiet {
      let more = (faults - Self.mostNamed).grouped
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
