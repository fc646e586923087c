import GeoCore

/// A folder with contents still to visit.
///
/// Work refers to it, so it and the source's kept folder live as long as the work.
final class ScannedFolder: Sendable {
  /// The root's label, then names, joined by `/`; empty for the virtual folder above the roots.
  let path: [UInt8]
  let root: Int
  /// The visitor's `Plan` for its sub-folders. The type is erased so that work items are plain
  /// values without generics.
  let plan: any AnyObject & Sendable
  /// The sub-folders, without hidden ones.
  let folders: NameTable
  /// The source's handles of these sub-folders; empty if names are enough.
  let handles: [UInt64]
  let decisions: [TraversalDecision]
  /// The source's handle of the folder; nil for the virtual folder above the roots.
  let kept: (any KeptFolder)?

  init(
    path: [UInt8], root: Int, plan: any AnyObject & Sendable, folders: NameTable,
    handles: [UInt64], decisions: [TraversalDecision], kept: (any KeptFolder)?
  ) {
    self.path = path
    self.root = root
    self.plan = plan
    self.folders = folders
    self.handles = handles
    self.decisions = decisions
    self.kept = kept
  }
}

/// A stretch of the tree still to visit: some of a folder's files, or some of its sub-folders with
/// all their contents.
struct Work: Sendable {
  enum Part: Sendable {
    case files(NameTable)
    case folders
  }

  let folder: ScannedFolder
  let part: Part
  var range: Range<Int>
  /// The number of files visited at once.
  var slice = WorkerCount.largestSlice

  private var piece: Int {
    switch part {
    case .files: slice
    case .folders: 1
    }
  }
}

/// Work that can be split into consecutive pieces.
protocol Divisible {
  /// The number of pieces, at least 1.
  var pieces: Int { get }

  /// Removes and returns pieces from the front: at least one, and fewer than all.
  mutating func takeFirst(_ pieces: Int) -> Self
}

extension Work: Divisible {
  var pieces: Int { (range.count + piece - 1) / piece }

  mutating func takeFirst(_ pieces: Int) -> Work {
    let middle = min(range.lowerBound + pieces * piece, range.upperBound)
    var first = self
    first.range = range.lowerBound..<middle
    range = middle..<range.upperBound
    return first
  }
}

extension Work {
  /// The work of a whole scan: the roots, as sub-folders of a virtual folder.
  init(roots: [ScanRoot], plan: any AnyObject & Sendable) {
    let folder = ScannedFolder(
      path: [], root: 0, plan: plan, folders: NameTable(roots.map(\.label), kind: .directory),
      handles: [], decisions: roots.map { $0.isEntered ? .entered : .shown }, kept: nil)
    self.init(folder: folder, part: .folders, range: 0..<roots.count)
  }
}
