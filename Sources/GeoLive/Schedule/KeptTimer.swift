import GeoCore
import GeoSystem

/// A timer that runs the tool regularly: its command, its interval and the folders it keeps.
package struct KeptTimer: Hashable, Sendable {
  package let name: TimerName
  /// The absolute path of the program, and its arguments.
  package let words: [[UInt8]]
  /// The time between two runs, in seconds.
  package let seconds: Int64
  /// One line that describes it, such as `Keep a state of /home`; without control characters.
  package let summary: String

  /// How much its runs give way to other programs (`nice`).
  static let niceness = 10

  /// The summary is escaped for a terminal.
  package init(
    _ name: TimerName, running words: [[UInt8]], every seconds: Int64, summary: String
  ) throws(Failure) {
    for word in words where word.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw .usage(
        "'\(TerminalText.escaped(word))' has a line break, which the files of a timer "
          + "can't hold")
    }
    self.name = name
    self.words = words
    self.seconds = max(1, seconds)
    self.summary = summary
  }

  package func files(for manager: ServiceManager) throws(Failure) -> [TimerFile] {
    switch manager {
    case .systemd: try SystemdUnits.files(of: self)
    case .launchd: [try LaunchAgent.file(of: self)]
    }
  }
}

package struct TimerFile: Hashable, Sendable {
  /// In the folder of the service manager.
  package let name: String
  package let bytes: [UInt8]
}

/// The name of a timer: a hash of the folders it keeps, whatever their order.
package struct TimerName: Hashable, Sendable {
  /// Sixteen hex digits.
  package let hash: String

  /// From the folders' real paths.
  package init(of folders: [[UInt8]]) {
    let sorted = folders.sorted { $0.lexicographicallyPrecedes($1) }
    let digest = SHA256.digest(Array(sorted.joined(separator: [0])))
    hash = String(decoding: digest.span.hexDigits.prefix(16), as: UTF8.self)
  }

  package func fileNames(for manager: ServiceManager) -> [String] {
    switch manager {
    case .systemd: ["geomapper-\(hash).service", "geomapper-\(hash).timer"]
    case .launchd: ["\(label).plist"]
    }
  }

  /// Of systemd.
  package var unit: String { "geomapper-\(hash).timer" }
  /// Of launchd.
  package var label: String { "geomapper.\(hash)" }

  package func unit(for manager: ServiceManager) -> String {
    switch manager {
    case .systemd: unit
    case .launchd: label
    }
  }

  /// Identifies its files, in a comment.
  var signature: String { "made by geomapper keep \(hash)" }

  /// Lines at the beginning of a file that may hold the signature.
  private static let signedLines = 4

  package func signs(_ file: [UInt8]) -> Bool {
    let lines = file.split(
      separator: 0x0A, maxSplits: Self.signedLines, omittingEmptySubsequences: false)
    return lines.prefix(Self.signedLines).contains { line in
      ["# \(signature)", "<!-- \(signature) -->"].contains { line.elementsEqual($0.utf8) }
    }
  }
}

/// An interval at whose multiples a clock shows round times.
enum ClockInterval: Hashable, Sendable {
  /// A divisor of 60.
  case minutes(Int)
  /// A divisor of 24, less than 24.
  case hours(Int)
  case day
  case week

  /// Nil if the multiples are not at the same times each day or week.
  init?(seconds: Int64) {
    guard seconds > 0, seconds % 60 == 0 else { return nil }
    let minutes = seconds / 60
    switch minutes {
    case 7 * 24 * 60: self = .week
    case 24 * 60: self = .day
    case 1..<60 where 60 % minutes == 0: self = .minutes(Int(minutes))
    case 60..<(24 * 60) where minutes % 60 == 0 && 24 % (minutes / 60) == 0:
      self = .hours(Int(minutes / 60))
    default: return nil
    }
  }
}
