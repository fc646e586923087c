import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

/// The differences between two states: all folders of their union in the order of the map, each
/// with its files that differ.
///
/// Memory: about 180 bytes and the name for a folder, 100 and the name for a file; 48 more for a
/// folder with ``sums``, and 200 for one in which a size differs. Pages beyond the memory limit are kept in a scratch file.
package struct ChangeTree: LinkedForest, Sendable {
  struct Folder: Sendable {
    /// Number of the parent folder; −1 for a root.
    var parent: Int32
    /// Index among the parent's sub-folders, or among the roots.
    var number: Int32
    /// Number of the next folder that is not a descendant.
    var end: Int32
    var depth: Int32
    var known: ComparedFolder
    /// The files that are kept.
    var files: Range<Int32>
    /// The names of all its sub-folders, in byte order, including excluded ones.
    var children: Range<Int32>
    /// Total changes in the folder and its descendants.
    var below: ChangesBelow
    /// Whether any file or folder below it differs.
    var holds = false
    /// Number of its record in `growths`; −1 if no size below it differs.
    var growth: Int32 = -1
  }

  /// The labels of the roots, in byte order.
  package internal(set) var labels: [[UInt8]] = []
  var folders: PagedList<Folder>
  var files: PagedList<ComparedFile>
  /// The names of all sub-folders.
  var children: PagedList<PagedName>
  var names: PagedNames
  /// Counts of excluded entries.
  package internal(set) var excluded = ExclusionCounts()
  /// Numbers of compared nodes.
  package internal(set) var counted = (folders: 0, files: 0)
  /// Totals of both states for each folder; empty unless requested.
  var sums: PagedList<StatePairSums>
  /// The growth of folders in which a size differs.
  var growths: PagedList<FolderGrowth>
  /// The measure of all sizes of the comparison except those in ``ChangesBelow``.
  package internal(set) var measure = SizeMeasure.bytes
  /// Whether anything differs.
  package internal(set) var isEmpty = true
  /// Total changes of the whole tree.
  package internal(set) var total = ChangesBelow()
  private let store: PageStore

  /// Creates an empty tree.
  ///
  /// - Parameter store: The store for pages that don't fit into memory.
  init(_ store: PageStore) {
    self.store = store
    folders = PagedList(store)
    files = PagedList(store)
    children = PagedList(store)
    names = PagedNames(store)
    sums = PagedList(store)
    growths = PagedList(store)
  }

  /// Creates another list that shares the tree's memory limit.
  func list<Record: PagedRecord>(of type: Record.Type) -> PagedList<Record> { PagedList(store) }

  /// Counts memory that is used outside the lists; a negative number releases it.
  func share(_ bytes: Int) { store.hold(bytes) }

  /// Writes pages to the scratch file until the lists are within the memory limit.
  mutating func spill() throws(Errno) {
    try files.spill()
    try names.spill()
    try children.spill()
    try folders.spill()
    try sums.spill()
    try growths.spill()
  }

  /// The first error when reading the scratch file; nil if all reads succeeded.
  package var failure: Errno? { store.failure }

  package func name(of folder: Int) -> ArraySlice<UInt8> {
    let record = folders[folder]
    if record.parent < 0 { return labels[Int(record.number)][...] }
    let first = folders[Int(record.parent)].children.lowerBound
    return names[children[Int(first) + Int(record.number)]][...]
  }

  package func parent(of folder: Int) -> Int? {
    folders[folder].parent < 0 ? nil : Int(folders[folder].parent)
  }

  package func first(in folder: Int?) -> Int? {
    guard let folder else { return folders.count > 0 ? 0 : nil }
    guard folders.indices.contains(folder) else { return nil }
    return folder + 1 < Int(folders[folder].end) ? folder + 1 : nil
  }

  package func next(after folder: Int) -> Int? {
    let next = Int(folders[folder].end)
    let end = parent(of: folder).map { Int(folders[$0].end) } ?? folders.count
    return next < end ? next : nil
  }

  /// The path of a file.
  func path(ofFile file: Int) -> [UInt8] {
    let file = files[file]
    return path(of: Int(file.folder)).appending(component: names[file.name])
  }

  /// How the sizes in a folder differ; nil if none does.
  func growth(of folder: Int) -> FolderGrowth? {
    let number = Int(folders[folder].growth)
    return number < 0 ? nil : growths[number]
  }

  /// The bytes of all files in the new state less those in the old one, each file counted once;
  /// nil if a size is unknown.
  package var totalGrowth: Int64? {
    if total.bytes == nil { return nil }
    var sum: Int128 = 0
    for index in folders.indices where folders[index].parent < 0 {
      sum += growth(of: index)?.all.change ?? 0
    }
    return Int64(clamping: sum)
  }

  /// Whether something below a root could not be compared.
  package var isIncomplete: Bool { folders.indices.contains { folders[$0].known.isUncompared } }

  /// Whether no root could be compared.
  package var comparesNothing: Bool {
    folders.count > 0
      && folders.indices.allSatisfy { folders[$0].parent >= 0 || folders[$0].known.isUncompared }
  }

  /// Bytes of a file in the new state, or in the old one if it is gone; nil if unknown.
  func size(of file: ComparedFile) -> Int64? { file.size(measure) }

  /// The change of a file, with its previous metadata or other path where they apply.
  func difference(ofFile number: Int) -> NodeDifference {
    let file = files[number]
    var difference = NodeDifference(file.change)
    if file.change == .changed { difference.was = file.was }
    if file.partner >= 0 { difference.otherPath = path(ofFile: Int(file.partner)) }
    return difference
  }
}

