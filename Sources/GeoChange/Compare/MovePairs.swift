import GeoFormats
import GeoSystem

/// Pairs files with the same key and sorts the pairs by file number.
struct MovePairs {
  /// Maximum number of files with one key that are paired by name in memory; more are sorted first.
  private static let few = 4096

  private let tree: ChangeTree
  private var sorter = RecordSorter(memory: Moves.memory)

  init(_ tree: ChangeTree) { self.tree = tree }

  consuming func finish() throws(Errno) -> SortedRecords { try sorter.finish() }

  mutating func add(_ files: MoveSides) throws(Errno) {
    if files.old.isEmpty || files.new.isEmpty { return }
    if files.old.count + files.new.count <= Self.few { return try addByName(files) }
    // A large group is split by digests of names first.
    var named = RecordSorter(memory: Moves.memory)
    for (numbers, side) in [(files.old, MoveCandidate.Side.old), (files.new, .new)] {
      for number in numbers {
        try named.add(MoveCandidate(side: side, number: number), key: digest(ofName: number))
      }
    }
    var group = MoveSides()
    var digest: UInt64?
    var cursor = try named.finish().cursor()
    while try cursor.advance() {
      if cursor.key != digest {
        try addByName(group)
        (digest, group) = (cursor.key, MoveSides())
      }
      group.add(cursor.record(MoveCandidate()))
    }
    try addByName(group)
  }

  private func digest(ofName number: Int32) -> UInt64 {
    // FNV-1a (Fowler, Noll, Vo).
    tree.names.with(tree.files[Int(number)].name) { name in
      var digest: UInt64 = 0xCBF2_9CE4_8422_2325
      for index in 0..<name.count { digest = (digest ^ UInt64(name[index])) &* 0x100_0000_01B3 }
      return digest
    }
  }

  private mutating func addByName(_ files: MoveSides) throws(Errno) {
    let pairs = Self.pairs(
      files.old, files.new, name: { tree.names[tree.files[Int($0)].name] },
      path: { tree.path(ofFile: Int($0)) })
    for (old, new) in pairs {
      try sorter.add(new, key: UInt64(old))
      try sorter.add(old, key: UInt64(new))
    }
  }

  /// Pairs files with the same key: the only file on each side, else files with the same name, in
  /// the byte order of their paths.
  static func pairs(
    _ old: [Int32], _ new: [Int32], name: (Int32) -> [UInt8], path: (Int32) -> [UInt8]
  ) -> [(old: Int32, new: Int32)] {
    if old.isEmpty || new.isEmpty { return [] }
    if old.count == 1, new.count == 1 { return [(old[0], new[0])] }
    func sorted(_ files: [Int32]) -> [Int32] {
      if files.count < 2 { return files }
      return files.map { (path: path($0), file: $0) }
        .sorted { $0.path.lexicographicallyPrecedes($1.path) }.map(\.file)
    }
    let others = Dictionary(grouping: new, by: name)
    return Dictionary(grouping: old, by: name).flatMap { name, files in
      others[name].map { zip(sorted(files), sorted($0)).map { ($0, $1) } } ?? []
    }
  }
}
