import GeoCore
import GeoSystem
import GeoTree

/// A block that is being filled: columns of numbers and of name bytes.
///
/// Differences and shared name prefixes refer to earlier entries of the same block, so each block
/// can be read without others.
struct BlockBuilder {
  private let knowledge: FactKnowledge

  /// By the raw values of ``Column``, as the last runs of the columns that have runs.
  private var columns = Column.allCases.map { _ in [UInt8]() }
  private var runs = Column.allCases.map { _ in Run() }

  private struct Run {
    var number: UInt64 = 0
    var count: UInt64 = 0
  }

  // The previous values, from which differences are computed.
  private var name: [UInt8] = []
  private var time: Int64 = 0
  private var folderTime: Int64 = 0
  private var inode: UInt64 = 0
  private var folderInode: UInt64 = 0
  private var folderDevice: UInt64 = 0

  private(set) var recordCount = 0
  // The number of sub-folder names and of file names of the current record in this block.
  private var folderCount = 0
  private var fileCount = 0
  private var isInRecord = false

  init(knowledge: FactKnowledge) { self.knowledge = knowledge }

  var isEmpty: Bool { recordCount == 0 }

  var length: Int {
    var length = 0
    for index in columns.indices { length &+= columns[index].count }
    return length
  }

  @inline(__always)
  private subscript(column: Column) -> [UInt8] {
    _read { yield columns[column.rawValue] }
    _modify { yield &columns[column.rawValue] }
  }

  @inline(__always)
  private mutating func add(_ number: UInt64, to column: Column) {
    if runs[column.rawValue].count > 0, runs[column.rawValue].number == number {
      runs[column.rawValue].count += 1
    } else {
      endRun(of: column)
      runs[column.rawValue] = Run(number: number, count: 1)
    }
  }

  private mutating func endRun(of column: Column) {
    let run = runs[column.rawValue]
    if run.count == 0 { return }
    self[column].append(varint: run.number)
    self[column].append(varint: run.count)
    runs[column.rawValue].count = 0
  }

  mutating func begin(_ folder: SnapshotPart.Folder, because reason: ScanFault.Reason?) {
    endRecord()
    var flags: RecordFlags = []
    if folder.isListed { flags.insert(.listed) }
    if folder.isUnreadable { flags.insert(.unreadable) }
    if folder.isLoop { flags.insert(.loop) }
    if folder.modified != nil { flags.insert(.timed) }
    self[.records].append(flags.rawValue)
    if folder.isUnreadable { Self.append(reason, to: &self[.records]) }
    self[.records].append(varint: UInt64(folder.folderCount))
    self[.records].append(varint: UInt64(folder.fileCount))
    if let modified = folder.modified {
      self[.folderTimes].append(zigzag: modified &- folderTime)
      folderTime = modified
      if !knowledge.isDisjoint(with: .storage) { addStorage(folder.storage ?? .unknown) }
    }
    recordCount += 1
    isInRecord = true
  }

  /// Of the block before.
  mutating func goOn() {
    self[.records].append(RecordFlags.continued.rawValue)
    recordCount += 1
    isInRecord = true
  }

  private mutating func addStorage(_ storage: FileStorage) {
    self[.folderStorage].append(varint: UInt64(storage.nanoseconds))
    self[.folderStorage].append(zigzag: storage.allocated)
    self[.folderStorage].append(
      zigzag: Int64(bitPattern: storage.identity.device &- folderDevice))
    self[.folderStorage].append(zigzag: Int64(bitPattern: storage.identity.inode &- folderInode))
    self[.folderStorage].append(varint: UInt64(storage.links))
    self[.folderStorage].append(varint: UInt64(storage.owner))
    self[.folderStorage].append(varint: UInt64(storage.group))
    folderDevice = storage.identity.device
    folderInode = storage.identity.inode
  }

  mutating func addFolder(_ name: Span<UInt8>, _ facts: EntryFacts) {
    folderCount += 1
    add(name)
    add(EntryState(ofFolder: facts).number, to: .states)
  }

