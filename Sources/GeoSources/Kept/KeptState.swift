import GeoCore
import GeoSystem

/// A kept state: what is known of it without reading its tree.
package struct KeptState: Sendable, Hashable, Identifiable {
  /// A folder that the state is of.
  package struct Root: Sendable, Hashable {
    /// The beginning of its nodes' paths.
    package var label: [UInt8]
    /// Its real path.
    package var directory: [UInt8]
    /// Identifies its file system (`FileSystem.volume(at:)`).
    package var fileSystem: [UInt8]
    /// The free bytes of its file system at the time of the state.
    package var free: Int64?

    package init(label: [UInt8], directory: [UInt8], fileSystem: [UInt8], free: Int64? = nil) {
      (self.label, self.directory) = (label, directory)
      (self.fileSystem, self.free) = (fileSystem, free)
    }
  }

  /// The name of its files in the store, without their extensions.
  package var id: [UInt8] = []
  /// Its place in the order in which all states of the store were kept, from 1. Unlike the time, it
  /// doesn't depend on the clock.
  package var number: UInt64 = 0
  /// The beginning of its scan in Unix seconds.
  package var seconds: Int64 = 0
  /// The nanoseconds of that time.
  package var nanoseconds: UInt32 = 0
  /// The machine that it was taken on (`ThisMachine.identity`).
  package var machine: [UInt8] = []
  /// The host name of that machine at that time.
  package var machineName: [UInt8] = []
  /// The folders, in the byte order of their labels.
  package var roots: [Root]
  /// The conditions that decided its contents, as in the snapshot's header.
  package var conditions: [[UInt8]] = []
  /// Whether something could not be read.
  package var isIncomplete = false
  /// The number of files.
  package var files: Int64 = 0
  /// The number of folders.
  package var folders: Int64 = 0
  /// The bytes of all files; those with several names count once.
  package var bytes: Int64 = 0
  /// The bytes that files take on disk; those with several names count once.
  package var allocated: Int64 = 0
  /// The bytes that it takes in the store.
  package var room: Int64 = 0

  package init(roots: [Root]) { self.roots = roots }

  /// The free bytes of the file system of all roots; nil if there are several, or it is unknown.
  package var free: Int64? {
    let all = Set(roots.map(\.fileSystem))
    return all.count == 1 ? roots.first?.free : nil
  }

  /// What has to be equal for two states to be comparable, besides the conditions.
  package var key: KeptKey {
    KeptKey(
      machine: machine,
      roots: roots.map { KeptKey.Root(directory: $0.directory, fileSystem: $0.fileSystem) }
        .sorted { $0.directory.span.orders(before: $1.directory.span) })
  }

  /// Whether both are of the same series: same machine, roots, file systems and conditions.
  package func isComparable(with other: KeptState) -> Bool {
    conditions == other.conditions && key == other.key
  }

  /// The root that a folder is in, and the names from there; nil if it is in none.
  ///
  /// - Parameter path: The real path of the folder.
  package func place(of path: [UInt8]) -> (root: Root, names: [[UInt8]])? {
    let found = roots.filter { KeptKey.contains($0.directory, path) }
    guard let root = found.max(by: { $0.directory.count < $1.directory.count }) else { return nil }
    let names = path[root.directory.count...].split(separator: .slash).map { Array($0) }
    return (root, names)
  }

  /// Whether it is earlier than another one, by the clock.
  package func isEarlier(than other: KeptState) -> Bool {
    (seconds, nanoseconds, number) < (other.seconds, other.nanoseconds, other.number)
  }
}

/// What has to be equal for two states to be of the same trees: machine, real paths and file
/// systems.
package struct KeptKey: Sendable, Hashable {
  package struct Root: Sendable, Hashable {
    package var directory: [UInt8]
    package var fileSystem: [UInt8]
  }

  package var machine: [UInt8]
  /// In the byte order of their paths.
  package var roots: [Root]

  /// The real paths of the roots.
  package var directories: [[UInt8]] { roots.map(\.directory) }

  /// Whether a path is a folder's or below it.
  static func contains(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
    path.starts(with: folder)
      && (path.count == folder.count || folder.last == .slash || path[folder.count] == .slash)
  }
}

extension KeptState {
  /// The first line of a state's file; its number is the version of the format.
  private static let head = Array("geomapper state 1\n".utf8)
  /// The largest file of a state, in bytes.
  static let longest = 1 << 26

  /// The encoded state, without its name and room.
  ///
  /// Numbers, texts and checksums are those of the snapshot format: the head; the number (varint);
  /// the time (seconds: difference from 0, nanoseconds: varint); machine and host name; the number
  /// of roots, and for each label, real path, file system and free bytes (difference from 0, −1 if
  /// unknown); the number of conditions, and each; 1 byte: whether it is incomplete; files, folders,
  /// bytes and allocated bytes (differences from 0); the checksum of all before it.
  var encoded: [UInt8] {
    var bytes = Self.head
    bytes.append(varint: number)
    bytes.append(difference: seconds)
    bytes.append(varint: UInt64(nanoseconds))
    bytes.append(text: machine)
    bytes.append(text: machineName)
    bytes.append(varint: UInt64(roots.count))
    for root in roots {
      bytes.append(text: root.label)
      bytes.append(text: root.directory)
      bytes.append(text: root.fileSystem)
      bytes.append(difference: root.free ?? -1)
    }
    bytes.append(varint: UInt64(conditions.count))
    for condition in conditions { bytes.append(text: condition) }
    bytes.append(isIncomplete ? 1 : 0)
    for sum in [files, folders, self.bytes, allocated] { bytes.append(difference: sum) }
    bytes.append(little: CRC32.checksum(of: bytes))
    return bytes
  }

