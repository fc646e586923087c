import GeoPath
import GeoSystem

/// How deep the sub-folders of a folder are.
final class TotalsPlan: Sendable {
  let depth: Int32

  init(depth: Int32) { self.depth = depth }
}

/// What is added up of files. No sum of 2^64 sizes is too large for it.
struct FileSums: Sendable {
  var files = 0
  var bytes: Int128 = 0
  var allocated: Int128 = 0

  static func += (sums: inout FileSums, more: FileSums) {
    sums.files += more.files
    sums.bytes += more.bytes
    sums.allocated += more.allocated
  }

  static func -= (sums: inout FileSums, fewer: FileSums) {
    sums.files -= fewer.files
    sums.bytes -= fewer.bytes
    sums.allocated -= fewer.allocated
  }
}

/// Part of a first pass: folders in the order of the tree, each with the files in it.
struct TotalsPart: Sendable {
  /// A folder and the first of its files, or more files of the folder before.
  struct Step: Sendable {
    /// 0 for a root, 1 for what is in it, and so on; −1 for more files.
    let depth: Int32
    /// Whether the folder was listed.
    let isListed: Bool
    /// Files that are met only once.
    var sums = FileSums()
    /// Where its name ends in `names`, and the name of the next begins.
    let nameEnd: Int
    /// Where its files end in `shared`.
    var sharedEnd: Int
  }

  /// A file that may be met again.
  struct SharedFile: Sendable {
    let identity: FileSystem.Identity
    let size: Int64
    let allocated: Int64
  }

  var steps: [Step] = []
  var names: [UInt8] = []
  var shared: [SharedFile] = []
}

/// Adds up the files of each folder; enters all folders.
final class TotalsVisitor: ScanVisitor {
  /// Whether any file may be met again, not only one with several names.
  private let followsLinks: Bool
  private var part = TotalsPart()

  init(followsLinks: Bool) { self.followsLinks = followsLinks }

  func enter(
    _ visit: FolderVisit<TotalsPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<TotalsPlan>? {
    begin(visit, isListed: true)
    return FolderDecision(
      plan: TotalsPlan(depth: visit.parentPlan.depth + 1),
      admissions: [Admission](repeating: .entered, count: folders.count), wantsFiles: true)
  }

  func pass(_ visit: FolderVisit<TotalsPlan>) { begin(visit, isListed: false) }

  private func begin(_ visit: FolderVisit<TotalsPlan>, isListed: Bool) {
    let start = visit.path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    part.names += visit.path[start...]
    part.steps.append(
      TotalsPart.Step(
        depth: visit.parentPlan.depth, isListed: isListed, nameEnd: part.names.count,
        sharedEnd: part.shared.count))
  }

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: TotalsPlan,
    facts: inout [EntryFacts]
  ) {}

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: TotalsPlan,
    facts: [EntryFacts]
  ) {}

  func visit(_ storage: [FileStorage], facts: [EntryFacts]) {
    var sums = FileSums()
    for (position, facts) in facts.enumerated() {
      switch facts.status {
      case .hidden, .vanished: continue
      case .unreadable, .unasked, .sized: sums.files += 1
      case .known:
        let storage = storage[position]
        if followsLinks || facts.links > 1 {
          part.shared.append(
            TotalsPart.SharedFile(
              identity: storage.identity, size: facts.size, allocated: storage.allocated))
        } else {
          sums.files += 1
          sums.bytes += Int128(facts.size)
          sums.allocated += Int128(storage.allocated)
        }
      }
    }
    if part.steps.isEmpty {
      part.steps.append(
        TotalsPart.Step(depth: -1, isListed: true, nameEnd: 0, sharedEnd: 0))
    }
    part.steps[part.steps.count - 1].sums += sums
    part.steps[part.steps.count - 1].sharedEnd = part.shared.count
  }

  var weight: Int {
    part.steps.count * MemoryLayout<TotalsPart.Step>.stride + part.names.count
      + part.shared.count * MemoryLayout<TotalsPart.SharedFile>.stride
  }

  func takeContent() -> TotalsPart {
    defer { part = TotalsPart() }
    return part
  }
}
