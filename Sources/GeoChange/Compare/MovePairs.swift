import GeoFormats
import GeoSystem

/// Pairs files with the same key and sorts the pairs by file number.
struct MovePairs {
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

  mutating func add(old: [Int32], new: [Int32]) throws(Errno) {
    if old.isEmpty || new.isEmpty { return }
    if old.count + new.count <= few { return try addByName(old, new) }
    // A large group is split by digests of names first.
    var named = RecordSorter(memory: memory)
    for (numbers, side) in [(old, UInt8(0)), (new, 1)] {
      for number in numbers {
        record.removeAll(keepingCapacity: true)
        record.append(side)
        record.append(zigzag: number)
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
    let pairs = Self.pairs(
      old, new, name: { tree.names[tree.files[Int($0)].name] },
      path: { tree.path(ofFile: Int($0)) })
    for (file, other) in pairs { try add(file, other) }
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

  private mutating func add(_ old: Int32, _ new: Int32) throws(Errno) {
    for (file, other) in [(old, new), (new, old)] {
      record.removeAll(keepingCapacity: true)
      record.append(zigzag: other)
      try sorter.add(content: record, key: UInt64(file))
    }
  }
}
