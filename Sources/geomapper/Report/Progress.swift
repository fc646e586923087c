import GeoCore
import GeoFormats
import GeoPipeline
import GeoSources
import GeoSystem
import GeoTree
import Synchronization

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
    /// How many things are done, where they are counted.
    var count = 0
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
      (state.part, state.total, state.start) = (part, total, now)
      (state.reach, state.count) = (ScanReach(), 0)
    }
  }

  /// Says how many there are in the part under way, as soon as that is known.
  func expect(_ total: Int) { state.withLock { $0.total = total } }

  /// Hears how far a list is read.
  var preparationListener: FileSystemScanner.PreparationListener {
    { [self] done, bytes in show(done: done, bytes: bytes, of: "list: ") }
  }

  /// Begins a part in which a file is read, and shows how far that is.
  ///
  /// - Parameter times: How often all of it is read.
  func begin(_ part: String = "", reading file: InputFile, times: Int = 1) {
    begin(part)
    let all = file.size.map { Double($0) * Double(times) }
    file.tellReach { [self] bytes in
      show(done: all.map { Double(bytes) / max(1, $0) }, bytes: bytes)
    }
  }

  /// Hears how far a scan is.
  var listener: FileSystemScanner.Listener {
    { [self] reach, place in
      let all = state.withLock { state in
        state.reach += reach
        return state.reach
      }
      show(
        MapSummary(folders: all.folders, files: all.files, unreadable: 0), done: all.entries,
        at: place)
    }
  }

  /// Shows the counts so far and the folder it is at, if the last time was long enough ago.
  ///
  /// - Parameters:
  ///   - done: How many of the part's total are done; nil if these are.
  ///   - prefix: What stands before them.
  func show(
    _ total: MapSummary, done: Int? = nil, at place: [UInt8], of prefix: String = ""
  ) {
    show { state, now in
      let elapsed = now - state.start
      let count = total.folders + total.files
      let rate = Int(Double(count) / (Double(max(1, elapsed)) / 1e9))
      let share = state.total.map {
        TimeLeft.text(done: Double(done ?? count) / Double(max(1, $0)), elapsed: elapsed) + ", "
      }
      return prefix + Quantity.count(total.folders, "folder") + ", "
        + Quantity.count(total.files, "file") + ", " + (share ?? "") + "\(rate.grouped)/s, "
        + TerminalText.escaped(place)
    }
  }

  /// Shows how many things are done, if the last time was long enough ago.
  func show(_ count: Int, _ thing: String) {
    state.withLock { $0.count = count }
    showCount(thing)
  }

  /// Shows again how many things are done.
  func showCount(_ thing: String) {
    show { state, now in
      let share = state.total.map {
        ", "
          + TimeLeft.text(
            done: Double(state.count) / Double(max(1, $0)), elapsed: now - state.start)
      }
      return Quantity.count(state.count, thing) + (share ?? "")
    }
  }

  /// Shows what part of the part under way is done, 0 to 1.
  ///
  /// - Parameter prefix: What stands before it.
  func show(done: Double, of prefix: String = "") {
    show { state, now in prefix + TimeLeft.text(done: done, elapsed: now - state.start) }
  }

  /// Shows what part of the part under way is done, or how many bytes where it is not known of how many.
  private func show(done: Double?, bytes: Int64, of prefix: String = "") {
    if let done { return show(done: done, of: prefix) }
    show { _, _ in prefix + Quantity.bytes(Int(clamping: bytes)) }
  }

  /// Shows how long the part under way has taken, of which nothing else is known.
  func showTime() {
    show { state, now in "\((now - state.start) / 1_000_000_000) s" }
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

extension [[ScanRoot]] {
  /// How many folders and files there are below the roots of all states, if that is known beforehand.
  var entryCount: Int? {
    var sum = 0
    for roots in self {
      guard let count = roots.entryCount else { return nil }
      sum += count
    }
    return sum
  }
}

extension MapRequest {
  /// How many nodes there will be, if that is known beforehand.
  var knownCount: Int? {
    filter.isActive || selection.isActive || shard != nil ? nil : roots.entryCount
  }
}
