import GeoFormats
import GeoCore
import GeoSystem

/// What differs between two states: all folders of their union in the order of the map, each with
/// those of its files that differ.
///
/// Memory: about 180 bytes and the name for a folder, 80 and the name for a file; 40 more for a folder
/// with what both states have below it. What there is no room for lies in a scratch file.
public struct ChangeTree: Sendable {
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
  public internal(set) var labels: [[UInt8]] = []
  var folders: PagedList<Folder>
  var files: PagedList<ComparedFile>
  /// The names of all sub-folders.
  var children: PagedList<PagedName>
  var names: PagedNames
  /// What was left out.
  public internal(set) var excluded = ExclusionCounts()
  /// How many nodes were compared.
  public internal(set) var counted = (folders: 0, files: 0)
  /// What both states have below each folder; empty if nobody asked for that.
  var sums: PagedList<StatePairSums>
  /// Whether anything differs.
  public internal(set) var isEmpty = true
  /// What differs in all.
  public internal(set) var total = ChangesBelow()
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
  public var failure: Errno? { store.failure }

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
