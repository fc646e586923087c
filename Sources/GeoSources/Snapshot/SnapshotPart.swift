import GeoCore
import GeoSystem

/// A stretch of a tree in map order, from which a snapshot is written.
///
/// Each step takes its names, facts and storage in order: first those of a folder's sub-folders,
/// then those of its files.
package struct SnapshotPart: Sendable {
  /// A folder with its sub-folders, or files of the last folder.
  package struct Step: Sendable {
    /// The folder; nil for more files of the last one.
    package var folder: Folder?
    /// The path of the folder if something in the step is unreadable; otherwise empty, since the
    /// paths of a deep tree need memory proportional to its depth squared.
    package let path: [UInt8]
    /// The number of names that follow.
    package let count: Int
  }

  /// The facts of a folder.
  package struct Folder: Sendable {
    /// 0 for a root, 1 for its sub-folders, and so on.
    package var depth: Int
    /// The index among all sub-folders in the parent's listing; for a root, among the roots.
    package var number: Int
    /// Modification time in Unix seconds.
    package var modified: Int64?
    package var storage: FileStorage?
    package var isListed = true
    package var isUnreadable = false
    package var isLoop = false
    /// The number of files and sub-folders in its listing.
    package var fileCount = 0
    package var folderCount = 0

    package init(depth: Int, number: Int, modified: Int64?, storage: FileStorage?) {
      self.depth = depth
      self.number = number
      self.modified = modified
      self.storage = storage
    }
  }

  /// An entry that was left out.
  package struct LeftOut: Sendable {
    /// The index of its name.
    let position: Int
    let reason: ExclusionReason
  }

  package private(set) var steps: [Step] = []
  package private(set) var names = NameTable()
  package private(set) var facts: [EntryFacts] = []
  package private(set) var storage: [FileStorage] = []
  /// In the order of the names.
  package private(set) var leftOut: [LeftOut] = []
  /// The total length of all paths in bytes.
  private var pathBytes = 0

  package init() {}

  /// Adds a folder.
  ///
  /// - Parameter reasons: Why each sub-folder is left out; nil for those that are kept.
  package mutating func add(
    _ folder: Folder, at path: [UInt8], folders: NameTable, leavingOut reasons: [ExclusionReason?]
  ) {
    add(Step(folder: folder, path: folder.isUnreadable ? path : [], count: folders.count))
    for index in 0..<folders.count {
      if index < reasons.count, let reason = reasons[index] {
        leftOut.append(LeftOut(position: names.count, reason: reason))
      }
      names.append(from: folders, at: index)
      facts.append(EntryFacts(kind: folders.records[index].kind))
    }
  }

  /// Adds files of the last folder.
  ///
  /// - Parameters:
  ///   - facts: One for each name in `range`. Files of status `hidden` are left out.
  ///   - reasons: Why, for each of those, in their order.
  package mutating func addFiles(
    _ table: NameTable, _ range: Range<Int>, of path: [UInt8], facts: [EntryFacts],
    leavingOut reasons: [ExclusionReason]
  ) {
    let isUnreadable = facts.contains { $0.status == .unreadable }
    add(Step(folder: nil, path: isUnreadable ? path : [], count: range.count))
    var next = 0
    for (position, index) in range.enumerated() {
      if facts[position].status == .hidden, next < reasons.count {
        leftOut.append(LeftOut(position: names.count, reason: reasons[next]))
        next += 1
      }
      names.append(from: table, at: index)
    }
    self.facts += facts
  }

  private mutating func add(_ step: Step) {
    steps.append(step)
    pathBytes += step.path.count
  }

  /// Adds the storage of the files added last.
  package mutating func addStorage(_ storage: [FileStorage]) {
    // Names before them are sub-folders, whose storage comes in their own steps.
    while self.storage.count + storage.count < names.count { self.storage.append(.unknown) }
    self.storage += storage
  }

  /// The memory used, in bytes.
  package var weight: Int {
    steps.count * MemoryLayout<Step>.stride + pathBytes + names.bytes.count + names.count * 16
      + facts.count * MemoryLayout<EntryFacts>.stride
      + storage.count * MemoryLayout<FileStorage>.stride
  }
}
