import GeoCore
import GeoTree

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
