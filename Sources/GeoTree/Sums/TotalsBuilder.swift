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

/// What is added up of files. No sum of 2^26 sizes or more is too large for it.
@frozen package struct FileSums: Sendable {
  package var files: Int
  package var bytes: Int128
  package var allocated: Int128
  /// Unix time of the last change of any; the least number if none is known.
  package var newest: Int64

  /// What is added in place of an amount that nobody knows. It is so far below zero that no amounts make
  /// up for it, so that a sum with any of it tells that it is none; and it costs a sum nothing.
  @inlinable package static var unknown: Int128 { -(1 << 90) }

  @inlinable
  package init(
    files: Int = 0, bytes: Int128 = 0, allocated: Int128 = 0, newest: Int64 = .min
  ) {
    self.files = files
    self.bytes = bytes
    self.allocated = allocated
    self.newest = newest
  }

  /// A sum as far as it fits; nil if some of what it consists of is not known.
  @inlinable
  package static func known(_ sum: Int128) -> Int64? { sum < 0 ? nil : Int64(clamping: sum) }

  @inlinable
  package static func += (sums: inout FileSums, more: FileSums) {
    sums.files += more.files
    sums.bytes += more.bytes
    sums.allocated += more.allocated
    sums.newest = max(sums.newest, more.newest)
  }

  /// Takes away what was counted twice; what is newest stays.
  @inlinable
  package static func -= (sums: inout FileSums, fewer: FileSums) {
    sums.files -= fewer.files
    sums.bytes -= fewer.bytes
    sums.allocated -= fewer.allocated
  }
}

/// A first pass over some trees, which adds up what is below each folder.
public struct TotalsScan: Sendable {
  private let batches: ScanBatches<TotalsPart>
  private let classes: Int

  init(_ batches: ScanBatches<TotalsPart>, classes: Int = 0) {
    self.batches = batches
    self.classes = classes
  }

  /// Reads the pass from its beginning; it can be read once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: batches.makeAsyncIterator(), classes: classes)
  }

  /// How far a pass is.
  public struct Progress: Sendable {
    /// Folders so far.
    public let folders: Int
    /// Files so far, each as often as it was met.
    public let files: Int
    /// What could not be read since the last time.
    public let faults: [ScanFault]
    /// The path of the folder that it has come to.
    public let place: [UInt8]
  }

  /// Reads a pass on.
  public struct Iterator {
    fileprivate var base: ScanBatches<TotalsPart>.Iterator
    private var builder: TotalsBuilder

    fileprivate init(base: ScanBatches<TotalsPart>.Iterator, classes: Int) {
      self.base = base
      builder = TotalsBuilder(classes: classes)
    }

    /// Goes on; nil at the end.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
      guard let batch = try await base.next(isolation: actor) else { return nil }
      builder.add(batch.content)
      return Progress(
        folders: builder.totals.count, files: builder.files, faults: batch.faults,
        place: batch.place)
    }

    /// What was found, once ``next(isolation:)`` has come to the end.
    public mutating func finish() -> TreeTotals { builder.finish() }
  }
}

extension FileSystemScanner {
  /// Begins to add up what is below each folder.
  ///
  /// It reads all metadata of all that is below the roots, and counts each file once for a folder, by
  /// device and inode, however many names it has there; where links are followed, also however often
  /// it is reached. In memory it keeps what ``TreeTotals`` holds, and 32 to 64 bytes for each file
  /// of several names; for each file at all where links are followed.
  ///
  /// - Parameters:
  ///   - roots: Where to start, in the byte order of their labels.
  ///   - classes: By what files are told apart, if details are wanted: these take 8 bytes a folder,
  ///     and 8 for each class.
  /// - Throws: ``Failure`` if no thread could be made.
  public func totals(
    of roots: [ScanRoot], classes: FileClasses? = nil
  ) throws(Failure) -> TotalsScan {
    try totals(of: roots, classes: classes, for: nil)
  }

  /// Begins to add up again what an update is about: all of `roots` that it does not leave alone.
  ///
  /// - Parameter roots: The folder of the update, as a root.
  package func totals(
    of roots: [ScanRoot], classes: FileClasses?, for update: TotalsUpdate?
  ) throws(Failure) -> TotalsScan {
    var options = options
    options.readsMetadata = true
    options.asksForStorage = true
    let followsLinks = options.followsLinks(in: roots)
    let all = roots.map { root in
      var root = root
      root.isEntered = true
      return root
    }
    return TotalsScan(
      try scan(all, plan: TotalsPlan(depth: 0), options: options) {
        TotalsVisitor(followsLinks: followsLinks, classes: classes, update: update)
      }, classes: classes?.count ?? 0)
  }
}
