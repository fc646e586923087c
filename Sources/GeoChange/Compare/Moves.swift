import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree

/// Finds the files that moved, among those that were removed and added.
///
/// Memory is bounded: what doesn't fit is sorted in scratch files.
struct Moves {
  /// Bytes of memory for sorting.
  private static let memory = 4 << 20
  /// Bytes that a candidate takes while it is sorted, about.
  private static let bytesOfCandidate = 64
  /// How many files of one key are paired without being sorted first.
  private static let few = 4096
  /// Bits of each of ``marks``, as a power of two.
  private static let markBits = 23

  private var candidates = RecordSorter(memory: Self.memory)
  private var count = 0
  /// A bit for the digest of each candidate of either side: nearly all files that are where they were have
  /// none in both.
  private var marks: (old: [UInt64], new: [UInt64]) = ([], [])
  /// Whether any two candidates may be one file.
  private(set) var mayPair = false
  /// Digests of files that are where they were.
  private var unmoved: PagedList<UInt64>
  private var record: [UInt8] = []

  init(_ tree: ChangeTree) { unmoved = tree.list(of: UInt64.self) }

  /// How many bytes of memory the candidates take while they come.
  var room: Int { min(count * Self.bytesOfCandidate, Self.memory) }

  /// How many bytes they take while they are paired: pairs are sorted beside what they are made of.
  var roomOfPairs: Int { mayPair ? 2 * room : room }

  /// Takes account of a file that was added or removed.
  ///
  /// - Parameter number: Of the file.
  mutating func add(_ candidate: ComparePart.Candidate, number: Int32) throws(Errno) {
    count += 1
    let digest = candidate.key.digest
    if marks.old.isEmpty {
      marks.old = Array(repeating: 0, count: 1 << (Self.markBits - 6))
      marks.new = marks.old
    }
    let (word, bit) = Self.mark(digest)
    if candidate.isNew { marks.new[word] |= bit } else { marks.old[word] |= bit }
    if marks.old[word] & marks.new[word] & bit != 0 { mayPair = true }
    try add(Member(candidate.isNew ? .new : .old, number, candidate.key), of: digest)
  }

  /// Takes account of files that are where they were.
  mutating func add(unmoved digests: [UInt64]) throws(Errno) {
    for digest in digests { try unmoved.append(digest) }
  }

  private static func mark(_ digest: UInt64) -> (word: Int, bit: UInt64) {
    let number = digest >> UInt64(64 - markBits)
    return (Int(number >> 6), 1 << (number & 63))
  }

  private mutating func add(_ member: Member, of digest: UInt64) throws(Errno) {
    record.removeAll(keepingCapacity: true)
    member.put(to: &record)
    try candidates.add(content: record, key: digest)
  }

  /// The files that moved, and those that left: records with a file's number as their key, which tell the
  /// number of the other file.
  ///
  /// - Complexity: O(n log n) of those that were added and removed, O(n) of the others.
  consuming func partners(in tree: ChangeTree) throws(Errno) -> SortedRecords {
    if !mayPair { return SortedRecords() }
    for index in unmoved.indices {
      let digest = unmoved[index]
      let (word, bit) = Self.mark(digest)
      if marks.old[word] & marks.new[word] & bit != 0 {
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
        try group.settle(&pairs)
        digest = cursor.key
      }
      group.add(cursor.withContent { Member($0) })
    }
    try group.settle(&pairs)
    return try pairs.finish()
  }
}

/// A file of some key, as it is sorted.
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
    record.append(number: number)
    record.append(number: key.size)
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

