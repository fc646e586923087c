import GeoCore
import GeoTree

/// The tree of a revision. Folders have numbers; their entries are in byte order, files first.
///
/// Memory: 56 bytes and the name for each entry.
struct GitTree: Sendable {
  struct Entry: Sendable {
    let name: Range<Int>
    /// Less than 0 if unknown.
    var size: Int64
    let parent: Int32
    /// Its own number if it is a folder; otherwise `foreign`, `file` or `unread`.
    let folder: Int32
    let object: ObjectID

    var kind: EntryKind { object.kind.ofEntry }
  }

  private(set) var names: [UInt8] = []
  private(set) var entries: [Entry] = []
  /// Of each folder the index of its first entry, then the count of all.
  private(set) var starts: [Int] = []
  /// Entries with invalid or duplicate names.
  private(set) var faults: [ScanFault] = []

  private var ancestors: [(length: Int, number: Int32)] = [(0, 0)]
  private var path: [UInt8] = []
  /// Of each folder the index of its entry; −1 for the top.
  private var places: [Int] = [-1]

  static let foreign: Int32 = -1
  static let file: Int32 = -2
  static let unread: Int32 = -3

  /// Adds a line of `git ls-tree -z -r -t -l`, without the zero byte; false if it is malformed.
  mutating func add(_ line: Span<UInt8>) -> Bool {
    guard let entry = GitTreeLine(line) else { return false }
    let path = line.extracting(entry.path)
    var start = path.count
    while start > 0, path[start - 1] != .slash { start -= 1 }
    // Git lists a folder before its content.
    let above = max(0, start - 1)
    while let last = ancestors.last, last.length > above || !isAncestor(path, last.length) {
      ancestors.removeLast()
    }
    guard let parent = ancestors.last, parent.length == above else {
      refuse(Array(copying: path))
      return true
    }
    let name = path.extracting(start..<path.count)
    if let folder = add(name, in: parent.number, entry.object, size: entry.size ?? -1) {
      self.path.removeAll(keepingCapacity: true)
      self.path.append(copying: path)
      ancestors.append((path.count, folder))
    }
    return true
  }

  /// Adds an entry, and returns its number if it is a folder whose contents will be added.
  mutating func add(
    _ name: Span<UInt8>, in parent: Int32, _ object: ObjectID, size: Int64 = -1,
    isRead: Bool = true
  ) -> Int32? {
    guard name.isValidName, places.count < Int32.max else {
      refuse(path(of: name, in: parent))
      return nil
    }
    let folder =
      switch object.kind {
      case .tree: isRead ? Int32(places.count) : Self.unread
      case .commit: Self.foreign
      case .file, .link: Self.file
      }
    let offset = names.count
    names.append(copying: name)
    if folder >= 0 { places.append(entries.count) }
    entries.append(
      Entry(
        name: offset..<names.count, size: size, parent: parent, folder: folder, object: object))
    return folder >= 0 ? folder : nil
  }

  mutating func setSize(_ size: Int64, ofEntry number: Int) { entries[number].size = size }

  private func isAncestor(_ path: Span<UInt8>, _ length: Int) -> Bool {
    if length == 0 { return true }
    guard path.count > length, path[length] == .slash else { return false }
    return self.path.span.extracting(0..<length).equals(path.extracting(0..<length))
  }

  private mutating func refuse(_ path: [UInt8]) {
    faults.append(
      ScanFault(rawPath: path, reason: .listed("the revision has it where it can't be")))
  }

  private func path(of name: Span<UInt8>, in folder: Int32) -> [UInt8] {
    var names = [Array(copying: name)]
    var folder = Int(folder)
    while folder > 0 {
      let entry = entries[places[folder]]
      names.append(Array(self.names[entry.name]))
      folder = Int(entry.parent)
    }
    return Array(names.reversed().joined(separator: [.slash]))
  }

