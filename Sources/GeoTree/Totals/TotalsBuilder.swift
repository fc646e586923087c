import GeoCore
import GeoSystem

/// Makes totals of what a first pass finds, in one go through the tree.
///
/// A file that is met several times is added each time, and taken away again, each time but the first,
/// from the innermost folder that holds both this name and the one met before. So every folder that
/// holds any of its names counts it once: of k names below a folder, k − 1 such pairs meet below it or
/// in it.
struct TotalsBuilder {
  /// A folder on the way to the one at hand.
  private struct Level {
    let folder: Int
    var sums = FileSums()
    /// Unix time of the last change of its own files.
    var newest = Int64.min
    /// Its last sub-folder so far.
    var last = -1
  }

  private(set) var totals = TreeTotals()
  /// How many files were met, each as often as it was.
  private(set) var files = 0
  private var levels: [Level] = []
  /// Bytes of each class of the files below each of these folders.
  private var classSums: [Int64] = []
  /// How many classes there are; 0 if nobody asks for details.
  private let classes: Int
  /// In which folder a file was met last.
  private var lastMet: [FileSystem.Identity: Int] = [:]
  /// The last root so far.
  private var lastRoot = -1

  /// A builder of totals, with details of each class of files if there are any.
  init(classes: Int = 0) {
    self.classes = classes
    totals.classes = classes
  }

  /// Takes account of the next part.
  mutating func add(_ part: TotalsPart) {
    var nameStart = 0
    var sharedStart = 0
    for (index, step) in part.steps.enumerated() {
      if step.depth >= 0 {
        begin(part.names[nameStart..<step.nameEnd], depth: Int(step.depth), step.isListed)
        nameStart = step.nameEnd
      }
      if levels.isEmpty { continue }
      levels[levels.count - 1].sums += step.sums
      levels[levels.count - 1].newest = max(levels[levels.count - 1].newest, step.sums.newest)
      for fileClass in 0..<classes {
        add(part.classBytes[index * classes + fileClass], of: fileClass, at: levels.count - 1)
      }
      files += step.sums.files + step.sharedEnd - sharedStart
      for file in part.shared[sharedStart..<step.sharedEnd] { add(file) }
      sharedStart = step.sharedEnd
    }
  }

  /// Ends all folders.
  mutating func finish() -> TreeTotals {
    end(to: 0)
    lastMet = [:]
    return totals
  }

  private mutating func begin(_ name: ArraySlice<UInt8>, depth: Int, _ isListed: Bool) {
    end(to: depth)
    // No folder holds names of two roots.
    if depth == 0 { lastMet.removeAll(keepingCapacity: true) }
    if classes > 0 { classSums.append(contentsOf: repeatElement(0, count: classes)) }
    let number = totals.append(
      TreeTotals.Record(
        files: isListed ? 0 : -1, nameStart: totals.names.count,
        nameLength: Int32(truncatingIfNeeded: name.count),
        parent: Int32(truncatingIfNeeded: levels.last?.folder ?? -1)))
    totals.names += name
    let link = Int32(truncatingIfNeeded: number)
    let before = levels.last?.last ?? lastRoot
    if before >= 0 {
      totals.records[before].next = link
    } else if let parent = levels.last?.folder {
      totals.records[parent].first = link
    }
    if levels.isEmpty { lastRoot = number } else { levels[levels.count - 1].last = number }
    levels.append(Level(folder: number))
  }

  private mutating func add(_ file: TotalsPart.SharedFile) {
    guard let here = levels.last?.folder else { return }
    let sums = FileSums(
      files: 1, bytes: Int128(file.size), allocated: Int128(file.allocated))
    levels[levels.count - 1].sums += sums
    if classes > 0 { add(file.size, of: Int(file.fileClass), at: levels.count - 1) }
    if let before = lastMet.updateValue(here, forKey: file.identity),
      let level = innermostLevel(holding: before)
    {
      levels[level].sums -= sums
      if classes > 0 { add(-file.size, of: Int(file.fileClass), at: level) }
      if before != here { note(file, metIn: before, and: levels[level].folder) }
    }
  }

  /// Remembers that a folder counts once what was met in two others of it, or in one and in it itself.
  private mutating func note(_ file: TotalsPart.SharedFile, metIn before: Int, and folder: Int) {
    if before == folder {
      totals.shared.insert(folder)
      return
    }
    var amounts = totals.repeated[folder] ?? TreeTotals.Amounts(classes: classes)
    amounts.files += 1
    amounts.bytes = TreeTotals.sum(amounts.bytes, file.size)
    amounts.allocated = TreeTotals.sum(amounts.allocated, file.allocated)
    if classes > 0 {
      let fileClass = Int(file.fileClass)
      amounts.classBytes[fileClass] = TreeTotals.sum(amounts.classBytes[fileClass], file.size)
    }
    totals.repeated[folder] = amounts
  }

  private mutating func add(_ bytes: Int64, of fileClass: Int, at level: Int) {
    let place = level * classes + fileClass
    classSums[place] = TreeTotals.sum(classSums[place], bytes)
  }

  /// The innermost folder on the way to the one at hand that a folder met before is, or is below: the
  /// last one that was met no later.
  private func innermostLevel(holding folder: Int) -> Int? {
    var low = 0
    var high = levels.count
    while low < high {
      let middle = (low + high) / 2
      if levels[middle].folder <= folder { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  private mutating func end(to depth: Int) {
    while levels.count > depth, let level = levels.popLast() {
      if totals.records[level.folder].files >= 0 {
        totals.records[level.folder].files = Int64(level.sums.files)
        totals.records[level.folder].bytes = FileSums.known(level.sums.bytes) ?? -1
        totals.records[level.folder].allocated = FileSums.known(level.sums.allocated) ?? -1
      }
      if classes > 0 {
        totals.newest[level.folder] = level.sums.newest
        totals.ownNewest[level.folder] = level.newest
        for fileClass in 0..<classes {
          let bytes = classSums[levels.count * classes + fileClass]
          totals.classBytes[level.folder * classes + fileClass] = bytes
          if !levels.isEmpty { add(bytes, of: fileClass, at: levels.count - 1) }
        }
        classSums.removeLast(classes)
      }
      if levels.isEmpty { continue }
      levels[levels.count - 1].sums += level.sums
      totals.records[levels[levels.count - 1].folder].below +=
        totals.records[level.folder].below + 1
    }
  }
}
