import GeoPath
import GeoScan

/// The tree of a revision: folders by number, each with its files and sub-folders in byte order.
///
/// Memory: 64 bytes and the name for each entry.
struct GitTree: Sendable {
  /// An entry that is no folder, or a folder in another one.
  struct Entry: Sendable {
    let name: Range<Int>
    /// Less than 0 if nobody knows.
    var size: Int64
    /// The number of the folder that it is in.
    let parent: Int32
    /// Its own number, if it is a folder; −1 if it is one of another repository, −2 if it is none, −3 if
    /// what is in it was not read.
    let folder: Int32
    let kind: EntryKind
    /// What names its contents.
    let object: ObjectID
  }

  private(set) var names: [UInt8] = []
  private(set) var entries: [Entry] = []
  /// Where the entries of each folder begin; one more for the end.
  private(set) var starts: [Int] = []
  /// What is in the tree and can't be shown.
  private(set) var faults: [ScanFault] = []

  /// The folders on the way to the entry read last: where their paths end, and their numbers.
  private var way: [(length: Int, number: Int32)] = [(0, 0)]
  private var path: [UInt8] = []
  private var folderCount: Int32 = 1

  /// A submodule.
  static let foreign: Int32 = -1
  /// No folder.
  static let file: Int32 = -2
  /// A folder that was not read.
  static let unread: Int32 = -3

  /// Adds a line of `git ls-tree -z -r -t -l`, without the zero byte.
  ///
  /// - Returns: Whether it is one.
  mutating func add(_ line: Span<UInt8>) -> Bool {
    // MODE TYPE OBJECT SIZE<TAB>PATH, SIZE being `-` for what has none.
    var tab = 0
    while tab < line.count, line[tab] != 9 { tab += 1 }
    guard tab + 1 < line.count, line[0] != 0x20 else { return false }
    let fields = line.extracting(0..<tab).fields
    guard fields.count == 4 else { return false }
    let path = line.extracting((tab + 1)..<line.count)
    let size = line.extracting(fields[3]).number
    let mode = line.extracting(fields[0])
    guard mode.count == 6, [0o04, 0o10, 0o12, 0o16].contains(mode.octal >> 12),
      let object = line.extracting(fields[2]).object(mode: mode.octal)
    else { return false }
    let kind = object.kind.ofEntry
    var start = path.count
    while start > 0, path[start - 1] != .slash { start -= 1 }
    let folder: Int32
    if kind != .directory {
      folder = Self.file
    } else {
      folder = line.extracting(fields[1]).isTree ? folderCount : Self.foreign
    }
    add(path, nameAt: start, kind: kind, size: size, folder: folder, object)
    return true
  }

  private mutating func add(
    _ path: Span<UInt8>, nameAt start: Int, kind: EntryKind, size: Int64?, folder: Int32,
    _ object: ObjectID
  ) {
    // A folder comes before what is in it.
    let above = max(0, start - 1)
    while let last = way.last, last.length > above || !isOnWay(path, last.length) {
      way.removeLast()
    }
    let name = path.extracting(start..<path.count)
    guard let parent = way.last, parent.length == above, name.isValidName, folderCount < .max
    else { return refuse(path) }
    append(name, in: parent.number, kind: kind, size: size ?? -1, folder: folder, object)
    if folder < 0 { return }
    self.path.removeAll(keepingCapacity: true)
    for index in 0..<path.count { self.path.append(path[index]) }
    way.append((path.count, folder))
  }

  private mutating func append(
    _ name: Span<UInt8>, in parent: Int32, kind: EntryKind, size: Int64, folder: Int32,
    _ object: ObjectID
  ) {
    let offset = names.count
    for index in 0..<name.count { names.append(name[index]) }
    entries.append(
      Entry(
        name: offset..<names.count, size: size, parent: parent, folder: folder, kind: kind,
        object: object))
    if folder >= 0 { folderCount += 1 }
  }

  /// Adds an entry of a folder, whose size nobody knows yet.
  ///
  /// - Parameters:
  ///   - parent: The number of the folder; 0 is the top.
  ///   - isRead: Whether what is in it will be added, if it is a folder.
  /// - Returns: The number of the folder that it is, if what is in it is to be added.
  mutating func add(
    _ name: Span<UInt8>, in parent: Int32, _ object: ObjectID, isRead: Bool
  ) -> Int32? {
    guard name.isValidName, folderCount < .max else {
      refuse(name)
      return nil
    }
    let folder: Int32
    switch object.kind {
    case .tree: folder = isRead ? folderCount : Self.unread
    case .commit: folder = Self.foreign
    case .file, .link: folder = Self.file
    }
    append(
      name, in: parent, kind: object.kind.ofEntry, size: -1, folder: folder, object)
    return folder >= 0 ? folder : nil
  }

