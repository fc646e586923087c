import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree
import GeoWeb

/// Messages to the user on standard error; errors in writing them are ignored.
enum Messages {
  /// Writes a text as it is.
  static func write(_ text: String) {
    try? Descriptor.write(Array(text.utf8).span, to: Descriptor.standardError)
  }

  /// Writes a note.
  static func note(_ text: String) {
    Progress.wipe()
    write("\(Tool.name): \(text)\n")
  }

  /// Notes which times the given ones are, where their text doesn't say it in full.
  static func showTimes(_ low: LowArguments) {
    if low.isQuiet { return }
    for time in low.times {
      if let exact = time.exactText { note("\(TerminalText.escaped(time.text)) is \(exact)") }
    }
  }

  /// Writes the error that ends the tool.
  static func show(_ failure: Failure) {
    Progress.wipe()
    var prefix = "\(Tool.name):"
    if Style.hasColor { prefix = "\u{1b}[1;31m\(prefix)\u{1b}[0m" }
    var text = "\(prefix) \(failure.message)\n"
    if let hint = failure.hint { text += "\(hint)\n" }
    write(text)
  }
}

/// The display features of standard error.
enum Style {
  /// Whether it is a terminal on which a line can be rewritten.
  static var canRedraw: Bool { canRedraw(on: Descriptor.standardError) }

  private static func canRedraw(on descriptor: Int32) -> Bool {
    if !Terminal.isTerminal(descriptor) { return false }
    guard let kind = ThisProcess.environment("TERM"), !kind.isEmpty else { return false }
    return !kind.elementsEqual("dumb".utf8)
  }

  /// Whether colours are shown: on such a terminal, unless `NO_COLOR` is set (no-color.org).
  static var hasColor: Bool { hasColor(on: Descriptor.standardError) }

  /// Whether a descriptor shows colours, unless `NO_COLOR` is set.
  static func hasColor(on descriptor: Int32) -> Bool {
    canRedraw(on: descriptor) && (ThisProcess.environment("NO_COLOR") ?? []).isEmpty
  }
}

/// Reports unreadable entries: the first hundred by name.
final class FaultList {
  private static let mostNamed = 100
  private let isQuiet: Bool
  private(set) var count = 0

  private let progress: Progress?
  /// The listener for the progress of a scan; nil if progress is off.
  var listener: FileSystemScanner.Listener? { progress?.listener }

  /// - Parameter progress: The line to clear before a message.
  init(isQuiet: Bool, _ progress: Progress? = nil) {
    self.isQuiet = isQuiet
    self.progress = progress
  }

  func add(_ faults: [ScanFault]) {
    for fault in faults {
      count += 1
      if isQuiet || count > Self.mostNamed { continue }
      let reason =
        switch fault.reason {
        case .unreadable(let error): "\(error)"
        case .vanished: "vanished while it was read"
        case .listed(let text): text
        }
      progress?.clear()
      Messages.note("\(TerminalText.escaped(fault.path)): \(reason)")
    }
  }

  func finish() {
    progress?.clear()
    if !isQuiet, count > Self.mostNamed {
      Messages.note("and \((count - Self.mostNamed).grouped) more")
    }
  }
}

/// The message when folders are opened: what is shown, and what to do next.
enum Greeting {
  /// Three lines; reads only the roots' own listings.
  static func text(for roots: [ScanRoot]) -> String {
    let isLive = roots.contains { $0.source.isLive }
    return """
        \(subject(roots))
        Only what you look at is read\(isLive ? ", and changes show as they come" : "").
        Ctrl-C ends it; '\(Tool.name) -h' lists the other commands.

      """
  }

  /// How other machines reach a server: a QR code of its address if they can, and in an SSH session
  /// the command that makes the user's own machine reach it; empty otherwise.
  static func reach(_ server: Server, at host: String) -> String {
    if server.isOpen { return qrCode(server.address) }
    guard let command = tunnel(to: host, port: server.port) else { return "" }
    return """
        On your own machine run this, then open the address there:
          \(command)

      """
  }

  /// The command that forwards a port of the user's machine to this one; nil outside SSH sessions.
  private static func tunnel(to host: String, port: UInt16) -> String? {
    guard let session = ThisProcess.environment("SSH_CONNECTION") else { return nil }
    let words = session.split(separator: UInt8(ascii: " ")).map { TerminalText.escaped(Array($0)) }
    guard words.count == 4 else { return nil }
    let user = ["USER", "LOGNAME"].lazy.compactMap { ThisProcess.environment($0) }.first
    let name = user.map { TerminalText.escaped($0) + "@" } ?? ""
    let target = host.contains(":") ? "[\(host)]" : host
    let way = words[3] == "22" ? "" : "-p \(words[3]) "
    return "ssh \(way)-L \(port):\(target):\(port) \(name)\(words[2])"
  }

  private static func qrCode(_ address: String) -> String {
    guard let code = QRCode(Array(address.utf8)) else { return "" }
    var lines = code.halfBlocks()
    // White on black, whatever the colours of the terminal are.
    if Style.hasColor(on: Descriptor.standardOutput) {
      lines = lines.map { "\u{1b}[97;40m\($0)\u{1b}[0m" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func subject(_ roots: [ScanRoot]) -> String {
    guard let root = roots.first, roots.count == 1 else {
      let labels = roots.map { TerminalText.escaped($0.label) }
      return "A map of \(roots.count) folders: \(labels.joined(separator: ", "))."
    }
    let path = (try? ThisProcess.realPath(root.directory)) ?? root.directory
    return "A map of \(TerminalText.escaped(path)): \(contents(of: root))."
  }

  private static func contents(of root: ScanRoot) -> String {
    let listing = root.listing
    if case .unreadable(let error) = listing.failure { return "can't be listed: \(error)" }
    let (files, folders) = (listing.files, listing.folders)
    if files.isEmpty, folders.isEmpty { return "it is empty" }
    return "\(Quantity.count(folders.count, "folder")) and \(Quantity.count(files.count, "file")) "
      + "at the top"
  }
}

/// Pads a text with spaces to a width, with at least one space.
func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

/// Counts the written nodes and faults, and reports progress and a summary.
final class Report: TreeReport {
  /// Number of faults that are reported by name.
  private static let mostNamed = 100

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

  /// - Parameter total: The number of nodes to write, if known.
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

  /// The listener for the progress of reading a list; nil if progress is off.
  var preparationListener: FileSystemScanner.PreparationListener? {
    progress?.preparationListener
  }

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

extension JSONBuilder {
  /// Makes a line with an object.
  static func line(_ members: (inout JSONBuilder) -> Void) -> [UInt8] {
    var json = JSONBuilder()
    json.object(members)
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Adds a time in RFC 3339 format, to the second.
  mutating func member(_ name: String, moment seconds: Int64) {
    member(name, text: Array(CivilTime.text(unixSeconds: seconds).utf8))
  }
}