  /// Decodes the file of a state.
  init(id: [UInt8], encoded bytes: [UInt8]) throws(SnapshotDamage) {
    let end = bytes.count - 4
    guard end >= Self.head.count, bytes.starts(with: Self.head) else { throw .malformed }
    var tail = ByteReader(end..<bytes.count)
    guard
      try tail.takeLittle(UInt32.self, in: bytes.span)
        == CRC32.checksum(of: bytes.span.extracting(0..<end))
    else { throw .changed }
    self.init(roots: [])
    self.id = id
    var reader = ByteReader(Self.head.count..<end)
    number = try reader.takeVarint(in: bytes.span)
    seconds = try reader.takeDifference(in: bytes.span)
    let fraction = try reader.takeVarint(in: bytes.span)
    guard fraction < 1_000_000_000 else { throw .malformed }
    nanoseconds = UInt32(fraction)
    machine = try reader.takeText(in: bytes.span)
    machineName = try reader.takeText(in: bytes.span)
    for _ in 0..<(try reader.takeCount(in: bytes.span)) {
      var root = Root(
        label: try reader.takeText(in: bytes.span), directory: try reader.takeText(in: bytes.span),
        fileSystem: try reader.takeText(in: bytes.span))
      let free = try reader.takeDifference(in: bytes.span)
      if free >= 0 { root.free = free }
      roots.append(root)
    }
    for _ in 0..<(try reader.takeCount(in: bytes.span)) {
      conditions.append(try reader.takeText(in: bytes.span))
    }
    isIncomplete = try reader.takeLittle(UInt8.self, in: bytes.span) != 0
    files = try reader.takeDifference(in: bytes.span)
    folders = try reader.takeDifference(in: bytes.span)
    self.bytes = try reader.takeDifference(in: bytes.span)
    allocated = try reader.takeDifference(in: bytes.span)
    guard reader.isAtEnd, !roots.isEmpty else { throw .malformed }
  }
}

/// Which states of a series to retain: the last one of each of the last hours, days, weeks and
/// months that have one, by UTC. Weeks begin on Monday.
///
/// The first and the newest are always retained.
package struct Retention: Sendable, Hashable {
  /// A unit of time.
  package enum Unit: String, CaseIterable, Sendable {
    case hours, days, weeks, months

    /// The number of the period that a time is in.
    func period(of seconds: Int64) -> Int64 {
      func floored(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((b - 1 - a) / b) }
      let day = floored(seconds, 86_400)
      switch self {
      case .hours: return floored(seconds, 3_600)
      case .days: return day
      // 1 January 1970 was a Thursday.
      case .weeks: return floored(day + 3, 7)
      case .months:
        // Days since 1 March of year 0; years begin in March (Hinnant, civil_from_days).
        let shifted = day + 719_468
        let era = floored(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let year =
          (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        return (era * 400 + year) * 12 + (5 * dayOfYear + 2) / 153
      }
    }
  }

  /// How many periods of each unit; nil retains everything.
  package var counts: [Unit: Int]?

  /// `hours=24,days=7,weeks=4,months=12`
  package static let usual = Retention(counts: [.hours: 24, .days: 7, .weeks: 4, .months: 12])

  /// Retains everything.
  package static let all = Retention(counts: nil)

  package init(counts: [Unit: Int]?) { self.counts = counts }

  /// Parses `all`, or numbers of periods such as `hours=24,days=7`; units that are not named have
  /// none.
  package init(parsing text: [UInt8]) throws(Malformed) {
    if text.elementsEqual("all".utf8) {
      self = .all
      return
    }
    var counts: [Unit: Int] = [:]
    for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let word = part.prefix { $0 != UInt8(ascii: "=") }
      guard word.endIndex < part.endIndex,
        let unit = Unit(rawValue: String(decoding: word, as: UTF8.self)), counts[unit] == nil,
        let number = Int64(wholeNumber: part[(word.endIndex + 1)...]), number <= 1_000_000
      else {
        throw Malformed(
          reason: "'\(TerminalText.escaped(text))' is not a rule (try "
            + "hours=24,days=7,weeks=4,months=12, or all)")
      }
      counts[unit] = Int(number)
    }
    self.counts = counts
  }

  /// The states of a series that are not retained, oldest first.
  package func dropped(of series: [KeptState]) -> [KeptState] {
    guard let counts else { return [] }
    let states = series.sorted { $0.isEarlier(than: $1) }
    var kept = Set([states.first?.id, states.last?.id].compactMap(\.self))
    // If the clock was set back, the newest is not the last by time.
    for end in [states.min { $0.number < $1.number }, states.max { $0.number < $1.number }] {
      if let end { kept.insert(end.id) }
    }
    for (unit, count) in counts {
      var periods: Set<Int64> = []
      for state in states.reversed() {
        let period = unit.period(of: state.seconds)
        if periods.contains(period) { continue }
        if periods.count == count { break }
        periods.insert(period)
        kept.insert(state.id)
      }
    }
    return states.filter { !kept.contains($0.id) }
  }
}
