import GeoCore
import GeoLive
import GeoSources
import GeoSystem

/// An operand that names a source: `[LABEL=]PATH`, `[LABEL=]git:REVISION`, `[LABEL=]kept:WHEN`, or
/// with `--git` a revision.
struct Operand: Sendable, Equatable {
  /// The operand as typed.
  let text: [UInt8]
  /// The label before the `=`.
  let label: [UInt8]?
  /// The text after the label, including any `git:` or `kept:`.
  private(set) var path: [UInt8]
  /// The revision's name; nil for a path.
  private(set) var revision: [UInt8]?
  /// The time of a kept state; nil for other operands.
  private(set) var keptTime: [UInt8]?
  /// With ``keptTime``: the folders that the state is of; empty for the current folder.
  private(set) var folders: [Operand] = []

  /// The prefix that marks a revision.
  static let mark = Array("git:".utf8)
  /// The prefix that marks a kept state.
  static let keptMark = Array("kept:".utf8)

  /// Parses a single operand, without `--git`.
  init(_ text: [UInt8]) throws(RootError) {
    let argument = try RootArgument(parsing: text)
    self.text = text
    label = argument.label
    path = argument.directory
    if isMarked { revision = Array(path.dropFirst(Self.mark.count)) }
    if path.starts(with: Self.keptMark) {
      keptTime = Array(path.dropFirst(Self.keptMark.count))
    }
  }

  /// Parses the operands of a command.
  ///
  /// With `--git` all are revisions, unless one is marked by `git:`. Then an operand without the
  /// mark is a path if that file or folder exists, else a revision. Kept states are those of the
  /// folders among the operands.
  static func all(_ texts: [[UInt8]], _ repository: [UInt8]?) throws(Failure) -> [Operand] {
    var operands = try wording { try texts.map { try Operand($0) } }
    if let repository { try findRevisions(among: &operands, repository) }
    if operands.contains(where: { $0.keptTime != nil }) {
      let folders = operands.filter(\.isFolder)
      for index in operands.indices where operands[index].keptTime != nil {
        operands[index].folders = folders
      }
    }
    return operands
  }

  private static func findRevisions(
    among operands: inout [Operand], _ repository: [UInt8]
  ) throws(Failure) {
    let areMixed = operands.contains(where: \.isMarked)
    for index in operands.indices
    where !operands[index].isMarked && operands[index].keptTime == nil {
      let name = operands[index].path
      if areMixed {
        if operands[index].isThere { continue }
        try expectRevision(name, in: repository)
        operands[index].path = mark + name
      }
      operands[index].revision = name
    }
  }

  /// Whether it is a folder on a disk.
  private var isFolder: Bool {
    isPath && (try? FileSystem.rootFacts(path))?.kind == .directory
  }

  /// Whether it names a file or folder: neither a revision nor a kept state.
  var isPath: Bool { revision == nil && keptTime == nil }

  /// Whether it begins with `git:`.
  var isMarked: Bool { path.starts(with: Self.mark) }

  /// Whether it can only be a path (`/…`, `./…` or `../…`), or the path exists.
  private var isThere: Bool {
    let first = path.firstComponent
    return first.isEmpty || first.elementsEqual(".".utf8) || first.elementsEqual("..".utf8)
      || (try? FileSystem.rootFacts(path)) != nil
  }

  private static func expectRevision(
    _ name: [UInt8], in repository: [UInt8]
  ) throws(Failure) {
    do throws(GitError) {
      _ = try GitRevision.commit(name.prefix { $0 != UInt8(ascii: ":") }, of: repository)
    } catch {
      let shown = TerminalText.escaped(name)
      throw .usage(
        "'\(shown)' is not a file or folder here, nor a revision in the repository "
          + "'\(TerminalText.escaped(repository))'")
    }
  }

  /// The given label, or the path's last component.
  var impliedLabel: [UInt8]? { label ?? RootArgument.lastName(of: path) }
}

