import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

/// What differs between two states: all folders of their union in the order of the map, each with
/// those of its files that differ.
///
/// Memory: about 180 bytes and the name for a folder, 80 and the name for a file; 40 more for a folder
/// with what both states have below it. What there is no room for lies in a scratch file.
package struct ChangeTree: Sendable {
  /// A folder.
  struct Folder: Sendable {
    /// The number of the one that it is in; −1 for a root.
    var parent: Int32
    /// Which of that one's sub-folders it is, or which of the roots.
    var number: Int32
    /// The number of the next folder that is not below it.
    var end: Int32
    var depth: Int32
    var known: ComparedFolder
    /// Those of the files that are kept.
    var files: Range<Int32>
    /// The names of all its sub-folders, in byte order, also of those that are left out.
    var children: Range<Int32>
    /// What differs below it.
    var below: ChangesBelow
    /// Whether anything below it differs.
    var holds = false
  }

  /// The labels of the roots, in byte order.
  package internal(set) var labels: [[UInt8]] = []
  var folders: PagedList<Folder>
  var files: PagedList<ComparedFile>
  /// The names of all sub-folders.
  var children: PagedList<PagedName>
  var names: PagedNames
  /// What was left out.
  package internal(set) var excluded = ExclusionCounts()
  /// How many nodes were compared.
  package internal(set) var counted = (folders: 0, files: 0)
  /// What both states have below each folder; empty if nobody asked for that.
  var sums: PagedList<StatePairSums>
  /// Whether anything differs.
  package internal(set) var isEmpty = true
  /// What differs in all.
  package internal(set) var total = ChangesBelow()
  private let store: PageStore

  /// A tree of which nothing is known yet.
  ///
  /// - Parameter store: Where the rest is that there is no room for in memory.
  init(_ store: PageStore) {
    self.store = store
    folders = PagedList(store)
    files = PagedList(store)
    children = PagedList(store)
    names = PagedNames(store)
    sums = PagedList(store)
  }

  /// Another list that shares its room.
  func list<Record: PagedRecord>(of type: Record.Type) -> PagedList<Record> { PagedList(store) }

  /// Takes account of memory that something else needs beside the lists, or with a negative number, of less.
  func share(_ bytes: Int) { store.hold(bytes) }

  /// Puts away what there is no room for any more.
  mutating func makeRoom() throws(Errno) {
    try files.makeRoom()
    try names.makeRoom()
    try children.makeRoom()
    try folders.makeRoom()
    try sums.makeRoom()
  }

  /// Why part of it can't be read again from its scratch file; nil if all that was asked for could be.
  package var failure: Errno? { store.failure }

  /// The name of a folder.
  func name(of folder: Int) -> [UInt8] {
    let record = folders[folder]
    if record.parent < 0 { return labels[Int(record.number)] }
    let first = folders[Int(record.parent)].children.lowerBound
    return names[children[Int(first) + Int(record.number)]]
  }

  /// The path of a folder: the root's label, then names, joined by `/`.
  func path(ofFolder folder: Int) -> [UInt8] {
    var parts: [[UInt8]] = []
    var folder = folder
    while folder >= 0 {
      parts.append(name(of: folder))
      folder = Int(folders[folder].parent)
    }
    return Array(parts.reversed().joined(separator: [.slash]))
  }

  /// The path of a file.
  func path(ofFile file: Int) -> [UInt8] {
    let file = files[file]
    return path(ofFolder: Int(file.folder)).appending(component: names[file.name])
  }

  /// What is to be said of a file besides what it is.
  func difference(ofFile number: Int) -> NodeDifference {
    let file = files[number]
    var difference = NodeDifference(file.change)
    if file.change == .changed { difference.was = file.was }
    if file.partner >= 0 { difference.otherPath = path(ofFile: Int(file.partner)) }
    return difference
  }
}

