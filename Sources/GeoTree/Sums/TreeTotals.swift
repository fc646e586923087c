import GeoCore

/// The totals of all folders of some trees, as a first pass found them, and as updates changed them.
///
/// A folder keeps its number as long as it is there. It takes 56 bytes and its name. A copy shares all but what
/// changes, so an update costs what it changes.
public struct TreeTotals: Sendable {
  /// A folder's totals and its place in the tree.
  struct Record: BitwiseCopyable, Sendable {
    /// −1 if it was not listed.
    var files: Int64
    /// −1 if it is not known.
    var bytes: Int64 = 0
    /// −1 if it is not known.
    var allocated: Int64 = 0
    /// Where its name begins in the arena.
    var nameStart: Int
    var nameLength: Int32
    /// The folder that it is in; −1 of a root.
    var parent: Int32
    /// The first of its sub-folders, in the order of the tree; −1 if it has none.
    var first: Int32 = -1
    /// The sub-folder, or root, after it; −1 if it is the last one.
    var next: Int32 = -1
    /// How many folders are below it.
    var below: Int32 = 0
    /// Whether the number is in use.
    var isThere = true

    /// The totals.
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

  /// What is counted of some files.
  struct Amounts: Equatable, Sendable {
    var sums = TreeSums()
    /// Bytes of each class.
    var classBytes: [Int64]

    /// Nothing.
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

  var records = ChunkedArray<Record>(bits: 8)
  var names: [UInt8] = []
  /// Of each folder, where a pass was asked for details: the Unix time of the last change below it.
  var newest = ChunkedArray<Int64>(bits: 10)
  /// The same of its own files alone.
  var ownNewest = ChunkedArray<Int64>(bits: 10)
  /// And bytes of each class of files, folder by folder.
  var classBytes = ChunkedArray<Int64>(bits: 11)
  /// How many classes there are; 0 where a pass was not asked for details.
  var classes = 0
  /// What folders count once although two of their sub-folders have it.
  var repeated: [Int: Amounts] = [:]
  /// Folders of which a file has another name below them.
  var shared: Set<Int> = []
  /// Numbers that are not in use.
  var free: [Int] = []
  /// Bytes of names that are not in use.
  var unusedNames = 0

  /// The number of a folder that the first pass did not meet.
  public static let missing = -1

  /// How many folders there are.
  public var count: Int { records.count - free.count }

  /// What is below a folder; nil if the first pass did not meet it or could not list it.
  public subscript(folder: Int) -> FolderTotals? {
    guard isThere(folder) else { return nil }
    let record = records[folder]
    if record.files < 0 { return nil }
    return FolderTotals(
      files: record.files, bytes: record.bytes < 0 ? nil : record.bytes,
      allocated: record.allocated < 0 ? nil : record.allocated)
  }

  /// Whether a number is that of a folder.
  package func isThere(_ folder: Int) -> Bool {
    records.indices.contains(folder) && records[folder].isThere
  }

  /// The first sub-folder of a folder, or the first root; −1 if there is none.
  func first(in folder: Int?) -> Int {
    guard let folder else { return records.isEmpty ? -1 : 0 }
    return isThere(folder) ? Int(records[folder].first) : -1
  }

  /// The numbers of some of a folder's sub-folders.
  ///
  /// - Parameters:
  ///   - folder: The folder's number; nil for the roots.
  ///   - folders: Their names, sorted.
  /// - Returns: One number for each; ``missing`` where the first pass did not meet it.
  /// - Complexity: O(sub-folders), then and now.
  public func numbers(of folders: NameTable, in folder: Int?) -> [Int] {
    var next = first(in: folder)
    return folders.records.map { record in
      let name = folders.bytes[record.range]
      while next >= 0 {
        let known = self.name(of: next)
        if known.elementsEqual(name) {
          defer { next = Int(records[next].next) }
          return next
        }
        if name.lexicographicallyPrecedes(known) { break }
        next = Int(records[next].next)
      }
      return Self.missing
    }
  }

  /// The name of a folder, or a root's label.
  func name(of folder: Int) -> ArraySlice<UInt8> {
    let start = records[folder].nameStart
    return names[start..<(start + Int(records[folder].nameLength))]
  }

  /// The label of the root and the names that lead to a folder, joined by `/`.
  package func path(of folder: Int) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    var next = folder
    while next >= 0 {
      parts.append(name(of: next))
      next = Int(records[next].parent)
    }
    return Array(parts.reversed().joined(separator: [.slash]))
  }

  /// The number of the folder that a folder is in; nil of a root.
  package func parent(of folder: Int) -> Int? {
    records[folder].parent < 0 ? nil : Int(records[folder].parent)
  }

  /// Takes in a folder of which nothing is known yet.
  mutating func append(_ record: Record) -> Int {
    let number: Int
    if let used = free.popLast() {
      number = used
      records[used] = record
    } else {
      number = records.count
      records.append(record)
    }
    if classes == 0 { return number }
    if number < newest.count {
      newest[number] = .min
      ownNewest[number] = .min
      for index in 0..<classes { classBytes[number * classes + index] = 0 }
    } else {
      newest.append(.min)
      ownNewest.append(.min)
      for _ in 0..<classes { classBytes.append(0) }
    }
    return number
  }

  /// A sum that stays where numbers end.
  static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? (b > 0 ? .max : .min) : sum
  }
}

/// What is known of files below a folder besides how many and how large they are.
public struct FolderDetails: Sendable, Hashable {
  /// Unix time of the last change of any of them; nil if there is none whose time is known.
  public var newest: Int64?
  /// Bytes of each class, a file of several names once.
  public var bytes: [Int64]

  /// The class with the most bytes; nil if there are no bytes.
  public var largestClass: Int? {
    guard let most = bytes.max(), most > 0 else { return nil }
    return bytes.firstIndex(of: most)
  }
}

extension TreeTotals {
  /// What else is known of what is below a folder; nil where the pass was not asked for it.
  public func details(of folder: Int) -> FolderDetails? {
    guard classes > 0, self[folder] != nil else { return nil }
    return FolderDetails(
      newest: newest[folder] == .min ? nil : newest[folder],
      bytes: (0..<classes).map { classBytes[folder * classes + $0] })
  }

  /// The names of a folder's sub-folders in the order of the tree, which is that of their bytes, and
  /// their numbers.
  ///
  /// - Parameter folder: The folder's number; nil for the roots.
  /// - Complexity: O(sub-folders).
  public func folders(in folder: Int?) -> (names: NameTable, numbers: [Int]) {
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

  /// The numbers of a folder's sub-folders, or of the roots, in the order of the tree.
  func subfolders(of folder: Int?) -> [Int] {
    var numbers: [Int] = []
    var next = first(in: folder)
    while next >= 0 {
      numbers.append(next)
      next = Int(records[next].next)
    }
    return numbers
  }

  /// How many folders are below a folder.
  public func count(below folder: Int) -> Int {
    isThere(folder) ? Int(records[folder].below) : 0
  }

  /// The number of the folder at a path.
  ///
  /// - Parameter names: The root's label, then names.
  /// - Returns: ``missing`` if the pass did not meet it.
  /// - Complexity: O(sub-folders of all folders on the way).
  public func number(of names: [ArraySlice<UInt8>]) -> Int {
    var folder: Int?
    for name in names {
      let table = NameTable([Array(name)], kind: .directory)
      let found = numbers(of: table, in: folder)[0]
      if found == Self.missing { return found }
      folder = found
    }
    return folder ?? Self.missing
  }
}
