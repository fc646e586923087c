import GeoCore

/// The totals of all folders of some trees, from a first scan and later updates.
///
/// A folder keeps its number while it exists. It takes 56 bytes and its name. A copy shares
/// unchanged storage, so an update costs in proportion to its changes.
package struct TreeTotals: LinkedForest, Sendable {
  struct Record: BitwiseCopyable, Sendable {
    /// −1 if the folder was not listed.
    var files: Int64
    /// −1 if unknown.
    var bytes: Int64 = 0
    /// −1 if unknown.
    var allocated: Int64 = 0
    /// The offset of its name in `names`.
    var nameStart: Int
    var nameLength: Int32
    /// The number of its parent; −1 for a root.
    var parent: Int32
    /// Its first sub-folder in tree order; −1 if it has none.
    var first: Int32 = -1
    /// Its next sibling; −1 for the last.
    var next: Int32 = -1
    /// The number of folders below it.
    var below: Int32 = 0
    /// Whether the number is in use.
    var isThere = true

    var sums: TreeSums {
      get {
        TreeSums(
          files: max(0, Int(files)), bytes: bytes < 0 ? TreeSums.unknown : Int128(bytes),
          allocated: allocated < 0 ? TreeSums.unknown : Int128(allocated))
      }
      set {
        files = Int64(max(0, newValue.files))
        bytes = newValue.knownBytes ?? -1
        allocated = newValue.knownAllocated ?? -1
      }
    }
  }

  /// Amounts counted for some files.
  struct Amounts: Equatable, Sendable {
    var sums = TreeSums()
    var classBytes: [Int64]

    init(classes: Int) { classBytes = [Int64](repeating: 0, count: classes) }

    mutating func add(_ more: Amounts) {
      sums += more.sums
      for index in classBytes.indices {
        classBytes[index] = TreeTotals.sum(classBytes[index], more.classBytes[index])
      }
    }

    mutating func subtract(_ fewer: Amounts) {
      sums -= fewer.sums
      for index in classBytes.indices {
        classBytes[index] = max(0, classBytes[index] - fewer.classBytes[index])
      }
    }
  }

  /// The greatest values of some files.
  struct Peaks: BitwiseCopyable, Equatable, Sendable {
    var newest: Int64 = .min
    var largest: Int64 = 0

    init() {}
    init(_ sums: TreeSums) { (newest, largest) = (sums.newest, sums.largest) }

    mutating func formMaximum(_ other: Peaks) {
      newest = max(newest, other.newest)
      largest = max(largest, other.largest)
    }

    /// Whether all values are at least as great.
    func covers(_ other: Peaks) -> Bool { newest >= other.newest && largest >= other.largest }
  }

  var records = ChunkedArray<Record>(bits: 8)
  var names: [UInt8] = []
  /// With details: the peaks of all files below each folder.
  var peaks = ChunkedArray<Peaks>(bits: 9)
  /// With details: the peaks of each folder's own files.
  var ownPeaks = ChunkedArray<Peaks>(bits: 9)
  /// With details: the bytes of each class of files, folder by folder.
  var classBytes = ChunkedArray<Int64>(bits: 11)
  /// The number of classes; 0 without details.
  var classes = 0
  /// With layers: what each folder says of each layer, folder by folder.
  var cells = ChunkedArray<LayerCell>(bits: 9)
  package internal(set) var layers = 0
  /// For each folder, the amounts that it counts once although two of its sub-folders have them.
  var repeated: [Int: Amounts] = [:]
  /// Folders with a file that has another name below them.
  var shared: Set<Int> = []
  /// Whether any file may have several names, so that updates count it in a folder and again in
  /// another.
  package internal(set) var hasSharedFiles = false
  /// Whether only names were read, so that sizes are unknown, and a file with several names counts
  /// for each.
  package var hasNamesOnly = false
  /// The numbers of removed folders.
  var free: [Int] = []
  /// The number of bytes in `names` that are not in use.
  var unusedNames = 0

  package var count: Int { records.count - free.count }

  /// The totals of a folder; nil if it is missing or could not be listed.
  package subscript(folder: Int) -> FolderTotals? {
    guard isThere(folder) else { return nil }
    let record = records[folder]
    if record.files < 0 { return nil }
    return FolderTotals(
      files: record.files, bytes: record.bytes < 0 ? nil : record.bytes,
      allocated: record.allocated < 0 ? nil : record.allocated)
  }

  package func isThere(_ folder: Int) -> Bool {
    records.indices.contains(folder) && records[folder].isThere
  }

  package func first(in folder: Int?) -> Int? {
    guard let folder else { return records.isEmpty ? nil : 0 }
    guard isThere(folder), records[folder].first >= 0 else { return nil }
    return Int(records[folder].first)
  }

  package func next(after folder: Int) -> Int? {
    records[folder].next < 0 ? nil : Int(records[folder].next)
  }

  package func name(of folder: Int) -> ArraySlice<UInt8> {
    let start = records[folder].nameStart
    return names[start..<(start + Int(records[folder].nameLength))]
  }

  package func parent(of folder: Int) -> Int? {
    records[folder].parent < 0 ? nil : Int(records[folder].parent)
  }

  /// Adds a folder, without details.
  mutating func append(_ record: Record) -> Int {
    let number: Int
    if let used = free.popLast() {
      number = used
      records[used] = record
    } else {
      number = records.count
      records.append(record)
    }
    for layer in 0..<layers {
      if number * layers + layer < cells.count {
        cells[number * layers + layer] = .none
      } else {
        cells.append(.none)
      }
    }
    if classes == 0 { return number }
    if number < peaks.count {
      peaks[number] = Peaks()
      ownPeaks[number] = Peaks()
      for index in 0..<classes { classBytes[number * classes + index] = 0 }
    } else {
      peaks.append(Peaks())
      ownPeaks.append(Peaks())
      for _ in 0..<classes { classBytes.append(0) }
    }
    return number
  }

  package static func sum(_ a: Int64, _ b: Int64) -> Int64 { a.adding(saturating: b) }
}

