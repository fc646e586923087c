import GeoCore
import GeoSystem

/// A stretch of a tree in map order, from which a snapshot is written.
///
/// Each step takes its names, facts and storage in order: first those of a folder's sub-folders,
/// then those of its files.
package struct SnapshotPart: Sendable {
  /// A folder with its sub-folders, or files of the last folder.
  package struct Step: Sendable {
    package var folder: Folder?
    /// The path of the folder if something in the step is unreadable; otherwise empty, since the
    /// paths of a deep tree need memory proportional to its depth squared.
    package let path: [UInt8]
    package let count: Int
  }

  package struct Folder: Sendable {
    /// 0 for a root, 1 for its sub-folders, and so on.
    package var depth: Int
    /// Among all sub-folders in the parent's listing; of a root, among the roots.
    package var number: Int
    package var modified: Int64?
    package var storage: FileStorage?
    package var isListed = true
    package var isUnreadable = false
    package var isLoop = false
    package var fileCount = 0
    package var folderCount = 0

    package init(depth: Int, number: Int, modified: Int64?, storage: FileStorage?) {
      self.depth = depth
      self.number = number
      self.modified = modified
      self.storage = storage
    }
  }

  package private(set) var steps: [Step] = []
  package private(set) var names = NameTable()
  /// One for each name; of sub-folders only the kind, and why they are left out.
  package private(set) var facts: [EntryFacts] = []
  package private(set) var storage: [FileStorage] = []
  private var pathBytes = 0

  package init() {}

  package mutating func add(
    _ folder: Folder, at path: [UInt8], folders: NameTable, leavingOut leftOut: [LeftOutEntry] = []
  ) {
    add(Step(folder: folder, path: folder.isUnreadable ? path : [], count: folders.count))
    let first = facts.count
    for index in 0..<folders.count {
      names.append(from: folders, at: index)
      facts.append(EntryFacts(kind: folders.records[index].kind))
    }
    for entry in leftOut { facts[first + entry.index].leaveOut(for: entry.reason) }
  }

  /// Each name in the range has facts. Files of status `hidden` are left out.
  package mutating func addFiles(
    _ table: NameTable, _ range: Range<Int>, of path: [UInt8], facts: [EntryFacts]
  ) {
    let isUnreadable = facts.contains { $0.status == .unreadable }
    add(Step(folder: nil, path: isUnreadable ? path : [], count: range.count))
    for index in range { names.append(from: table, at: index) }
    self.facts += facts
  }

  private mutating func add(_ step: Step) {
    steps.append(step)
    pathBytes += step.path.count
  }

  package mutating func addStorage(_ storage: [FileStorage]) {
    // Names before them are sub-folders, whose storage comes in their own steps.
    while self.storage.count + storage.count < names.count { self.storage.append(.unknown) }
    self.storage += storage
  }

  package var weight: Int {
    steps.count * MemoryLayout<Step>.stride + pathBytes + names.bytes.count + names.count * 16
      + facts.count * MemoryLayout<EntryFacts>.stride
      + storage.count * MemoryLayout<FileStorage>.stride
  }
}
