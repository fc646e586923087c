import GeoFormats
import GeoCore
import GeoTree

/// What one of two states knows of what is in a folder.
enum SideView: Sendable {
  /// The state doesn't have the folder.
  case absent
  /// All that is in it.
  case whole
  /// Some of it, or nothing: what is not known to be there may be there.
  case unknown

  /// Whether an entry that the state doesn't list is not in it.
  var denies: Bool { self != .unknown }
}

/// What a comparison knows of a folder before its sub-folders are read.
final class ComparePlan: Sendable {
  /// How deep they are.
  let depth: Int32
  let old: SideView
  let new: SideView
  /// Which of all sub-folders those are that are entered; empty if all are.
  let numbers: [Int32]

  init(depth: Int32, old: SideView, new: SideView, numbers: [Int32]) {
    self.depth = depth
    self.old = old
    self.new = new
    self.numbers = numbers
  }
}

/// A file that differs, or one of all files where all are kept.
struct ComparedFile: Sendable {
  /// Where its name is: in a part, where it begins among all names.
  var name: PagedName
  var change: NodeChange
  /// What is known of it now; of a removed one, what was known.
  var facts: EntryFacts
  /// What was known of a changed one before; of any other that both states have, the same.
  var was: EntryFacts
  /// The number of the file at the other place, if it moved; −1 if it didn't.
  var partner: Int32 = -1
  /// The number of its folder, once that is known.
  var folder: Int32 = -1
}

/// Part of a comparison: folders in the order of the map, each with those of its files that differ.
struct ComparePart: Sendable {
  /// A folder and the first of its files, or more files of the folder before.
  struct Step: Sendable {
    /// 0 for a root, 1 for what is in it, and so on; −1 for more files.
    var depth: Int32
    /// Which of the sub-folders of its parent it is.
    var number: Int32 = 0
    var folder = ComparedFolder()
    /// Where its files end.
    var fileEnd = 0
    /// Where the lengths of its sub-folders' names end.
    var childEnd = 0
    /// What differs among its own files, moved files being added and removed.
    var own = ChangesBelow()
    /// What both states have of its own files.
    var sums = StatePairSums()
  }

  var steps: [Step] = []
  var files: [ComparedFile] = []
  var names: [UInt8] = []
  /// Where the names of sub-folders are.
  var children: [PagedName] = []
  /// Files that may have moved.
  var candidates: [Candidate] = []
  /// Digests of files that are where they were.
  var unmoved: [UInt64] = []
  /// What names all that is in folders that were passed over, as both states have the same in them.
  var passedOver: [ObjectID] = []
  var excluded = ExclusionCounts()
  var counts = (folders: 0, files: 0)

  struct Candidate: Sendable {
    var key: FileKey
    /// The number of the file.
    var file: Int32
    var isNew: Bool
  }

  var weight: Int {
    steps.count * MemoryLayout<Step>.stride + files.count * MemoryLayout<ComparedFile>.stride
      + names.count + children.count * MemoryLayout<PagedName>.stride
      + candidates.count * MemoryLayout<Candidate>.stride + unmoved.count * 8
      + passedOver.count * MemoryLayout<ObjectID>.stride
      + (excluded.isEmpty ? 0 : 1)
  }
}

/// What is kept of a folder.
struct ComparedFolder: Sendable {
  /// Added, removed or neither.
  var change = NodeChange.none
  /// How many entries of the union's listing are no folders.
  var fileCount = 0
  /// How many entries its listing has in the last state that has it; −1 if it wasn't listed there.
  var entries = -1
  /// Unix time of its last change there.
  var modified: Int64?
  var isUnreadable = false
  var isLoop = false
  /// Whether anything is known of what is in it.
  var isListed = false
}