/// Totals of a folder in one of two states, as far as it was compared. Each file counts once.
package struct StateSums: Sendable, Hashable {
  /// Number of files.
  package var files: Int64 = 0
  /// Their bytes; `.min` if a size is unknown.
  var apparent: Int64 = 0
  /// Their room on disk; `.min` if unknown.
  var allocated: Int64 = 0

  /// Creates totals of zero.
  package init() {}

  /// The bytes by a measure, within 64 bits; nil if a size is unknown.
  package func bytes(_ measure: SizeMeasure) -> Int64? {
    let bytes = measure == .allocated ? allocated : apparent
    return bytes == .min ? nil : max(0, bytes)
  }

  mutating func add(_ version: FileVersion) {
    files += 1
    apparent = Self.sum(apparent, version.size ?? .min)
    let isKnown = version.allocated >= 0 && version.facts.status.hasSize
    allocated = Self.sum(allocated, isKnown ? version.allocated : .min)
  }

  /// Takes back a further name of a file.
  mutating func subtract(_ file: LinkedName.Version) {
    files -= 1
    apparent = Self.sum(apparent, -file.size)
    allocated = Self.sum(allocated, -file.allocated)
  }

  /// Adds with saturation; unknown amounts stay unknown.
  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    a == .min || b == .min ? .min : max(.min + 1, TreeTotals.sum(a, b))
  }

  static func += (total: inout Self, part: Self) {
    total.files += part.files
    total.apparent = sum(total.apparent, part.apparent)
    total.allocated = sum(total.allocated, part.allocated)
  }
}

/// Totals of a folder in both states.
package struct StatePairSums: Sendable, Hashable {
  /// Totals in the old state.
  package var old = StateSums()
  /// Totals in the new state.
  package var new = StateSums()

  /// Creates totals of zero.
  package init() {}

  /// The totals of both states, the old state's first, with the bytes by a measure.
  package func totals(_ measure: SizeMeasure) -> [FolderTotals] {
    [old, new].map { FolderTotals(files: $0.files, bytes: $0.bytes(measure), allocated: nil) }
  }

  package static func += (total: inout Self, part: Self) {
    total.old += part.old
    total.new += part.new
  }
}

/// Lookups by name, for readers that visit the union folder by folder.
extension ChangeTree {
  /// How a folder differs; nil if neither it nor anything below it does.
  package func difference(ofFolder number: Int) -> NodeDifference? {
    guard folders.indices.contains(number) else { return nil }
    let folder = folders[number]
    if folder.known.change == .none, folder.below.isEmpty { return nil }
    var difference = NodeDifference(folder.known.change)
    difference.below = folder.below
    return difference
  }

  /// How a file differs; nil if it doesn't, or the comparison did not visit it.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - folder: The number of its folder.
  /// - Complexity: O(log n) comparisons of names.
  package func difference(ofFile name: Span<UInt8>, in folder: Int) -> NodeDifference? {
    number(ofFile: name, in: folder).map { difference(ofFile: $0) }
  }

  /// The difference of a file with its sizes in both states, as members of an answer; nil as
  /// ``difference(ofFile:in:)``.
  package func parts(
    ofFile name: Span<UInt8>, _ kind: EntryKind, in folder: Int
  ) -> FeatureParts? {
    guard let number = number(ofFile: name, in: folder) else { return nil }
    var parts = FeatureParts(of: kind, difference(ofFile: number))
    parts?.states = files[number].states(measure)
    return parts
  }

  private func number(ofFile name: Span<UInt8>, in folder: Int) -> Int? {
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
    return low
  }

  /// The totals of a folder in both states; nil if they weren't requested, or the comparison did
  /// not visit it.
  package func sums(ofFolder number: Int) -> StatePairSums? {
    sums.indices.contains(number) ? sums[number] : nil
  }

  /// The totals of the whole tree in both states; nil if they weren't requested.
  package var totalSums: StatePairSums? {
    if sums.count == 0 { return nil }
    var total = StatePairSums()
    for index in folders.indices where folders[index].parent < 0 { total += sums[index] }
    return total
  }

  /// The deepest folder that holds everything that differs, as its names, the root's label first;
  /// nil if several roots differ, or nothing does.
  ///
  /// - Complexity: O((folders + files that differ) · depth).
  package var changedFolder: [[UInt8]]? {
    var common: Int?
    func add(_ folder: Int) { common = common.map { commonFolder($0, folder) } ?? folder }
    for index in folders.indices where folders[index].known.change != .none {
      add(Int(folders[index].parent))
    }
    for index in files.indices {
      let file = files[index]
      if file.change != .none { add(Int(file.folder)) }
    }
    guard let common, common >= 0 else { return nil }
    return path(of: common).components.map { Array($0) }
  }
}
