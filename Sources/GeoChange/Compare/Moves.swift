import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree

/// Finds moved files among removed and added ones.
///
/// Memory is bounded: larger inputs are sorted in scratch files.
struct Moves {
  /// Memory for sorting, in bytes.
  private static let memory = 4 << 20
  /// Approximate bytes for a candidate while it is sorted.
  private static let bytesOfCandidate = 64
  /// Maximum number of files with one key that are paired by name in memory; more are sorted first.
  private static let few = 4096
  /// Binary logarithm of the number of bits in each of ``seen``.
  private static let digestBits = 23

  private var candidates = RecordSorter(memory: Self.memory)
  private var count = 0
  /// One bit for each digest of old and of new candidates. Nearly all unmoved files are filtered
  /// out, as they don't have both bits set.
  private var seen: (old: [UInt64], new: [UInt64]) = ([], [])
  /// Whether two candidates may be the same file.
  private(set) var mayPair = false
  private var unmoved: PagedList<UInt64>
  private var record: [UInt8] = []

  init(_ tree: ChangeTree) { unmoved = tree.list(of: UInt64.self) }

  var usedMemory: Int { min(count * Self.bytesOfCandidate, Self.memory) }

  /// Bytes of memory while candidates are paired: the pairs are sorted at the same time.
  var memoryOfPairs: Int { mayPair ? 2 * usedMemory : usedMemory }

  mutating func add(_ candidate: ComparePart.Candidate, number: Int32) throws(Errno) {
    count += 1
    let digest = candidate.key.digest
    if seen.old.isEmpty {
      seen.old = Array(repeating: 0, count: 1 << (Self.digestBits - 6))
      seen.new = seen.old
    }
    let (word, bit) = Self.bit(of: digest)
    if candidate.isNew { seen.new[word] |= bit } else { seen.old[word] |= bit }
    if seen.old[word] & seen.new[word] & bit != 0 { mayPair = true }
    try add(Member(candidate.isNew ? .new : .old, number, candidate.key), of: digest)
  }

  mutating func add(unmoved digests: [UInt64]) throws(Errno) {
    for digest in digests { try unmoved.append(digest) }
  }

  private static func bit(of digest: UInt64) -> (word: Int, bit: UInt64) {
    let number = digest >> UInt64(64 - digestBits)
    return (Int(number >> 6), 1 << (number & 63))
  }

  private mutating func add(_ member: Member, of digest: UInt64) throws(Errno) {
    record.removeAll(keepingCapacity: true)
    member.put(to: &record)
    try candidates.add(content: record, key: digest)
  }

  /// Both files of each move: records with a file's number as the key and the other file's number
  /// as the content.
  consuming func partners(in tree: ChangeTree) throws(Errno) -> SortedRecords {
    if !mayPair { return SortedRecords() }
    for index in unmoved.indices {
      let digest = unmoved[index]
      let (word, bit) = Self.bit(of: digest)
      if seen.old[word] & seen.new[word] & bit != 0 {
        try add(Member(.unmoved, -1, nil), of: digest)
      }
    }
    if let failure = tree.failure { throw failure }
    var pairs = MovePairs(tree, memory: Self.memory, few: Self.few)
    var group = MoveGroup()
    var digest: UInt64?
    var cursor = try candidates.finish().cursor()
    while try cursor.advance() {
      if cursor.key != digest {
        try group.pair(into: &pairs)
        digest = cursor.key
      }
      group.add(cursor.withContent { Member($0) })
    }
    try group.pair(into: &pairs)
    return try pairs.finish()
  }
}

private struct Member {
  enum Side: UInt8 { case old, new, unmoved }

  var side: Side
  var number: Int32
  var key: FileKey?

  init(_ side: Side, _ number: Int32, _ key: FileKey?) {
    (self.side, self.number, self.key) = (side, number, key)
  }

  func put(to record: inout [UInt8]) {
    record.append(side.rawValue)
    guard let key else { return }
    record.append(zigzag: number)
    record.append(zigzag: key.size)
    record.append(varint: key.high)
    record.append(varint: key.low)
  }

  init(_ record: Span<UInt8>) {
    var reader = PageReader(record)
    side = Side(rawValue: reader.takeByte()) ?? .unmoved
    number = -1
    if side == .unmoved { return }
    number = reader.takeInt32()
    key = FileKey(
      size: reader.takeNumber(), high: reader.takeVarint(), low: reader.takeVarint())
  }
}

