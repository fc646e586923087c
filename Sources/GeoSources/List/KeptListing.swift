import GeoCore
import GeoSystem

/// A listing by another program, read once: its entries, in a scratch file, and its folder.
///
/// Reading the scratch file takes a fraction of the time of the listing itself, which a map would
/// have to read three times: for its folder, its folders' names, and its files.
struct KeptListing {
  let entries: ScratchFile
  let head: ListingHead
  /// `.` or `/` if the entries have no folder in common.
  let top: [UInt8]
  let hasOwnTop: Bool

  init(_ input: ListInput, _ list: ListSource) throws(ListError) {
    switch list.format {
    case .restic where list.isOneValue:
      self = try Self(JSONArrayParser<ResticSyntax>(input, list), list)
    case .restic: self = try Self(JSONLineParser<ResticSyntax>(input, list), list)
    case .borg: self = try Self(JSONLineParser<BorgSyntax>(input, list), list)
    case .rclone: self = try Self(JSONArrayParser<RcloneSyntax>(input, list), list)
    case .mtree: self = try Self(MtreeParser(input, list), list)
    case .tar: self = try Self(TarParser(input, list), list)
    default: self = try Self(UnzipParser(input, list), list)
    }
  }

  private init(_ parser: some ListingParser, _ list: ListSource) throws(ListError) {
    var parser = parser
    var writer = try KeptEntryWriter()
    var common = CommonFolder(skipsAncestors: list.format == .restic)
    var entry = ListedEntry()
    var faults: [ListFault] = []
    reading: while true {
      let step = try parser.next(into: &entry, faults: &faults)
      if !faults.isEmpty {
        for fault in faults { try writer.add(fault) }
        faults.removeAll()
      }
      switch step {
      case .end: break reading
      case .fault: continue
      case .entry:
        try writer.add(entry)
        common.add(entry.path, isFolder: entry.facts.kind == .directory)
      }
    }
    head = parser.head
    // The paths of rclone begin in the folder that it lists.
    hasOwnTop = list.format == .rclone || !head.sources.isEmpty
    top = list.format == .rclone ? [UInt8(ascii: ".")] : common.path(of: head.sources)
    entries = try writer.finish()
  }
}

/// A record of an entry or a fault in a scratch file.
///
/// Little-endian: how many bytes of the path are those of the entry before (4 bytes), the number of
/// the others (4), the size, the time (8 each), the position (6), the kind, the flags (1 each), and
/// the other bytes. A fault has the flags ``faulty`` and its reason as bytes.
private enum KeptEntry {
  static let header = 32
  static let faulty: UInt8 = 0xFF
  static let positions: UInt64 = 1 << 48 - 1
}

private struct KeptEntryWriter {
  private let file: ScratchFile
  private var bytes: [UInt8] = []
  private var last: [UInt8] = []

  init() throws(ListError) {
    file = try rethrowing(ScratchFile(), as: ListError.noScratch)
  }

  mutating func add(_ entry: ListedEntry) throws(ListError) {
    let kept = entry.path.span.commonPrefix(with: last.span, from: 0)
    try add(
      kept, entry.path[kept...], entry.facts, entry.position, flags: entry.facts.flags.rawValue)
    last.removeSubrange(kept...)
    last.append(contentsOf: entry.path[kept...])
  }

  mutating func add(_ fault: ListFault) throws(ListError) {
    let reason = Array(fault.reason.utf8)
    try add(0, reason[...], ListedFacts(), fault.position, flags: KeptEntry.faulty)
  }

  private mutating func add(
    _ kept: Int, _ rest: ArraySlice<UInt8>, _ facts: ListedFacts, _ position: UInt64, flags: UInt8
  ) throws(ListError) {
    bytes.append(little: UInt64(kept) | UInt64(rest.count) << 32)
    bytes.append(little: UInt64(bitPattern: facts.size))
    bytes.append(little: UInt64(bitPattern: facts.modified))
    bytes.append(
      little: min(position, KeptEntry.positions) | UInt64(facts.kind.rawValue) << 48 | UInt64(flags)
        << 56)
    bytes.append(contentsOf: rest)
    if bytes.count >= ListInput.block { try flush() }
  }

  private mutating func flush() throws(ListError) {
    try rethrowing(file.append(bytes.span), as: ListError.noScratch)
    bytes.removeAll(keepingCapacity: true)
  }

  consuming func finish() throws(ListError) -> ScratchFile {
    try flush()
    return file
  }
}

struct KeptEntryParser: ListParser {
  private let input: ListInput
  private var buffer: [UInt8] = []
  private var index = 0
  private var offset: Int64 = 0

  init(_ input: ListInput, _ source: ListSource) { self.input = input }

  mutating func next(
    into entry: inout ListedEntry, faults: inout [ListFault]
  ) throws(ListError) -> ListStep {
    guard try fill(KeptEntry.header) else { return .end }
    let (kept, count) = counts
    guard try fill(KeptEntry.header + count) else { throw .changed(list: input.name) }
    let last = buffer.span.loadWord(at: index + 24)
    let size = Int64(bitPattern: buffer.span.loadWord(at: index + 8))
    let modified = Int64(bitPattern: buffer.span.loadWord(at: index + 16))
    let start = index + KeptEntry.header
    let rest = buffer[start..<(start + count)]
    index = start + count
    let flags = UInt8(truncatingIfNeeded: last >> 56)
    let position = last & KeptEntry.positions
    if flags == KeptEntry.faulty {
      faults.append(
        ListFault(position: position, reason: String(decoding: rest, as: UTF8.self)))
      return .fault
    }
    let shared = min(kept, entry.path.count)
    entry.path.removeSubrange(shared...)
    entry.path.append(contentsOf: rest)
    entry.kept = min(entry.kept, shared)
    entry.position = position
    entry.facts = ListedFacts(
      size: size, modified: modified,
      kind: EntryKind(rawValue: UInt8(truncatingIfNeeded: last >> 48)) ?? .unknown,
      flags: ListedFacts.Flags(rawValue: flags))
    return .entry
  }

  private var counts: (kept: Int, rest: Int) {
    let word = buffer.span.loadWord(at: index)
    return (Int(word & 0xFFFF_FFFF), Int(word >> 32))
  }

  /// From the next record on; false if there are fewer bytes.
  private mutating func fill(_ count: Int) throws(ListError) -> Bool {
    while buffer.count - index < count {
      buffer.removeSubrange(..<index)
      index = 0
      let before = buffer.count
      if try !input.readBlock(at: offset, appendingTo: &buffer) { return false }
      offset += Int64(buffer.count - before)
    }
    return true
  }
}
