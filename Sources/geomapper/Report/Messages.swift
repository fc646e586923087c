import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree
import Synchronization

/// What the tool says to people, on standard error. Nobody needs to be able to read it: that it
/// is closed or full does no harm.
enum Messages {
  /// Writes a text as it is.
  static func write(_ text: String) {
    try? Descriptor.write(Array(text.utf8).span, to: Descriptor.standardError)
  }

  /// Says something that is good to know.
  static func note(_ text: String) {
    Progress.wipe()
    write("\(Tool.name): \(text)\n")
  }

  /// Says what options that were given by names from before are called now, to people alone.
  static func showNames(_ low: LowArguments) {
    if low.isQuiet || !Terminal.isTerminal(Descriptor.standardError) { return }
    for (index, name) in low.renamed.enumerated()
    where !low.renamed[..<index].contains(where: { $0 == name }) {
      note("'\(name.old)' is now '\(name.new)'")
    }
  }

  /// Says why the tool gives up.
  static func show(_ failure: Failure) {
    Progress.wipe()
    var prefix = "\(Tool.name):"
    if Style.hasColor { prefix = "\u{1b}[1;31m\(prefix)\u{1b}[0m" }
    var text = "\(prefix) \(failure.message)\n"
    if let hint = failure.hint { text += "\(hint)\n" }
    write(text)
  }
}

/// What standard error can show.
enum Style {
  /// Whether it is a terminal on which a line can be written over.
  static var canRedraw: Bool { canRedraw(on: Descriptor.standardError) }

  private static func canRedraw(on descriptor: Int32) -> Bool {
    if !Terminal.isTerminal(descriptor) { return false }
    guard let kind = ThisProcess.environment("TERM"), !kind.isEmpty else { return false }
    return !kind.elementsEqual("dumb".utf8)
  }

  /// Whether it shows colours, and nobody has asked not to (no-color.org).
  static var hasColor: Bool { hasColor(on: Descriptor.standardError) }

  /// Whether what is written to a descriptor is shown in colours, and nobody has asked not to.
  static func hasColor(on descriptor: Int32) -> Bool {
    canRedraw(on: descriptor) && (ThisProcess.environment("NO_COLOR") ?? []).isEmpty
  }
}

/// Names what could not be read, the first hundred.
final class FaultList {
  private static let mostNamed = 100
  private let isQuiet: Bool
  private(set) var count = 0

  private let progress: Progress?

  /// - Parameter progress: The line that is wiped before anything else is written.
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

/// What is said when folders are opened: what they are, and what can be done.
enum Greeting {
  /// Three lines. Only the roots' own listings are read.
  static func text(for roots: [ScanRoot]) -> String {
    """
      \(subject(roots))
      Only what you look at is read, and changes show as they come.
      Ctrl-C ends it; '\(Tool.name) -h' tells what else there is.

    """
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
    if case .unreadable(let error) = listing.failure { return "it can't be listed: \(error)" }
    let (files, folders) = (listing.files, listing.folders)
    if files.isEmpty, folders.isEmpty { return "it is empty" }
    return "\(Quantity.count(folders.count, "folder")) and \(Quantity.count(files.count, "file")) "
      + "at the top"
  }
}

/// Numbers as people read them.
enum Quantity {
  /// A number of things, `1 file` or `1,000 files`.
  static func count(_ number: Int, _ thing: String) -> String {
    "\(number.grouped) \(thing)\(number == 1 ? "" : "s")"
  }

  /// Bytes in powers of a thousand, with one decimal.
  static func bytes(_ number: Int) -> String {
    if number < 1000 { return count(number, "byte") }
    var tenths = number / 100
    for unit in ["kB", "MB", "GB", "TB"] {
      if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
      tenths /= 1000
    }
    return "\((tenths / 10).grouped).\(tenths % 10) PB"
  }

  /// A time span with hundredths of seconds.
  static func seconds(nanoseconds: Int64) -> String {
    let hundredths = Int(nanoseconds / 10_000_000)
    let fraction = hundredths % 100
    return "\((hundredths / 100).grouped).\(fraction < 10 ? "0" : "")\(fraction) s"
  }
}

/// A text with spaces after it up to a width, and one at least.
func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

/// Shows how far a command is: a line that is written over on a terminal, a line a second elsewhere.
///
/// All commands show it in one way. Any thread may call it.
final class Progress: Sendable {
  private let redraws: Bool
  private let interval: Int64
  private let state: Mutex<State>
  /// Whether the terminal shows a line that has to go before anything else is written.
  private static let isShown = Atomic<Bool>(false)

  private struct State {
    /// When the part under way began.
    var start: Int64
    /// When a line may be shown next.
    var next: Int64
    /// What the part under way is called; empty if there is only one.
    var part = ""
    /// How many folders and files there are in it, if that is known.
    var total: Int?
    var reach = ScanReach()
  }

  /// - Returns: nil if nothing is to be shown.
  ///
  /// - Parameter outputIsTerminal: Whether what is written is shown on a terminal meanwhile.
  init?(_ mode: ProgressMode, isQuiet: Bool, outputIsTerminal: Bool = false) {
    // A line that comes and goes needs a terminal that can, and is in the way amid the output.
    redraws = Style.canRedraw
    switch mode {
    case .always: break
    case .auto: if !redraws || isQuiet || outputIsTerminal { return nil }
    case .never: return nil
    }
    interval = redraws ? 100_000_000 : 1_000_000_000
    let now = ThisProcess.nanoseconds
    state = Mutex(State(start: now, next: now + interval))
  }

