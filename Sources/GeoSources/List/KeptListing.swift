import GeoCore
import GeoSystem

/// A listing by another program, read once: its entries, in a scratch file, and its folder.
///
/// Reading the scratch file takes a fraction of the time of the listing itself, which a map would
/// have to read three times: for its folder, its folders' names, and its files.
struct KeptListing {
  let entries: ScratchFile
  let head: ListingHead
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
    case .tar: self = try Self(RecordParser<TarSyntax>(input, list), list)
    default: self = try Self(RecordParser<UnzipSyntax>(input, list), list)
    }
  }

  private init(_ parser: some ListParser, _ list: ListSource) throws(ListError) {
    var parser = parser
    var writer = try KeptEntryWriter()
    var common = CommonFolder(skipsAncestors: list.format == .restic)
    var entry = ListedEntry()
    var faults: [ListFault] = []
    reading: while true {
      let step = try parser.next(into: &entry, faults: &faults)
      for fault in faults { try writer.add(fault) }
      faults.removeAll()
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

/// Writes entries and faults as records (``EntryRecord``): the rank of an entry is the number of bytes
/// that its path has in common with the entry before, its name is the rest of the path. A fault has
/// the greatest rank, and its reason as a name.
private struct KeptEntryWriter {
  static let fault = UInt32.max

  private let file: ScratchFile
  private var bytes: [UInt8] = []
  private var last: [UInt8] = []

  init() throws(ListError) {
    file = try rethrowing(ScratchFile(), as: ListError.noScratch)
  }

  mutating func add(_ entry: ListedEntry) throws(ListError) {
    let kept = entry.path.span.commonPrefix(with: last.span, from: 0)
    try add(UInt32(kept), entry.path[kept...], entry.facts, entry.position)
    last.replaceSubrange(kept..., with: entry.path[kept...])
  }

  mutating func add(_ fault: ListFault) throws(ListError) {
    try add(Self.fault, Array(fault.reason.utf8)[...], ListedFacts(), fault.position)
  }

  private mutating func add(
    _ rank: UInt32, _ name: ArraySlice<UInt8>, _ facts: ListedFacts, _ position: UInt64
  ) throws(ListError) {
    EntryRecord.append(rank: rank, name: name.span, facts, position: position, to: &bytes)
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
    guard try fill(EntryRecord.header) else { return .end }
    guard try fill(EntryRecord.end(buffer.span, at: index) - index) else {
      throw .changed(list: input.name)
    }
    let record = index
    let range = EntryRecord.name(buffer.span, at: record)
    let rank = EntryRecord.rank(buffer.span, at: record)
    let position = EntryRecord.position(buffer.span, at: record)
    index = range.upperBound
    if rank == KeptEntryWriter.fault {
      let reason = String(decoding: buffer[range], as: UTF8.self)
      faults.append(ListFault(position: position, reason: reason))
      return .fault
    }
    entry.replacePath(from: min(Int(rank), entry.path.count), by: buffer[range])
    entry.position = position
    entry.facts = EntryRecord.facts(buffer.span, at: record)
    return .entry
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