/// What is below a folder in one of two states, as far as it was compared.
package struct StateSums: Sendable, Hashable {
  /// How many files, each name counted.
  package var files: Int64 = 0
  /// Their bytes; nil if a size is not known.
  package var bytes: Int64? = 0

  /// Nothing.
  package init() {}

  mutating func add(size: Int64?) {
    files += 1
    add(bytes: size)
  }

  private mutating func add(bytes more: Int64?) {
    guard let known = bytes, let more else {
      bytes = nil
      return
    }
    let (sum, overflow) = known.addingReportingOverflow(more)
    bytes = overflow ? nil : sum
  }

  static func += (total: inout Self, part: Self) {
    total.files += part.files
    total.add(bytes: part.bytes)
  }
}

/// What is below a folder in both states.
package struct StatePairSums: Sendable, Hashable {
  /// In the old state.
  package var old = StateSums()
  /// In the new state.
  package var new = StateSums()

  /// Both, the old state's first.
  package var totals: [FolderTotals] {
    [old, new].map { FolderTotals(files: $0.files, bytes: $0.bytes, allocated: nil) }
  }

  static func += (total: inout Self, part: Self) {
    total.old += part.old
    total.new += part.new
  }
}

/// Questions by names, for those who read the union a folder at a time.
extension ChangeTree {
  /// The number of a folder that the comparison did not meet.
  package static let missing = -1

  /// The numbers of some of a folder's sub-folders.
  ///
  /// - Parameters:
  ///   - folders: Their names, sorted.
  ///   - folder: The folder's number; nil for the roots.
  /// - Returns: One number for each; ``missing`` where the comparison did not meet it.
  /// - Complexity: O(sub-folders), then and now.
  package func numbers(of folders: NameTable, in folder: Int?) -> [Int] {
    var next = 0
    var end = self.folders.count
    if let folder {
      guard self.folders.indices.contains(folder) else {
        return [Int](repeating: Self.missing, count: folders.count)
      }
      (next, end) = (folder + 1, Int(self.folders[folder].end))
    }
    return folders.records.map { record in
      let name = folders.bytes[record.range]
      while next < end {
        let known = self.name(of: next)
        if known[...] == name {
          defer { next = Int(self.folders[next].end) }
          return next
        }
        if name.lexicographicallyPrecedes(known) { break }
        next = Int(self.folders[next].end)
      }
      return Self.missing
    }
  }

  /// The number of the folder that some names lead to, the root's label first; ``missing`` if the
  /// comparison did not meet it.
  ///
  /// - Complexity: O(sub-folders of the folders on the way).
  package func number(of names: [ArraySlice<UInt8>]) -> Int {
    var number: Int?
    for name in names {
      let found = numbers(of: NameTable([Array(name)], kind: .directory), in: number)[0]
      if found == Self.missing { return found }
      number = found
    }
    return number ?? Self.missing
  }

  /// How a folder differs; nil if nothing is to be said of it.
  package func difference(ofFolder number: Int) -> NodeDifference? {
    guard folders.indices.contains(number) else { return nil }
    let folder = folders[number]
    if folder.known.change == .none, folder.below.isEmpty { return nil }
    var difference = NodeDifference(folder.known.change)
    difference.below = folder.below
    return difference
  }

  /// How a file differs; nil if it doesn't, or the comparison did not meet it.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - folder: The number of its folder.
  /// - Complexity: O(log n) comparisons of names.
  package func difference(ofFile name: Span<UInt8>, in folder: Int) -> NodeDifference? {
    guard folders.indices.contains(folder), !folders[folder].files.isEmpty else { return nil }
    let range = folders[folder].files
    var (low, high) = (Int(range.lowerBound), Int(range.upperBound))
    while low < high {
      let middle = (low + high) / 2
      if names.with(files[middle].name, { $0.orders(before: name) }) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < range.upperBound, names.with(files[low].name, { $0.equals(name) }),
      files[low].change != .none
    else { return nil }
    return difference(ofFile: low)
  }

  /// What both states have below a folder; nil if nobody asked for that, or the comparison did not meet it.
  package func sums(ofFolder number: Int) -> StatePairSums? {
    sums.indices.contains(number) ? sums[number] : nil
  }

  /// What both states have in all; nil if nobody asked for that.
  package var totalSums: StatePairSums? {
    if sums.count == 0 { return nil }
    var total = StatePairSums()
    for index in folders.indices where folders[index].parent < 0 { total += sums[index] }
    return total
  }
}