extension [[UInt8]] {
  /// Refuses a wrong number of arguments.
  func expect(
    _ count: some RangeExpression<Int>, or refusal: @autoclosure () -> String
  ) throws(Failure) {
    if !count.contains(self.count) { throw .usage(refusal()) }
  }
}

/// A time in the past as `since` and `kept:WHEN` take it.
enum PastTime: Equatable, Sendable {
  /// The first kept state.
  case first
  /// The last kept state.
  case last
  /// The last kept state at or before a Unix time in seconds, and milliseconds of that second.
  case time(Int64, millisecond: Int64 = 999)

  /// Names of the days of the week, from Monday on.
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// What a time looks like, for messages.
  static let examples = "first, last, yesterday, monday, 3d, 2026-01-31, 2026-01-31T12:00"

  /// Parses `first`, `last`, `yesterday`, a day of the week, a span, a date or a time; nil for other
  /// text.
  ///
  /// A day begins at midnight, and a day of the week is the last such day before today. Words may
  /// have capitals, and days of the week three letters. A span counts back from now.
  ///
  /// - Parameters:
  ///   - now: The present as a Unix time in seconds.
  ///   - zone: The zone of days, and of dates and times without a zone.
  init?(parsing text: [UInt8], now: Int64, zone: LocalZone) {
    let word = String(decoding: text.lowercased, as: UTF8.self)
    switch word {
    case "first": self = .first
    case "last": self = .last
    case "yesterday": self = .time(zone.startOfDay(1, before: now))
    default:
      if let day = Self.weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
        let back = (zone.weekday(at: now) - Int64(day) + 6) % 7 + 1
        self = .time(zone.startOfDay(back, before: now))
      } else if let span = TimeSpan.milliseconds(parsing: text) {
        self = .time(now - (span + 999) / 1000)
      } else if let time = Moment.time(parsing: text, in: zone) {
        // A time without a fraction is the whole second, as `keep --list` prints times.
        self = .time(time.seconds, millisecond: time.millisecond ?? 999)
      } else {
        return nil
      }
    }
  }
}

/// Decimal numbers as users type them.
enum DecimalNumber {
  /// Parses digits with at most one point; nil if `text` is anything else.
  static func parse(_ text: some Collection<UInt8>) -> Double? {
    let digits = text.filter { 0x30...0x39 ~= $0 }.count
    let points = text.count - digits
    guard digits > 0, text.count < 40, points == 0 || points == 1 && text.contains(0x2E) else {
      return nil
    }
    return Double(String(decoding: Array(text), as: UTF8.self))
  }
}

/// Time spans as users type them.
enum TimeSpan {
  private static let units: [(letters: String, milliseconds: Double)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ("w", 604_800_000),
  ]
  /// A hundred years, in milliseconds.
  private static let longest = 36_525.0 * 86_400_000

  /// Parses `90s`, `1h30m`, `0.5s` or plain seconds as milliseconds; nil if `text` is not a time
  /// span.
  static func milliseconds(parsing text: [UInt8]) -> Int64? {
    var rest = text[...]
    var sum = 0.0
    if rest.isEmpty { return nil }
    while !rest.isEmpty {
      let number = rest.prefix { 0x30...0x39 ~= $0 || $0 == 0x2E }
      rest = rest.dropFirst(number.count)
      let letters = rest.prefix { 0x61...0x7A ~= $0 }
      rest = rest.dropFirst(letters.count)
      guard let value = DecimalNumber.parse(number) else { return nil }
      if letters.isEmpty {
        // A number without a unit must be the whole text.
        guard number.count == text.count else { return nil }
        sum = value * 1000
        continue
      }
      guard let unit = units.first(where: { $0.letters.utf8.elementsEqual(letters) }) else {
        return nil
      }
      sum += value * unit.milliseconds
    }
    return sum <= longest ? Int64(sum.rounded()) : nil
  }

  /// A time span as hours, minutes and seconds: `1:02:03`.
  static func text(seconds: Double) -> String {
    let whole = Int64(max(0, min(seconds, 1e12)).rounded())
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
