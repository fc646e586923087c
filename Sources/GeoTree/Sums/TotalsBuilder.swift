import GeoCore
import GeoSystem

/// Builds totals from a scan in one pass.
struct TotalsBuilder {
  private(set) var totals = TreeTotals()
  /// The number of files visited, with repetitions.
  private(set) var files = 0
  /// The sums of the files visited, each counted once.
  private(set) var visited = TreeSums()
  private var sums = NestedSums()
  /// The last sub-folder so far of each open folder.
  private var lastFolders: [Int] = []
  /// The bytes of each class of files below each open folder.
  private var classSums: [Int64] = []
  /// The number of classes; 0 without details.
  private let classes: Int
  /// The number of the last root; −1 before the first.
  private var lastRoot = -1
  private var layers: LayerSums

  init(classes: Int = 0, layers: LayerSchema = .none) {
    self.classes = classes
    self.layers = LayerSums(layers)
    totals.classes = classes
    totals.layers = layers.layers.count
  }

  mutating func add(_ part: TotalsPart) {
    var nameStart = 0
    var sharedStart = 0
    var valuesStart = 0
    var cells = part.cells[...]
    for (index, step) in part.steps.enumerated() {
      if step.depth >= 0 {
        begin(part.names[nameStart..<step.nameEnd], depth: Int(step.depth), step.isListed)
        nameStart = step.nameEnd
        layers.begin(cells.prefix(totals.layers))
        cells = cells.dropFirst(totals.layers)
      }
      if sums.levels.isEmpty { continue }
      sums.add(step.sums)
      for fileClass in 0..<classes {
        add(part.classBytes[index * classes + fileClass], of: fileClass, at: sums.levels.count - 1)
      }
      files += step.sums.files + step.sharedEnd - sharedStart
      visited += step.sums
      for file in part.shared[sharedStart..<step.sharedEnd] { add(file) }
      sharedStart = step.sharedEnd
      for value in part.values[valuesStart..<step.valuesEnd] { layers.add(value) }
      valuesStart = step.valuesEnd
    }
  }

  mutating func finish() -> TreeTotals {
    end(to: 0)
    sums = NestedSums()
    return totals
  }

  private mutating func begin(_ name: ArraySlice<UInt8>, depth: Int, _ isListed: Bool) {
    end(to: depth)
    // No folder contains names of two roots.
    if depth == 0 { sums.forgetFiles() }
    if classes > 0 { classSums.append(contentsOf: repeatElement(0, count: classes)) }
    let number = totals.append(
      TreeTotals.Record(
        files: isListed ? 0 : -1, nameStart: totals.names.count,
        nameLength: Int32(truncatingIfNeeded: name.count),
        parent: Int32(truncatingIfNeeded: sums.levels.last?.folder ?? -1)))
    totals.names += name
    let link = Int32(truncatingIfNeeded: number)
    let before = lastFolders.last ?? lastRoot
    if before >= 0 {
      totals.records[before].next = link
    } else if let parent = sums.levels.last?.folder {
      totals.records[parent].first = link
    }
    if lastFolders.isEmpty {
      lastRoot = number
    } else {
      lastFolders[lastFolders.count - 1] = number
    }
    lastFolders.append(-1)
    sums.begin(number)
  }

  private mutating func add(_ file: TotalsPart.SharedFile) {
    guard let here = sums.levels.last?.folder else { return }
    totals.hasSharedFiles = true
    let fileClass = Int(file.fileClass)
    if classes > 0 { add(file.size, of: fileClass, at: sums.levels.count - 1) }
    let amounts = TreeSums(
      files: 1, bytes: Int128(file.size), allocated: Int128(file.allocated))
    guard let meeting = sums.add(amounts, of: file.identity) else {
      visited += amounts
      return
    }
    guard let level = meeting.level else { return }
    if classes > 0 { add(-file.size, of: fileClass, at: level) }
    if meeting.folder != here {
      addRepeated(amounts, of: fileClass, metIn: meeting.folder, and: sums.levels[level].folder)
    }
  }

  /// Records that a folder counts a file once that has names in two of its sub-folders, or in one
  /// and in the folder itself.
  private mutating func addRepeated(
    _ sums: TreeSums, of fileClass: Int, metIn before: Int, and folder: Int
  ) {
    if before == folder {
      totals.shared.insert(folder)
      return
    }
    var amounts = totals.repeated[folder] ?? TreeTotals.Amounts(classes: classes)
    amounts.sums += sums
    if classes > 0 {
      amounts.classBytes[fileClass] = TreeTotals.sum(
        amounts.classBytes[fileClass], Int64(clamping: sums.bytes))
    }
    totals.repeated[folder] = amounts
  }

  private mutating func add(_ bytes: Int64, of fileClass: Int, at level: Int) {
    let place = level * classes + fileClass
    classSums[place] = TreeTotals.sum(classSums[place], bytes)
  }