  /// Sorts all entries once they are added. O(n) for trees written by git, whose entries are
  /// sorted.
  mutating func finish() {
    sortByFolders()
    var doubles: [Int] = []
    for folder in 0..<places.count {
      let range = starts[folder]..<starts[folder + 1]
      if isInOrder(range) { continue }
      // Git sorts folders as if a slash ended their names.
      let text = names
      entries[range].sort { a, b in
        let (x, y) = (a.folder == Self.file, b.folder == Self.file)
        return x == y ? text.span.orders(a.name, before: b.name) : x
      }
      doubles += range.dropFirst().filter { isDouble($0) }
    }
    if !doubles.isEmpty { drop(doubles) }
    places = []
    ancestors = []
    path = []
  }

  /// Groups entries by folder, files first, and otherwise keeps their order.
  private mutating func sortByFolders() {
    var files = [Int](repeating: 0, count: places.count)
    for entry in entries where entry.folder == Self.file { files[Int(entry.parent)] += 1 }
    findStarts()
    // The next free index for a file and for a sub-folder of each folder.
    var next = files.indices.map { (file: starts[$0], folder: starts[$0] + files[$0]) }
    let added = entries
    for entry in added {
      let place: Int
      if entry.folder == Self.file {
        place = next[Int(entry.parent)].file
        next[Int(entry.parent)].file += 1
      } else {
        place = next[Int(entry.parent)].folder
        next[Int(entry.parent)].folder += 1
      }
      entries[place] = entry
    }
  }

  private func isInOrder(_ range: Range<Int>) -> Bool {
    let (text, entries) = (names.span, entries.span)
    for index in range.dropFirst() {
      let (a, b) = (entries[index - 1], entries[index])
      if (a.folder == Self.file) == (b.folder == Self.file), !text.orders(a.name, before: b.name) {
        return false
      }
    }
    return true
  }

  private func isDouble(_ index: Int) -> Bool {
    let (a, b) = (entries[index - 1], entries[index])
    return (a.folder == Self.file) == (b.folder == Self.file)
      && names.span.extracting(a.name).equals(names.span.extracting(b.name))
  }

  /// Drops duplicates, which a tree object made by hand may have, and reports them as faults.
  private mutating func drop(_ doubles: [Int]) {
    for (index, entry) in entries.enumerated() where entry.folder >= 0 {
      places[Int(entry.folder)] = index
    }
    for index in doubles {
      let entry = entries[index]
      faults.append(
        ScanFault(
          rawPath: path(of: names.span.extracting(entry.name), in: entry.parent),
          reason: .listed("the revision has it twice")))
    }
    let dropped = Set(doubles)
    entries = entries.indices.filter { !dropped.contains($0) }.map { entries[$0] }
    findStarts()
  }

  private mutating func findStarts() {
    starts = [Int](repeating: 0, count: places.count + 1)
    for entry in entries { starts[Int(entry.parent) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
  }

  /// Passes on the files below all folders with some objects.
  ///
  /// - Complexity: O(entries).
  func readObjects(in contents: [ObjectID], _ take: (ObjectID) -> Void) {
    let wanted = Set(contents)
    var isBelow = [Bool](repeating: false, count: starts.count)
    // A folder's number is greater than its parent's, and its entries come later.
    for entry in entries {
      let isWanted = isBelow[Int(entry.parent)]
      if entry.folder == Self.file {
        if isWanted { take(entry.object) }
      } else if entry.folder >= 0, isWanted || wanted.contains(entry.object) {
        isBelow[Int(entry.folder)] = true
      }
    }
  }

  func entries(of folder: Int) -> ArraySlice<Entry> {
    folder + 1 < starts.count ? entries[starts[folder]..<starts[folder + 1]] : []
  }
}

extension Span<UInt8> {
  fileprivate var isValidName: Bool {
    if isEmpty || count > NameRecord.longestName { return false }
    return !(self[0] == 0x2E && (count == 1 || (count == 2 && self[1] == 0x2E)))
  }
}
