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
  static let memory = 4 << 20
  /// Approximate bytes for a candidate while it is sorted.
  private static let bytesOfCandidate = 64
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

  init(_ tree: ChangeTree) { unmoved = PagedList(tree.store) }

  var usedMemory: Int { min(count * Self.bytesOfCandidate, Self.memory) }

  /// Bytes of memory while candidates are paired: the pairs are sorted at the same time.
  var memoryOfPairs: Int { mayPair ? 2 * usedMemory : usedMemory }

  mutating func add(_ candidate: MoveCandidate) throws(Errno) {
    count += 1
    let digest = candidate.key.digest
    if seen.old.isEmpty {
      seen.old = Array(repeating: 0, count: 1 << (Self.digestBits - 6))
      seen.new = seen.old
    }
    let (word, bit) = Self.bit(of: digest)
    if candidate.side == .new { seen.new[word] |= bit } else { seen.old[word] |= bit }
    if isOnBothSides(digest) { mayPair = true }
    try candidates.add(candidate, key: digest)
  }

  mutating func add(unmoved digests: [UInt64]) throws(Errno) {
    for digest in digests { try unmoved.append(digest) }
  }

  private static func bit(of digest: UInt64) -> (word: Int, bit: UInt64) {
    let number = digest >> UInt64(64 - digestBits)
    return (Int(number >> 6), 1 << (number & 63))
  }

  private func isOnBothSides(_ digest: UInt64) -> Bool {
    let (word, bit) = Self.bit(of: digest)
    return seen.old[word] & seen.new[word] & bit != 0
  }

  /// Both files of each move: records with a file's number as the key and the other file's number
  /// as the content.
  consuming func partners(in tree: ChangeTree) throws(Errno) -> SortedRecords {
    if !mayPair { return SortedRecords() }
    for index in unmoved.indices {
      let digest = unmoved[index]
      if isOnBothSides(digest) { try candidates.add(MoveCandidate(), key: digest) }
    }
    if let failure = tree.failure { throw failure }
    var pairs = MovePairs(tree)
    var group = MoveGroup()
    var digest: UInt64?
    var cursor = try candidates.finish().cursor()
    while try cursor.advance() {
      if cursor.key != digest {
        try group.pair(into: &pairs)
        digest = cursor.key
      }
      // Others have no partner.
      if isOnBothSides(cursor.key) { group.add(cursor.record(MoveCandidate())) }
    }
    try group.pair(into: &pairs)
    return try pairs.finish()
  }
}

struct MoveCandidate: PageCodable, Sendable {
  enum Side: UInt8 { case old, new, unmoved }

  var side = Side.unmoved
  /// Number of the file: within a part at first, then in the tree.
  var number: Int32 = -1
  var key = FileKey(size: 0, high: 0, low: 0)

  mutating func code(_ page: inout PageCoder) {
    page.code(&side)
    if side == .unmoved { return }
    page.code(&number)
    page.code(&key.size)
    page.code(&key.high)
    page.code(&key.low)
  }
}

struct MoveSides {
  private(set) var old: [Int32] = []
  private(set) var new: [Int32] = []

  mutating func add(_ candidate: MoveCandidate) {
    if candidate.side == .new { new.append(candidate.number) } else { old.append(candidate.number) }
  }
}

/// The files with one digest, which nearly always have the same key.
private struct MoveGroup {
  private var files: [FileKey: MoveSides] = [:]
  private var isUnmoved = false

  mutating func add(_ candidate: MoveCandidate) {
    if candidate.side == .unmoved {
      isUnmoved = true
    } else {
      files[candidate.key, default: MoveSides()].add(candidate)
    }
  }

  mutating func pair(into pairs: inout MovePairs) throws(Errno) {
    if !isUnmoved { for sides in files.values { try pairs.add(sides) } }
    self = MoveGroup()
  }
}

/// Identifies a moved file: by its size and modification time, or by its object ID.
struct FileKey: Hashable, Sendable {
  /// The size; 0 if there is an object ID.
  var size: Int64
  /// Seconds and nanoseconds of the time, or the object ID.
  var high: UInt64
  var low: UInt64

  var digest: UInt64 {
    let first = SplitMix64.number(UInt64(bitPattern: size) ^ low &* 0x9E37_79B9_7F4A_7C15, 0)
    return SplitMix64.number(first ^ high, 1)
  }
}

extension FileKey {
  /// The key of a file; nil for files that are empty, not regular, or too little known.
  init?(_ version: FileVersion, _ knowledge: ContentKnowledge) {
    let facts = version.facts
    guard version.isThere, facts.kind == .regular, facts.size > 0 || !facts.status.hasSize else {
      return nil
    }
    switch knowledge {
    case .objects:
      guard facts.status.isCompared, let object = version.object else { return nil }
      self.init(size: 0, high: object.high, low: object.low)
    case .nanoseconds, .seconds:
      guard facts.status == .known else { return nil }
      var low: UInt64 = 0
      if knowledge == .nanoseconds {
        guard let nanoseconds = version.nanoseconds else { return nil }
        low = UInt64(nanoseconds)
      }
      self.init(size: facts.size, high: UInt64(bitPattern: facts.modified), low: low)
    }
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