  mutating func addFile(
    _ name: Span<UInt8>, _ facts: EntryFacts, _ storage: FileStorage,
    because reason: ScanFault.Reason?
  ) {
    fileCount += 1
    add(name)
    let hasStorage = storage.isKnown && !knowledge.isDisjoint(with: .storage)
    let state = EntryState(
      facts, hasStorage: hasStorage, isElsewhere: storage.isElsewhere)
    add(state.number, to: .states)
    switch state.status {
    case .known, .undated:
      self[.sizes].append(zigzag: facts.size)
      if state.status == .known {
        self[.times].append(zigzag: facts.modified &- time)
        time = facts.modified
      }
      if knowledge.contains(.links) { add(UInt64(facts.links), to: .links) }
      if !knowledge.isDisjoint(with: .storage) { addStorage(storage, size: facts.size) }
    case .sized: self[.sizes].append(zigzag: facts.size)
    case .unreadable: Self.append(reason, to: &self[.reasons])
    case .unasked, .elsewhere, .vanished, .leftOut: break
    }
  }

  private mutating func addStorage(_ storage: FileStorage, size: Int64) {
    self[.nanoseconds].append(varint: UInt64(storage.nanoseconds))
    add((storage.allocated &- EntryState.defaultRoom(size: size)).zigzag, to: .rooms)
    add(storage.identity.device, to: .devices)
    self[.inodes].append(zigzag: Int64(bitPattern: storage.identity.inode &- inode))
    inode = storage.identity.inode
    add(UInt64(storage.owner), to: .owners)
    add(UInt64(storage.group), to: .groups)
  }

  private mutating func add(_ name: Span<UInt8>) {
    var shared = 0
    let limit = min(name.count, self.name.count)
    while shared < limit, name[shared] == self.name[shared] { shared += 1 }
    self[.nameLengths].append(varint: UInt64(shared))
    self[.nameLengths].append(varint: UInt64(name.count - shared))
    self.name.removeLast(self.name.count - shared)
    let rest = name.extracting(shared..<name.count)
    self[.letters].append(copying: rest)
    self.name.append(copying: rest)
  }

  private mutating func endRecord() {
    if !isInRecord { return }
    self[.records].append(varint: UInt64(folderCount))
    self[.records].append(varint: UInt64(fileCount))
    (folderCount, fileCount, isInRecord) = (0, 0, false)
  }

  private static func append(_ reason: ScanFault.Reason?, to bytes: inout [UInt8]) {
    switch reason {
    #if os(Linux)
      case .unreadable(let error) where error.rawValue > 0:
        bytes.append(varint: UInt64(error.rawValue))
    #endif
    default:
      let words = reason.map { "\($0.words)" } ?? SnapshotNumbers.unknownReason
      bytes.append(0)
      bytes.append(text: Array(words.utf8.prefix(SnapshotNumbers.longestReason)))
    }
  }

  mutating func finish(by deflater: inout Deflater, to output: inout [UInt8]) {
    endRecord()
    let raw = joined()
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: SnapshotNumbers.blockHeader))
    deflater.compress(raw.bytes, cuttingAt: raw.ends, to: &output)
    BlockHead.put(
      in: &output, at: start, length: raw.bytes.count, mapLength: raw.ends[Column.links.rawValue])
    removeAll()
  }

  /// The lengths of all columns, then the columns, and the end of each.
  private mutating func joined() -> (bytes: [UInt8], ends: [Int]) {
    for column in Column.allCases { endRun(of: column) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(40 * 1024)
    for column in columns { bytes.append(varint: UInt64(column.count)) }
    var ends: [Int] = []
    for column in columns {
      bytes += column
      ends.append(bytes.count)
    }
    return (bytes, ends)
  }

  private mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll(keepingCapacity: true) }
    name.removeAll(keepingCapacity: true)
    (time, folderTime, recordCount) = (0, 0, 0)
    (inode, folderInode, folderDevice) = (0, 0, 0)
  }
}
