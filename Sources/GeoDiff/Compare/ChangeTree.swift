import GeoEmit
import GeoPath

/// What differs between two states: all folders of their union in the order of the map, each with
/// those of its files that differ.
///
/// Memory: about 180 bytes and the name for a folder, 90 and the name for a file; 40 more for a folder
/// with what both states have below it.
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
  var folders: [Folder] = []
  var files: [ComparedFile] = []
  var children: [ComparePart.Child] = []
  var names: [UInt8] = []
  /// What was left out.
  public internal(set) var excluded = ExclusionCounts()
  /// How many nodes were compared.
  public internal(set) var counted = (folders: 0, files: 0)
  /// The folder of each file; made when it is asked for.
  var owners: [Int32] = []
  /// What both states have below each folder; empty if nobody asked for that.
  var sums: [StatePairSums] = []

  /// Whether anything differs.
  public var isEmpty: Bool {
    files.allSatisfy { $0.change == .none } && folders.allSatisfy { $0.known.change == .none }
  }

  /// What differs in all.
  public var total: ChangesBelow {
    var total = ChangesBelow()
    for folder in folders where folder.parent < 0 { total += folder.below }
    return total
  }

  /// The name of a folder.
  func name(of folder: Int) -> ArraySlice<UInt8> {
    let record = folders[folder]
    if record.parent < 0 { return labels[Int(record.number)][...] }
    let first = folders[Int(record.parent)].children.lowerBound
    let child = children[Int(first) + Int(record.number)]
    return names[child.nameStart..<(child.nameStart + Int(child.nameLength))]
  }

  /// The path of a folder: the root's label, then names, joined by `/`.
  func path(ofFolder folder: Int) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    var folder = folder
    while folder >= 0 {
      parts.append(name(of: folder))
      folder = Int(folders[folder].parent)
    }
    return Array(parts.reversed().joined(separator: [.slash]))
  }

  /// The path of a file.
  func path(ofFile file: Int) -> [UInt8] {
    path(ofFolder: Int(owners[file])).appending(component: names[files[file].name])
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