/// Details of the files below a folder.
package struct FolderDetails: Sendable, Hashable {
  /// The latest modification time in Unix seconds; nil if none is known.
  package var newest: Int64?
  /// The bytes of each class, counting files with several names once.
  package var bytes: [Int64]

  /// The class with the most bytes; nil if there are no bytes.
  package var largestClass: Int? {
    guard let maximum = bytes.max(), maximum > 0 else { return nil }
    return bytes.firstIndex(of: maximum)
  }
}

extension TreeTotals {
  /// The details of a folder; nil if it is missing, not listed, or details were not requested.
  package func details(of folder: Int) -> FolderDetails? {
    guard classes > 0, self[folder] != nil else { return nil }
    return FolderDetails(
      newest: peaks[folder].newest == .min ? nil : peaks[folder].newest,
      bytes: (0..<classes).map { classBytes[folder * classes + $0] })
  }

  /// What a folder says of each layer; empty if it is missing, or without layers.
  package func cells(of folder: Int) -> [LayerCell] {
    if !isThere(folder) { return [] }
    return (0..<layers).map { cells[folder * layers + $0] }
  }

  /// Takes over what folders of other totals say of layers. A folder that these lack says nothing.
  /// Returns whether any folder says something else than before. O(folders).
  @discardableResult
  package mutating func copyLayers(of other: TreeTotals) -> Bool {
    let before = cells
    layers = other.layers
    cells = ChunkedArray(bits: 9)
    for _ in 0..<(records.count * layers) { cells.append(.none) }
    var pending: [(here: Int?, there: Int?)] = [(nil, nil)]
    while let (here, there) = pending.popLast() {
      let (names, numbers) = folders(in: here)
      for (number, match) in zip(numbers, other.numbers(of: names, in: there))
      where match != Self.missing {
        for layer in 0..<layers {
          cells[number * layers + layer] = other.cells[match * layers + layer]
        }
        pending.append((number, match))
      }
    }
    if cells.count != before.count { return true }
    return cells.indices.contains { cells[$0] != before[$0] }
  }

  /// Drops all totals, so that folders say only their layers.
  package mutating func dropTotals() {
    for index in records.indices { records[index].files = -1 }
  }

  /// The names and numbers of a folder's sub-folders, in byte order of their names.
  /// Those of the roots for nil.
  package func folders(in folder: Int?) -> (names: NameTable, numbers: [Int]) {
    var names = NameTable()
    let numbers = subfolders(of: folder)
    for number in numbers {
      let start = records[number].nameStart
      names.append(
        self.names.span.extracting(start..<(start + Int(records[number].nameLength))),
        kind: .directory)
    }
    return (names, numbers)
  }

  /// Whether the room on disk of all roots is known.
  ///
  /// Some file systems report no room for any file. Then it counts as unknown. An unreadable root has
  /// no sums.
  package var knowsRoom: Bool {
    var (bytes, room) = (Int64(0), Int64(0))
    for root in subfolders(of: nil) {
      guard let sums = self[root] else { continue }
      guard let allocated = sums.allocated else { return false }
      bytes = Self.sum(bytes, sums.bytes ?? 0)
      room = Self.sum(room, allocated)
    }
    return room > 0 || bytes == 0
  }

  package func count(below folder: Int) -> Int {
    isThere(folder) ? Int(records[folder].below) : 0
  }
}