/// The files of one digest, which nearly always have one key.
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

  /// Pairs what there is, and is empty again.
  mutating func settle(_ pairs: inout MovePairs) throws(Errno) {
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

/// Pairs files of one key, and keeps the pairs in the order of the files.
private struct MovePairs {
  private let tree: ChangeTree
  private let memory: Int
  private let few: Int
  private var sorter: RecordSorter
  private var record: [UInt8] = []

  init(_ tree: ChangeTree, memory: Int, few: Int) {
    (self.tree, self.memory, self.few) = (tree, memory, few)
    sorter = RecordSorter(memory: memory)
  }

  consuming func finish() throws(Errno) -> SortedRecords { try sorter.finish() }

  /// Pairs files of one key: the only one of each side, else those of one name.
  mutating func add(old: [Int32], new: [Int32]) throws(Errno) {
    if old.isEmpty || new.isEmpty { return }
    if old.count == 1, new.count == 1 { return try add(old[0], new[0]) }
    if old.count + new.count <= few { return try addByName(old, new) }
    // Of very many those come together whose names have the same digest.
    var named = RecordSorter(memory: memory)
    for (numbers, side) in [(old, UInt8(0)), (new, 1)] {
      for number in numbers {
        record.removeAll(keepingCapacity: true)
        record.append(side)
        record.append(number: number)
        try named.add(content: record, key: digest(ofName: number))
      }
    }
    var (some, others): ([Int32], [Int32]) = ([], [])
    var digest: UInt64?
    var cursor = try named.finish().cursor()
    while try cursor.advance() {
      if cursor.key != digest {
        try addByName(some, others)
        digest = cursor.key
        some = []
        others = []
      }
      let (side, number) = cursor.withContent { content in
        var reader = PageReader(content)
        return (reader.takeByte(), reader.takeInt32())
      }
      if side == 0 { some.append(number) } else { others.append(number) }
    }
    try addByName(some, others)
  }

  private func digest(ofName number: Int32) -> UInt64 {
    // FNV-1a (Fowler, Noll, Vo).
    tree.names.with(tree.files[Int(number)].name) { name in
      var digest: UInt64 = 0xCBF2_9CE4_8422_2325
      for index in 0..<name.count { digest = (digest ^ UInt64(name[index])) &* 0x100_0000_01B3 }
      return digest
    }
  }

  private mutating func addByName(_ old: [Int32], _ new: [Int32]) throws(Errno) {
    if old.isEmpty || new.isEmpty { return }
    let old = Dictionary(grouping: old) { tree.names[tree.files[Int($0)].name] }
    let new = Dictionary(grouping: new) { tree.names[tree.files[Int($0)].name] }
    for (name, files) in old {
      guard let others = new[name] else { continue }
      for (file, other) in zip(sorted(files), sorted(others)) { try add(file, other) }
    }
  }

  private func sorted(_ files: [Int32]) -> [Int32] {
    if files.count < 2 { return files }
    return files.map { (path: tree.path(ofFile: Int($0)), file: $0) }
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }.map(\.file)
  }

  private mutating func add(_ old: Int32, _ new: Int32) throws(Errno) {
    for (file, other) in [(old, new), (new, old)] {
      record.removeAll(keepingCapacity: true)
      record.append(number: other)
      try sorter.add(content: record, key: UInt64(file))
    }
  }
}

/// By what a file is known again at another place: its size and its time of change, or its object.
struct FileKey: Hashable, Sendable {
  /// 0 with an object, which tells it.
  var size: Int64
  /// Seconds and nanoseconds of the time, or the object's name.
  var high: UInt64
  var low: UInt64

  /// A key of the given parts.
  init(size: Int64, high: UInt64, low: UInt64) {
    (self.size, self.high, self.low) = (size, high, low)
  }

  /// The key of a file; nil for what is no regular file, is empty, or of which too little is known.
  ///
  /// - Parameter knowledge: What all states know.
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

  /// The key of a file of some contents; nil for what is no regular file.
  init?(_ object: ObjectID) {
    guard object.mode >> 12 == 0o10 else { return nil }
    self.init(size: 0, high: object.high, low: object.low)
  }

  /// What stands for it among very many.
  var digest: UInt64 {
    let first = SplitMix64.number(UInt64(bitPattern: size) ^ low &* 0x9E37_79B9_7F4A_7C15, 0)
    return SplitMix64.number(first ^ high, 1)
  }
}

extension FileVersion {
  /// Whether the same file is there in two states, as far as both know it; nil if that can't be said
  /// because one of them could not read it.
  func isSame(as other: FileVersion) -> Bool? {
    guard facts.status.isCompared, other.facts.status.isCompared, facts.kind != .unknown,
      other.facts.kind != .unknown
    else { return nil }
    if facts.kind != other.facts.kind { return false }
    if let object, let otherObject = other.object { return object == otherObject }
    if facts.status.hasSize, other.facts.status.hasSize, facts.size != other.facts.size {
      return false
    }
    guard facts.status == .known, other.facts.status == .known else { return true }
    if facts.modified != other.facts.modified { return false }
    guard let nanoseconds, let others = other.nanoseconds else { return true }
    return nanoseconds == others
  }

  /// Whether the same file is there in two states beyond doubt: all that they know of it is the same.
  @inline(__always)
  func isClearlySame(as other: FileVersion) -> Bool {
    guard isThere, other.isThere, facts.status == .known, other.facts.status == .known,
      object == nil, other.object == nil
    else { return false }
    return facts.size == other.facts.size && facts.modified == other.facts.modified
      && nanoseconds == other.nanoseconds && facts.kind == other.facts.kind
      && facts.kind != .unknown
  }

  /// Its size; nil if it is not known.
  var size: Int64? { facts.status.hasSize ? facts.size : nil }
}

extension EntryFacts.Status {
  /// Whether an entry could be read, as far as somebody asked.
  var isCompared: Bool { self == .known || self == .sized || self == .unasked }
}
