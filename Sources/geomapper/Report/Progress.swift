import GeoEmit
import GeoPath
import GeoSystem

/// Shows how far it is: a line that is written over on a terminal, a line a second elsewhere.
struct Progress {
  private let redraws: Bool
  private let start: Int64
  private let interval: Int64
  private var next: Int64
  private var isShown = false

  init(redraws: Bool, start: Int64) {
    self.redraws = redraws
    self.start = start
    interval = redraws ? 100_000_000 : 1_000_000_000
    next = start + interval
  }

  /// Shows the counts so far and the folder it is at, if the last time was long enough ago.
  ///
  /// - Parameter part: What stands before them.
  mutating func show(_ total: MapSummary, at place: [UInt8], of part: String = "") {
    let now = ThisProcess.nanoseconds
    if now < next { return }
    let elapsed = Double(now - start) / 1e9
    let rate = Int(Double(total.folders + total.files) / elapsed)
    let line =
      part + Quantity.count(total.folders, "folder") + ", " + Quantity.count(total.files, "file")
      + ", "
      + "\(rate.grouped)/s, " + TerminalText.escaped(place)
    show(line)
  }

  /// Shows a line, if the last time was long enough ago.
  mutating func show(_ line: String) {
    let now = ThisProcess.nanoseconds
    if now < next { return }
    next = now + interval
    if redraws {
      let width = Terminal.width ?? 80
      isShown = true
      Terminal.setLineShown(true)
      // One column is left free: some terminals begin a new line after the last one.
      Messages.write("\r\(Self.fit(line, columns: width - 1))\u{1b}[K")
    } else {
      Messages.write("\(Tool.name): \(line)\n")
    }
  }

  /// Wipes the line.
  mutating func clear() {
    if !isShown { return }
    Messages.write("\r\u{1b}[K")
    isShown = false
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
