import GeoCore

/// Parses the output of `tar -tv`, of GNU tar, bsdtar and busybox.
///
/// Times have no zone, so they are unknown.
struct TarSyntax: RecordSyntax {
  /// The longest so far, in bytes: GNU tar pads shorter ones that follow.
  private var timeLength = 0
  /// By the hashes of paths: of all entries in lists as busybox makes them, else of those that are
  /// no regular files.
  private var kinds: [UInt64: EntryKind] = [:]

  mutating func parse(
    _ record: ArraySlice<UInt8>, isTerminated: Bool, into entry: inout ListedEntry
  ) -> RecordContent {
    let record = TarLine.withoutBlock(record)
    if TarLine.isOfArchive(record) { return .nothing }
    if !isTerminated { return .fault("no line end follows: it was cut off") }
    return parse(record, into: &entry).map { .fault($0) } ?? .entry
  }

  private mutating func parse(
    _ record: ArraySlice<UInt8>, into entry: inout ListedEntry
  ) -> String? {
    guard TarLine.isMode(record), let letter = record.first,
      var kind = EntryKind(modeLetter: letter)
    else { return "it does not begin with a mode, as 'tar -tv' has it" }
    guard let line = TarLine(record) else {
      return "no size and time follow the mode, as 'tar -tv' has them"
    }
    var name = line.name
    if let time = line.timeLength {
      timeLength = max(timeLength, time)
      let padding = name.prefix(timeLength - time)
      guard padding.allSatisfy({ $0 == UInt8(ascii: " ") }), padding.count == timeLength - time
      else { return "its time is shorter than others, but no spaces follow it as in those" }
      name.removeFirst(padding.count)
    }
    var size = Int64(wholeNumber: line.size)
    var isElsewhere = false
    if kind == .symlink || letter == UInt8(ascii: "h") {
      let places = name.places(of: kind == .symlink ? " -> " : " link to ")
      guard let place = places.first else { return "no target follows the name of the link" }
      if places.count > 1 { return Self.severalArrows }
      // The size of a further name of a file is at its first name only.
      size = nil
      let target = name[place.upperBound...]
      if kind == .symlink {
        var path: [UInt8] = []
        if target.appendUnescaped(to: &path) { size = Int64(path.count) }
      } else {
        kind = self.kind(of: target) ?? .regular
        isElsewhere = true
      }
      name = name[..<place.lowerBound]
    } else if line.mayBeOfBusybox, kind != .directory, size == 0 {
      // A further name has the mode of its file, and an arrow to a name before.
      let links = name.places(of: " -> ").compactMap { range in
        self.kind(of: name[range.upperBound...]).map { (name: name[..<range.lowerBound], kind: $0) }
      }
      if links.count > 1 { return Self.severalArrows }
      if let link = links.first {
        (name, kind, size, isElsewhere) = (link.name, link.kind, nil, true)
      }
    }
    entry.replacePath(from: 0, by: [])
    if !name.appendUnescaped(to: &entry.path) {
      return "its name has an escape that is unknown: '\(TerminalText.escaped(Array(name)))'"
    }
    if entry.path.last == .slash { kind = .directory }
    if kind != .directory, kind != .regular || line.mayBeOfBusybox {
      kinds[entry.path.span.hash] = kind
    }
    entry.facts = ListedFacts(kind: kind, size: size, modified: nil)
    if isElsewhere { entry.facts.flags.insert(.elsewhere) }
    return nil
  }

  private static let severalArrows =
    "its name or its target has an arrow in it, so both are unknown"

  private func kind(of target: ArraySlice<UInt8>) -> EntryKind? {
    if kinds.isEmpty { return nil }
    var path: [UInt8] = []
    return target.appendUnescaped(to: &path) ? kinds[path.span.hash] : nil
  }

  static func begins(_ lines: [ArraySlice<UInt8>]) -> Bool {
    guard
      let line = lines.lazy.map(TarLine.withoutBlock).first(where: { !TarLine.isOfArchive($0) })
    else { return false }
    return TarLine.isMode(line) && TarLine(line) != nil
  }
}

/// The columns of a line of `tar -tv`.
private struct TarLine {
  /// Other text for a device number.
  let size: ArraySlice<UInt8>
  /// As GNU tar and busybox write it; nil as bsdtar does.
  let timeLength: Int?
  /// Whether the time has seconds without a fraction.
  let mayBeOfBusybox: Bool
  /// Perhaps after spaces, with a link's target.
  let name: ArraySlice<UInt8>

  /// Without the number of its block, which `--block-number` adds, and without the carriage return
  /// of a line end as Windows has it: names have none.
  static func withoutBlock(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let line = line.withoutReturn
    guard line.starts(with: "block ".utf8) else { return line }
    let rest = line.dropFirst(6).drop { $0.isDigit }
    return rest.starts(with: ": ".utf8) ? rest.dropFirst(2) : line
  }

  /// Whether a line is about the archive: its label, or its end with `--block-number`.
  static func isOfArchive(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "V---------".utf8) || line.elementsEqual("** Block of NULs **".utf8)
      || line.elementsEqual("** End of File **".utf8)
  }

  static func isMode(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > 10, let letter = line.first, EntryKind(modeLetter: letter) != nil else {
      return false
    }
    return line.dropFirst().prefix(9).allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "r"), UInt8(ascii: "w"), UInt8(ascii: "x"),
        UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "t"), UInt8(ascii: "T"):
        true
      default: false
      }
    }
  }

  /// Nil if there is no time.
  ///
  /// GNU tar has `2026-01-31 12:00` or with seconds before the name, bsdtar `Jan 31 12:00` or `Jan
  /// 31  2025`; both have the size before that. Users may have spaces in their names.
  init?(_ line: ArraySlice<UInt8>) {
    var index = line.startIndex + 11
    while index < line.endIndex {
      if line[index - 1] == UInt8(ascii: " "), let time = Self.time(line[index...]) {
        let before = line[..<(index - 1)]
        let space = before.lastIndex(of: UInt8(ascii: " "))
        let size = before.suffix(from: space.map { $0 + 1 } ?? before.startIndex)
        if let first = size.first, first.isDigit,
          size.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ",") })
        {
          self.size = size
          timeLength = time.isISO ? time.end - index : nil
          mayBeOfBusybox = time.isISO && time.end - index == Self.date.count + Self.seconds.count
          name = line[(time.end + 1)...]
          return
        }
      }
      index += 1
    }
    return nil
  }

  /// The end of a time, which a space follows, and whether it begins with the year.
  private static func time(_ text: ArraySlice<UInt8>) -> (end: Int, isISO: Bool)? {
    if text.fits(date) {
      var rest = text.dropFirst(16)
      if rest.fits(seconds) { rest = rest.dropFirst(3) }
      if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { $0.isDigit } }
      return rest.first == UInt8(ascii: " ") ? (rest.startIndex, true) : nil
    }
    guard text.count > 13, let first = text.first, first.isCapital,
      months.contains(where: { text.prefix(3).elementsEqual($0.utf8) })
    else {
      return nil
    }
    let rest = text.dropFirst(3)
    return times.contains { rest.fits($0) } ? (rest.startIndex + 9, false) : nil
  }

  /// What GNU tar shows; `0` is any digit.
  private static let date = Array("0000-00-00 00:00".utf8)
  private static let seconds = Array(":00".utf8)
  /// What bsdtar shows after the month; `0` is any digit.
  private static let times = [" 00 00:00 ", "  0 00:00 ", " 00  0000 ", "  0  0000 "].map {
    Array($0.utf8)
  }
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