  /// Begins a part of what is to be done.
  ///
  /// - Parameter total: How many folders and files there are in it, if that is known.
  func begin(_ part: String = "", of total: Int? = nil) {
    let now = ThisProcess.nanoseconds
    state.withLock { state in
      (state.part, state.total, state.reach, state.start) = (part, total, ScanReach(), now)
    }
  }

  /// Says how many there are in the part under way, as soon as that is known.
  func expect(_ total: Int) { state.withLock { $0.total = total } }

  /// Hears how far a list is read.
  var listListener: ListListener {
    ListListener { [self] done, bytes in
      if let done {
        show(done: done, of: "list: ")
      } else {
        show { _, _ in "list: " + Quantity.bytes(Int(clamping: bytes)) }
      }
    }
  }

  /// Hears how far a scan is.
  var listener: FileSystemScanner.Listener {
    { [self] reach, place in
      let all = state.withLock { state in
        state.reach += reach
        return state.reach
      }
      show(MapSummary(folders: all.folders, files: all.files, unreadable: 0), at: place)
    }
  }

  /// Shows the counts so far and the folder it is at, if the last time was long enough ago.
  ///
  /// - Parameter prefix: What stands before them.
  func show(_ total: MapSummary, at place: [UInt8], of prefix: String = "") {
    show { state, now in
      let elapsed = now - state.start
      let count = total.folders + total.files
      let rate = Int(Double(count) / (Double(max(1, elapsed)) / 1e9))
      let share = state.total.map {
        TimeLeft.text(done: Double(count) / Double(max(1, $0)), elapsed: elapsed) + ", "
      }
      return prefix + Quantity.count(total.folders, "folder") + ", "
        + Quantity.count(total.files, "file") + ", " + (share ?? "") + "\(rate.grouped)/s, "
        + TerminalText.escaped(place)
    }
  }

  /// Shows how many things are done, if the last time was long enough ago.
  func show(_ count: Int, _ thing: String) {
    show { state, now in
      let share = state.total.map {
        ", " + TimeLeft.text(done: Double(count) / Double(max(1, $0)), elapsed: now - state.start)
      }
      return Quantity.count(count, thing) + (share ?? "")
    }
  }

  /// Shows what part of the part under way is done, 0 to 1.
  ///
  /// - Parameter prefix: What stands before it.
  func show(done: Double, of prefix: String = "") {
    show { state, now in prefix + TimeLeft.text(done: done, elapsed: now - state.start) }
  }

  private func show(_ line: (State, Int64) -> String) {
    let now = ThisProcess.nanoseconds
    let text: String? = state.withLock { state in
      if now < state.next { return nil }
      state.next = now + interval
      return (state.part.isEmpty ? "" : "\(state.part): ") + line(state, now)
    }
    guard let text else { return }
    if redraws {
      Self.isShown.store(true, ordering: .relaxed)
      Terminal.setLineShown(true)
      // One column is left free: some terminals begin a new line after the last one.
      Messages.write("\r\(Self.fit(text, columns: (Terminal.width ?? 80) - 1))\u{1b}[K")
    } else {
      Messages.write("\(Tool.name): \(text)\n")
    }
  }

  /// Wipes the line.
  func clear() { Self.wipe() }

  /// Wipes the line of any progress, so that a message doesn't stand beside it.
  static func wipe() {
    if !isShown.exchange(false, ordering: .relaxed) { return }
    Messages.write("\r\u{1b}[K")
    Terminal.setLineShown(false)
  }

  /// As much of a text as fits into some columns, `...` in place of the rest.
  static func fit(_ text: String, columns: Int) -> String {
    var fitting = ""
    var short = ""
    var used = 0
    for scalar in text.unicodeScalars {
      // Whatever may be wide counts as wide: better too short a line than one that wraps.
      let width = scalar.value < 0x1100 ? 1 : 2
      if used + width > columns { return short + String("...".prefix(max(0, columns))) }
      if used + width <= columns - 3 { short.unicodeScalars.append(scalar) }
      used += width
      fitting.unicodeScalars.append(scalar)
    }
    return fitting
  }
}

extension LowArguments {
  /// What shows how far the command is; nil if nothing is to be shown.
  ///
  /// - Parameter place: Where the output goes meanwhile; nil if it comes at the end.
  func progressLine(beside place: OutputPlace? = nil) -> Progress? {
    Progress(progress ?? .auto, isQuiet: isQuiet, outputIsTerminal: place?.isTerminal ?? false)
  }
}

extension [ScanRoot] {
  /// How many folders and files there are below all of them, if that is known beforehand.
  var entryCount: Int? {
    var sum = 0
    var counted: Set<ObjectIdentifier> = []
    for root in self {
      guard root.names.isEmpty, root.isEntered, let count = root.source.entryCount else {
        return nil
      }
      // Several roots of one snapshot have one count.
      if counted.insert(ObjectIdentifier(root.source.whole)).inserted { sum += count }
    }
    return isEmpty ? nil : sum
  }
}

extension MapRequest {
  /// How many nodes there will be, if that is known beforehand.
  var knownCount: Int? {
    filter.isActive || selection.isActive || deed != nil || list != nil ? nil : roots.entryCount
  }
}
