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
    var files: Range<Int32>
    /// The names of all its sub-folders, in byte order, including excluded ones.
    var children: Range<Int32>
    var below: ChangesBelow
    var holds = false
    /// Number of its record in `growths`; −1 if no size below it differs.
    var growth: Int32 = -1
  }

  package let labels: [[UInt8]]
  var folders: PagedList<Folder>
  var files: PagedList<ComparedFile>
  var children: PagedList<PagedName>
  var names: PagedNames
  package internal(set) var excluded = ExclusionCounts()
  package internal(set) var counted = (folders: 0, files: 0)
  /// Empty unless requested.
  var sums: PagedList<StatePairSums>
  var growths: PagedList<FolderGrowth>
  /// The measure of all sizes of the comparison except those in ``ChangesBelow``.
  package internal(set) var measure = SizeMeasure.bytes
  package internal(set) var isEmpty = true
  package internal(set) var total = ChangesBelow()
  let store: PageStore

  init(_ store: PageStore, _ labels: [[UInt8]]) {
    (self.store, self.labels) = (store, labels)
    folders = PagedList(store)
    files = PagedList(store)
    children = PagedList(store)
    names = PagedNames(store)
    sums = PagedList(store)
    growths = PagedList(store)
  }

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
    guard let folder else { return folders.isEmpty ? nil : 0 }
    guard folders.indices.contains(folder) else { return nil }
    return folder + 1 < Int(folders[folder].end) ? folder + 1 : nil
  }

  package func next(after folder: Int) -> Int? {
    let next = Int(folders[folder].end)
    let end = parent(of: folder).map { Int(folders[$0].end) } ?? folders.count
    return next < end ? next : nil
  }

  func path(ofFile file: Int) -> [UInt8] {
    let file = files[file]
    return path(of: Int(file.folder)).appending(component: names[file.name])
  }

  func growth(of folder: Int) -> FolderGrowth? {
    let number = Int(folders[folder].growth)
    return number < 0 ? nil : growths[number]
  }

  /// Each file counts once; nil if a size is unknown.
  package var totalGrowth: Int64? {
    if total.bytes == nil { return nil }
    var sum: Int128 = 0
    for index in folders.indices where folders[index].parent < 0 {
      sum += growth(of: index)?.all.change ?? 0
    }
    return Int64(clamping: sum)
  }

  package var isIncomplete: Bool { folders.contains { $0.known.isUncompared } }

  package var comparesNothing: Bool {
    !folders.isEmpty && folders.allSatisfy { $0.parent >= 0 || $0.known.isUncompared }
  }

  func size(of file: ComparedFile) -> Int64? { file.size(measure) }

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
  package var files: Int64 = 0
  /// Bytes and room on disk; `.min` if a size is unknown.
  var apparent: Int64 = 0
  var allocated: Int64 = 0

  package init() {}

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

package struct StatePairSums: Sendable, Hashable {
  package var old = StateSums()
  package var new = StateSums()

  package init() {}

  /// The old state's totals first.
  package func totals(_ measure: SizeMeasure) -> [FolderTotals] {
    [old, new].map { FolderTotals(files: $0.files, bytes: $0.bytes(measure), allocated: nil) }
  }

  package static func += (total: inout Self, part: Self) {
    total.old += part.old
    total.new += part.new
  }
}

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

  /// Nil if it doesn't differ, or the comparison did not visit it.
  package func difference(ofFile name: Span<UInt8>, in folder: Int) -> NodeDifference? {
    number(ofFile: name, in: folder).map { difference(ofFile: $0) }
  }

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
    let range = Int(folders[folder].files.lowerBound)..<Int(folders[folder].files.upperBound)
    let found = range.boundary { !names.with(files[$0].name) { $0.orders(before: name) } }
    guard found < range.upperBound, names.with(files[found].name, { $0.equals(name) }),
      files[found].change != .none
    else { return nil }
    return found
  }

  /// Nil if they weren't requested, or the comparison did not visit the folder.
  package func sums(ofFolder number: Int) -> StatePairSums? {
    sums.indices.contains(number) ? sums[number] : nil
  }

  package var totalSums: StatePairSums? {
    if sums.isEmpty { return nil }
    var total = StatePairSums()
    for index in folders.indices where folders[index].parent < 0 { total += sums[index] }
    return total
  }

  /// The deepest folder that holds everything that differs, as its names, the root's label first;
  /// nil if several roots differ, or nothing does.
  package var changedFolder: [[UInt8]]? {
    var common: Int?
    func add(_ folder: Int) { common = common.map { commonFolder($0, folder) } ?? folder }
    for folder in folders where folder.known.change != .none { add(Int(folder.parent)) }
    for file in files where file.change != .none { add(Int(file.folder)) }
    guard let common, common >= 0 else { return nil }
    return path(of: common).components.map { Array($0) }
  }
}