  /// Says how large the entry is that was added as one of some number.
  mutating func setSize(_ size: Int64, ofEntry number: Int) { entries[number].size = size }

  /// Whether a path leads through the folder at a length of the path read last.
  private func isOnWay(_ path: Span<UInt8>, _ length: Int) -> Bool {
    if length == 0 { return true }
    guard path.count > length, path[length] == .slash else { return false }
    return self.path.span.extracting(0..<length).equals(path.extracting(0..<length))
  }

  private mutating func refuse(_ path: Span<UInt8>) {
    var bytes: [UInt8] = []
    for index in 0..<path.count { bytes.append(path[index]) }
    faults.append(ScanFault(path: bytes, reason: .listed("the revision has it where it can't be")))
  }

  /// Puts all in the order of the map, when all was added.
  mutating func finish() {
    // Git sorts folders as if a slash ended their names; and entries of a folder are apart.
    let text = names
    entries.sort { a, b in
      if a.parent != b.parent { return a.parent < b.parent }
      let (x, y) = (a.folder == Self.file, b.folder == Self.file)
      if x != y { return x }
      return text.span.orders(a.name, before: b.name)
    }
    dropDoubles()
    starts = [Int](repeating: 0, count: Int(folderCount) + 1)
    for entry in entries { starts[Int(entry.parent) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    way = []
    path = []
  }

  /// No listing has a name twice; a tree that somebody made by hand may.
  private mutating func dropDoubles() {
    let text = names
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count)
    for entry in entries {
      if let last = kept.last, last.parent == entry.parent,
        (last.folder == Self.file) == (entry.folder == Self.file),
        text.span.extracting(last.name).equals(text.span.extracting(entry.name))
      {
        faults.append(
          ScanFault(path: Array(text[entry.name]), reason: .listed("the revision has it twice")))
        continue
      }
      kept.append(entry)
    }
    entries = kept
  }

  /// The files that are below some folders, which are known by their objects.
  ///
  /// - Complexity: O(entries).
  func readObjects(in contents: [ObjectID], _ take: (ObjectID) -> Void) {
    let wanted = Set(contents)
    var isBelow = [Bool](repeating: false, count: Int(folderCount))
    // A folder has a greater number than the one that it is in, and comes after it.
    for entry in entries {
      let isWanted = isBelow[Int(entry.parent)]
      if entry.folder == Self.file {
        if isWanted { take(entry.object) }
      } else if entry.folder >= 0, isWanted || wanted.contains(entry.object) {
        isBelow[Int(entry.folder)] = true
      }
    }
  }

  /// The entries of a folder: first the files.
  func entries(of folder: Int) -> ArraySlice<Entry> {
    folder + 1 < starts.count ? entries[starts[folder]..<starts[folder + 1]] : []
  }
}

extension Span<UInt8> {
  /// The stretches between spaces.
  fileprivate var fields: [Range<Int>] {
    var fields: [Range<Int>] = []
    var start = 0
    for index in 0...count where index == count || self[index] == 0x20 {
      if index > start { fields.append(start..<index) }
      start = index + 1
    }
    return fields
  }

  /// A decimal number; nil if it is none.
  fileprivate var number: Int64? {
    var number: Int64 = 0
    for index in 0..<count {
      guard (0x30...0x39).contains(self[index]), number < Int64.max / 10 else { return nil }
      number = number * 10 + Int64(self[index] - 0x30)
    }
    return isEmpty ? nil : number
  }

  /// The beginning of an object's name in hex digits; nil if it is none.
  fileprivate func object(mode: UInt32) -> ObjectID? {
    guard count >= 32 else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for index in 0..<32 {
      let digit: UInt8
      switch self[index] {
      case 0x30...0x39: digit = self[index] - 0x30
      case 0x61...0x66: digit = self[index] - 0x61 + 10
      default: return nil
      }
      words.high = words.high << 4 | words.low >> 60
      words.low = words.low << 4 | UInt64(digit)
    }
    return ObjectID(high: words.high, low: words.low, mode: mode)
  }

  fileprivate var isTree: Bool { count == 4 && self[0] == 0x74 && self[1] == 0x72 }

  /// Whether it can be a name.
  fileprivate var isValidName: Bool {
    if isEmpty || count > NameRecord.longestName { return false }
    return !(self[0] == 0x2E && (count == 1 || (count == 2 && self[1] == 0x2E)))
  }
}