/// The files with one digest, which nearly always have the same key.
private struct MoveGroup {
  private struct Files {
    var old: [Int32] = []
    var new: [Int32] = []
  }

  private var first: FileKey?
  private var files = Files()
  private var others: [FileKey: Files] = [:]
  private var isUnmoved = false

  mutating func add(_ member: Member) {
    guard let key = member.key else {
      isUnmoved = true
      return
    }
    if first == nil { first = key }
    if key == first {
      Self.add(member, to: &files)
    } else {
      Self.add(member, to: &others[key, default: Files()])
    }
  }

  private static func add(_ member: Member, to files: inout Files) {
    if member.side == .new {
      files.new.append(member.number)
    } else {
      files.old.append(member.number)
    }
  }

  mutating func pair(into pairs: inout MovePairs) throws(Errno) {
    if !isUnmoved {
      try pairs.add(old: files.old, new: files.new)
      for files in others.values { try pairs.add(old: files.old, new: files.new) }
    }
    first = nil
    files.old.removeAll(keepingCapacity: files.old.count < 4096)
    files.new.removeAll(keepingCapacity: files.new.count < 4096)
    if !others.isEmpty { others = [:] }
    isUnmoved = false
  }
}

/// Identifies a moved file: by its size and modification time, or by its object ID.
struct FileKey: Hashable, Sendable {
  /// The size; 0 if there is an object ID.
  var size: Int64
  /// Seconds and nanoseconds of the time, or the object ID.
  var high: UInt64
  var low: UInt64

  init(size: Int64, high: UInt64, low: UInt64) {
    (self.size, self.high, self.low) = (size, high, low)
  }

  /// The key of a file; nil for files that are empty, not regular, or too little known.
  init?(_ version: FileVersion, _ knowledge: ContentKnowledge) {
    let facts = version.facts
    guard version.isThere, facts.kind == .regular, facts.size > 0 || !facts.status.hasSize else {
      return nil
    }
    size = knowledge == .objects ? 0 : facts.size
    switch knowledge {
    case .objects:
      guard facts.status.isCompared, let object = version.object else { return nil }
      (high, low) = (object.high, object.low)
    case .nanoseconds:
      guard facts.status == .known, let nanoseconds = version.nanoseconds else { return nil }
      (high, low) = (UInt64(bitPattern: facts.modified), UInt64(nanoseconds))
    case .seconds:
      guard facts.status == .known else { return nil }
      (high, low) = (UInt64(bitPattern: facts.modified), 0)
    }
  }

  var digest: UInt64 {
    let first = SplitMix64.number(UInt64(bitPattern: size) ^ low &* 0x9E37_79B9_7F4A_7C15, 0)
    return SplitMix64.number(first ^ high, 1)
  }
}

extension FileVersion {
  /// Whether both have the same file, as far as known; nil if either could not be read.
  func isSame(as other: FileVersion, ignoringTimes: Bool = false) -> Bool? {
    guard facts.status.isCompared, other.facts.status.isCompared, facts.kind != .unknown,
      other.facts.kind != .unknown
    else { return nil }
    if facts.kind != other.facts.kind { return false }
    if let object, let otherObject = other.object { return object == otherObject }
    if facts.status.hasSize, other.facts.status.hasSize, facts.size != other.facts.size {
      return false
    }
    guard !ignoringTimes, facts.status == .known, other.facts.status == .known else { return true }
    if facts.modified != other.facts.modified { return false }
    guard let nanoseconds, let others = other.nanoseconds else { return true }
    return nanoseconds == others
  }

  /// Whether all known metadata of both states is equal.
  @inline(__always)
  func isClearlySame(as other: FileVersion) -> Bool {
    guard isThere, other.isThere, facts.status == .known, other.facts.status == .known,
      object == nil, other.object == nil
    else { return false }
    return facts.size == other.facts.size && facts.modified == other.facts.modified
      && nanoseconds == other.nanoseconds && facts.kind == other.facts.kind
      && facts.kind != .unknown
  }

  var size: Int64? { facts.status.hasSize ? facts.size : nil }
}

extension EntryFacts.Status {
  /// Whether the entry could be read as far as requested, so that it can be compared.
  var isCompared: Bool { self == .known || self == .sized || self == .unasked }
}