  private mutating func end(to depth: Int) {
    while sums.levels.count > depth, let level = sums.end() {
      lastFolders.removeLast()
      if totals.records[level.folder].files >= 0 { totals.records[level.folder].sums = level.all }
      let depth = sums.levels.count
      layers.end { totals.cells[level.folder * totals.layers + $0] = $1 }
      if classes > 0 {
        totals.peaks[level.folder] = TreeTotals.Peaks(level.all)
        totals.ownPeaks[level.folder] = TreeTotals.Peaks(level.own)
        for fileClass in 0..<classes {
          let bytes = classSums[depth * classes + fileClass]
          totals.classBytes[level.folder * classes + fileClass] = bytes
          if depth > 0 { add(bytes, of: fileClass, at: depth - 1) }
        }
        classSums.removeLast(classes)
      }
      guard let parent = sums.levels.last?.folder else { continue }
      totals.records[parent].below += totals.records[level.folder].below + 1
    }
  }
}

/// A running scan that adds up the totals of each folder. It can be read once.
package struct TotalsScan: Sendable {
  fileprivate let batches: ScanBatches<TotalsPart>
  fileprivate var builder: TotalsBuilder

  package struct Progress: Sendable {
    package let folders: Int
    /// The number of files so far, with repetitions.
    package let files: Int
    /// The bytes of files so far; nil if a size is unknown.
    package let bytes: Int64?
    package let allocated: Int64?
    /// Faults since the last progress.
    package let faults: [ScanFault]
    package let place: [UInt8]
  }

  package mutating func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
    var reader = batches.makeAsyncIterator()
    guard let batch = try await reader.next(isolation: actor) else { return nil }
    builder.add(batch.content)
    return Progress(
      folders: builder.totals.count, files: builder.files, bytes: builder.visited.knownBytes,
      allocated: builder.visited.knownAllocated, faults: batch.faults, place: batch.place)
  }

  /// The totals, once ``next(isolation:)`` has returned nil.
  package mutating func takeTotals() -> TreeTotals { builder.finish() }

  /// Reads the scan to its end, and returns the totals.
  package func finish(reporting report: (Progress) -> Void = { _ in }) async throws -> TreeTotals {
    var scan = self
    while let step = try await scan.next(isolation: nil) { report(step) }
    return scan.takeTotals()
  }
}

extension FileSystemScanner {
  /// Starts to add up the totals of each folder.
  ///
  /// It reads all metadata below the roots. A folder counts each file once, by device and inode,
  /// even if it has several names there or is reached by several links. Memory: that of
  /// ``TreeTotals``, and 32 to 64 bytes for each file with several names, or for each file if links
  /// are followed.
  ///
  /// - Parameters:
  ///   - classes: The classification for details; nil for none. Details take 8 bytes per folder and
  ///     class, and 32 per folder.
  ///   - layers: Layers to sum up, with 24 bytes per folder and layer.
  ///   - update: The folders to add up again, below their parent as a root; nil for all.
  package func totals(
    of roots: [ScanRoot], classes: FileClasses? = nil, layers: LayerSet? = nil,
    for update: TotalsUpdate? = nil
  ) throws(Errno) -> TotalsScan {
    var options = options
    options.readsMetadata = true
    options.asksForStorage = true
    return try totals(of: roots, classes, layers, update, options)
  }

  /// Starts to sum up layers alone: sizes are read only if a layer needs them.
  package func sums(of layers: LayerSet, in roots: [ScanRoot]) throws(Errno) -> TotalsScan {
    var options = options
    options.asksForStorage = layers.needsStorage
    options.readsMetadata = layers.needsSizes || layers.needsStorage
    return try totals(of: roots, nil, layers, nil, options)
  }

  /// Starts to count names alone. A file with several names counts for each.
  package func names(of roots: [ScanRoot]) throws(Errno) -> TotalsScan {
    var options = options
    options.asksForStorage = false
    options.readsMetadata = false
    return try totals(of: roots, nil, nil, nil, options, countsNames: true)
  }

  private func totals(
    of roots: [ScanRoot], _ classes: FileClasses?, _ layers: LayerSet?, _ update: TotalsUpdate?,
    _ options: Options, countsNames: Bool = false
  ) throws(Errno) -> TotalsScan {
    let followsLinks = options.followsLinks(in: roots)
    let all = roots.map { root in
      var root = root
      root.isEntered = true
      return root
    }
    var cells: [LayerCell] = []
    if let layers {
      let names = NameTable(roots.map(\.label), kind: .directory)
      layers.makeReader().fill(&cells, names, 0..<names.count, in: [], areFolders: true)
    }
    let hasStorage = options.asksForStorage
    let batches = try scan(all, plan: TotalsPlan(depth: 0, cells: cells), options: options) {
      TotalsVisitor(
        followsLinks: followsLinks, classes: classes, layers: layers?.makeReader(),
        hasStorage: hasStorage, countsNames: countsNames, update: update)
    }
    return TotalsScan(
      batches: batches,
      builder: TotalsBuilder(classes: classes?.count ?? 0, layers: layers?.schema ?? .none))
  }
}
