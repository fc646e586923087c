import GeoCore
import GeoFormats
import GeoPipeline
import GeoSystem
import GeoTree
import Synchronization

/// Shows the progress of a command: a line rewritten in place on a terminal, a line each second
/// elsewhere.
///
/// All commands use it. It may be called from any thread.
final class Progress: Sendable {
  private let redraws: Bool
  private let interval: Int64
  private let state: Mutex<State>
  /// Whether the terminal shows a line that must be cleared before other output.
  private static let isShown = Atomic<Bool>(false)

  private struct State {
    var start: Int64
    /// The earliest time of the next line.
    var next: Int64
    var part = ""
    var total: Int?
    /// What says so, if it is estimated; else empty.
    var basis = ""
    var reach = ScanReach()
    var count = 0
  }

  /// nil if progress is off. The output may go to a terminal at the same time.
  init?(_ mode: ProgressMode, isQuiet: Bool, outputIsTerminal: Bool = false) {
    // The line needs a terminal that can rewrite it, without other output in between.
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

  /// Begins a part of the work; `expected` is used if its total is only estimated.
  func begin(_ part: String = "", of total: Int? = nil, about expected: ExpectedEntries? = nil) {
    let now = ThisProcess.nanoseconds
    state.withLock { state in
      (state.part, state.total, state.start) = (part, total ?? expected?.count, now)
      state.basis = total == nil ? expected.map { "about, by \($0.basis), " } ?? "" : ""
      (state.reach, state.count) = (ScanReach(), 0)
    }
  }

  func expect(_ total: Int) { state.withLock { $0.total = total } }

  var preparationListener: FileSystemScanner.PreparationListener {
    { [self] done, bytes in show(done: done, bytes: bytes, of: "list: ") }
  }

  /// Begins a part that reads a file so often, and shows its progress.
  func begin(_ part: String = "", reading file: InputFile, times: Int = 1) {
    begin(part)
    let all = file.size.map { Double($0) * Double(times) }
    file.reportReads { [self] bytes in
      show(done: all.map { min(1, Double(bytes) / max(1, $0)) }, bytes: bytes)
    }
  }

  var listener: FileSystemScanner.Listener {
    { [self] reach, place in
      let all = state.withLock { state in
        state.reach += reach
        return state.reach
      }
      show(
        MapSummary(folders: all.folders, files: all.files, unreadable: 0), done: all.entries,
        known: all.known, at: place)
    }
  }

  var stallListener: FileSystemScanner.StallListener {
    { [self] path, seconds in
      show { _, _ in "no answer from \(path.shown) for \(seconds) s" }
    }
  }

  /// Shows the counts and the current folder, if enough time has passed: `done` entries of the
  /// part's total, if they are not the counts, and the number of known folders, so that there are
  /// more to read.
  func show(
    _ total: MapSummary, done: Int? = nil, known: Int = 0, at place: [UInt8],
    of prefix: String = ""
  ) {
    show { state, now in
      let elapsed = now - state.start
      let count = total.folders + total.files
      let rate = Int(Double(count) / (Double(max(1, elapsed)) / 1e9))
      let share = state.total.map {
        TimeLeft.text(done: Double(done ?? count) / Double(max(1, $0)), elapsed: elapsed) + ", "
          + state.basis
      }
      let files = Quantity.count(total.files, "file")
      let counts =
        known > total.folders
        ? "at least \(files), \(total.folders.grouped) of \(known.grouped) known folders read"
        : Quantity.count(total.folders, "folder") + ", " + files
      return prefix + counts + ", " + (share ?? "") + "\(rate.grouped)/s, " + place.shown
    }
  }

  func show(_ count: Int, _ thing: String) {
    state.withLock { $0.count = count }
    showCount(thing)
  }

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

  /// Shows the finished share of the part, 0 to 1.
  func show(done: Double, of prefix: String = "") {
    show { state, now in prefix + TimeLeft.text(done: done, elapsed: now - state.start) }
  }

  private func show(done: Double?, bytes: Int64, of prefix: String = "") {
    if let done { return show(done: done, of: prefix) }
    show { _, _ in prefix + Quantity.bytes(Int(clamping: bytes)) }
  }

  /// Shows the time spent on the part, if nothing else is known.
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
    if redraws { Self.redraw(text) } else { Messages.write("\(Tool.name): \(text)\n") }
  }

  /// Rewrites the line on the terminal.
  static func redraw(_ text: String) {
    isShown.store(true, ordering: .relaxed)
    Terminal.setLineShown(true)
    // Leave one column free: some terminals wrap after the last one.
    Messages.write("\r\(fit(text, columns: (Terminal.width ?? 80) - 1))\u{1b}[K")
  }

  func clear() { Self.wipe() }

  /// Clears the line of any progress before a message is written.
  static func wipe() {
    if !isShown.exchange(false, ordering: .relaxed) { return }
    Messages.write("\r\u{1b}[K")
    Terminal.setLineShown(false)
  }

  /// Shortens a text to a number of columns, with `...` at the end.
  private static func fit(_ text: String, columns: Int) -> String {
    var fitting = ""
    var short = ""
    var used = 0
    for scalar in text.unicodeScalars {
      // Count every character that may be wide as two columns, so that the line never wraps.
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
  /// nil if progress is off, or if other output goes to the terminal meanwhile.
  func progressLine(beside place: OutputPlace? = nil) -> Progress? {
    Progress(progress ?? .auto, isQuiet: isQuiet, outputIsTerminal: place?.isTerminal ?? false)
  }
}

extension FileSystemScanner.Options {
  /// The same options, with a progress that hears the scan.
  func heard(by progress: Progress?) -> Self {
    var options = self
    (options.listener, options.stallListener) = (progress?.listener, progress?.stallListener)
    return options
  }
}

extension MapRequest {
  var knownCount: Int? { isWhole ? roots.entryCount : nil }

  var isWhole: Bool { !filter.isActive && !selection.isActive }
}
