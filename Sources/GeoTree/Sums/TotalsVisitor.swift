import GeoCore
import GeoSystem

/// The visitor's plan: the depth of a folder's entries.
final class TotalsPlan: Sendable {
  let depth: Int32
  /// The layers' values of the sub-folders themselves, folder by folder; empty without layers.
  let cells: [LayerCell]

  init(depth: Int32, cells: [LayerCell] = []) { (self.depth, self.cells) = (depth, cells) }
}

/// Part of a scan: folders in tree order, each with its files.
struct TotalsPart: Sendable {
  /// A folder and the first of its files, or more files of the last folder.
  struct Step: Sendable {
    /// 0 for a root, 1 for its sub-folders, and so on; −1 for more files.
    let depth: Int32
    let isListed: Bool
    /// The sums of files that can occur only once.
    var sums = TreeSums()
    /// The end of its name in `names`.
    let nameEnd: Int
    /// The end of its files in `shared`.
    var sharedEnd: Int
    /// The end of its values in `values`.
    var valuesEnd: Int
  }

  /// A file that may occur again.
  struct SharedFile: Sendable {
    let identity: FileSystem.Identity
    let size: Int64
    let allocated: Int64
    var fileClass: UInt8 = 0
  }

  var steps: [Step] = []
  var names: [UInt8] = []
  var shared: [SharedFile] = []
  /// For each step, the bytes of each class of files that can occur only once; empty without
  /// details.
  var classBytes: [Int64] = []
  /// For each folder, its own cells of all layers; empty without layers.
  var cells: [LayerCell] = []
  var values: [LayerPart] = []
}

/// Adds up the files of each folder; enters all folders.
final class TotalsVisitor: ScanVisitor {
  /// Whether any file may be visited again, not only one with several names.
  private let followsLinks: Bool
  private let classes: FileClasses?
  /// The part of the tree to read again; nil to read all.
  private let update: TotalsUpdate?
  private var part = TotalsPart()
  /// The current files, whose names decide their classes; nil without details.
  private var current: (names: NameTable, range: Range<Int>)?
  private let layers: LayerReader?
  /// Whether storage follows the facts.
  private let hasStorage: Bool
  /// Whether files are only counted, by the names in listings.
  private let countsNames: Bool
  private var cells: [LayerCell] = []
  private var folder: [UInt8] = []

  init(
    followsLinks: Bool, classes: FileClasses? = nil, layers: LayerReader? = nil,
    hasStorage: Bool = true, countsNames: Bool = false, update: TotalsUpdate? = nil
  ) {
    self.countsNames = countsNames
    self.followsLinks = followsLinks
    self.classes = classes
    self.update = update
    self.layers = layers
    self.hasStorage = hasStorage
  }

  func enter(
    _ visit: FolderVisit<TotalsPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<TotalsPlan>? {
    begin(visit, isListed: true)
    if countsNames, !files.isEmpty {
      part.steps[part.steps.count - 1].sums = TreeSums(
        files: files.count, bytes: TreeSums.unknown, allocated: TreeSums.unknown)
    }
    var decisions = visit.decisions(ofAll: folders.count)
    if visit.parentPlan.depth == 0 { update?.decide(folders, &decisions) }
    return FolderDecision(
      plan: TotalsPlan(
        depth: visit.parentPlan.depth + 1, cells: cells(of: folders, in: visit.path, decisions)),
      decisions: decisions, wantsFiles: !countsNames)
  }

  /// The layers' values of the sub-folders that are not hidden.
  private func cells(
    of folders: NameTable, in path: [UInt8], _ decisions: [TraversalDecision]
  ) -> [LayerCell] {
    guard let layers else { return [] }
    layers.fill(&cells, folders, 0..<folders.count, in: path, areFolders: true)
    if !decisions.contains(.hidden) { return cells }
    let count = layers.schema.layers.count
    return decisions.indices.filter { decisions[$0] != .hidden }
      .flatMap { cells[($0 * count)..<(($0 + 1) * count)] }
  }

  func pass(_ visit: FolderVisit<TotalsPlan>) { begin(visit, isListed: false) }

  private func begin(_ visit: FolderVisit<TotalsPlan>, isListed: Bool) {
    begin(visit.path.lastComponent, depth: visit.parentPlan.depth, isListed: isListed)
    guard let count = layers?.schema.layers.count else { return }
    part.cells += visit.parentPlan.cells[(visit.index * count)..<((visit.index + 1) * count)]
  }

  fileprivate func begin(_ name: ArraySlice<UInt8>, depth: Int32, isListed: Bool) {
    part.names += name
    part.steps.append(
      TotalsPart.Step(
        depth: depth, isListed: isListed, nameEnd: part.names.count, sharedEnd: part.shared.count,
        valuesEnd: part.values.count))
    addClasses()
  }

  /// Goes on with the last folder of the part before, if no folder was begun since.
  private func goOn() {
    if !part.steps.isEmpty { return }
    part.steps.append(
      TotalsPart.Step(depth: -1, isListed: true, nameEnd: 0, sharedEnd: 0, valuesEnd: 0))
    addClasses()
  }

  private func addClasses() {
    guard let classes else { return }
    part.classBytes.append(contentsOf: repeatElement(0, count: classes.count))
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: TotalsPlan,
    facts: [EntryFacts]
  ) {
    if classes != nil || layers != nil { current = (names, range) }
    guard let layers else { return }
    folder = path
    if !hasStorage { addValues(of: facts, layers) }
  }

  private func addValues(
    of facts: [EntryFacts], _ layers: LayerReader, _ storage: [FileStorage] = []
  ) {
    guard let current else { return }
    goOn()
    layers.fill(&cells, current.names, current.range, in: folder, storage: storage)
    let count = layers.schema.layers.count
    let start = part.steps.count > 1 ? part.steps[part.steps.count - 2].valuesEnd : 0
    for (position, facts) in facts.enumerated() {
      if facts.status == .hidden || facts.status == .vanished { continue }
      for layer in 0..<count where cells[position * count + layer].isThere {
        part.values.add(
          LayerPart(layer: layer, cells[position * count + layer], facts),
          layers.schema.layers[layer], from: start)
      }
    }
    part.steps[part.steps.count - 1].valuesEnd = part.values.count
  }

  func visit(_ storage: [FileStorage], facts: [EntryFacts]) {
    var sums = TreeSums()
    goOn()
    if let layers { addValues(of: facts, layers, storage) }
    for (position, facts) in facts.enumerated() {
      if position < storage.count, storage[position].isElsewhere { continue }
      switch facts.status {
      case .hidden, .vanished: continue
      case .unreadable: sums.files += 1
      case .unasked:
        sums += TreeSums(files: 1, bytes: TreeSums.unknown, allocated: TreeSums.unknown)
      case .known, .sized:
        let storage = storage[position]
        let fileClass = fileClass(at: position)
        if facts.status == .known { sums.newest = max(sums.newest, facts.modified) }
        sums.largest = max(sums.largest, facts.size, storage.allocated)
        if storage.isKnown, followsLinks || facts.links > 1 {
          part.shared.append(
            TotalsPart.SharedFile(
              identity: storage.identity, size: facts.size, allocated: storage.allocated,
              fileClass: UInt8(fileClass)))
        } else {
          sums.files += 1
          sums.bytes += Int128(facts.size)
          sums.allocated += storage.isKnown ? Int128(storage.allocated) : TreeSums.unknown
          if let classes {
            let place = part.classBytes.count - classes.count + fileClass
            part.classBytes[place] = TreeTotals.sum(part.classBytes[place], facts.size)
          }
        }
      }
    }
    current = nil
    part.steps[part.steps.count - 1].sums += sums
    part.steps[part.steps.count - 1].sharedEnd = part.shared.count
  }

  private func fileClass(at position: Int) -> Int {
    guard let classes, let current else { return 0 }
    let range = current.names.records[current.range.lowerBound + position].range
    return classes.classify(current.names.bytes.span.extracting(range))
  }

  var weight: Int {
    part.steps.count * MemoryLayout<TotalsPart.Step>.stride + part.names.count
      + part.classBytes.count * MemoryLayout<Int64>.stride
      + part.shared.count * MemoryLayout<TotalsPart.SharedFile>.stride
      + part.cells.count * MemoryLayout<LayerCell>.stride
      + part.values.count * MemoryLayout<LayerPart>.stride
  }

  func takeContent() -> TotalsPart {
    defer { part = TotalsPart() }
    return part
  }
}

extension TreeTotals {
  /// Makes the totals of one folder without sub-folders.
  package init(
    files: NameTable, _ facts: [EntryFacts], _ storage: [FileStorage], classes: FileClasses
  ) {
    let visitor = TotalsVisitor(followsLinks: false, classes: classes)
    visitor.begin([], depth: 0, isListed: true)
    if !facts.isEmpty {
      visitor.visit(files, 0..<files.count, of: [], plan: TotalsPlan(depth: 1), facts: facts)
      visitor.visit(storage, facts: facts)
    }
    var builder = TotalsBuilder(classes: classes.count)
    builder.add(visitor.takeContent())
    self = builder.finish()
  }
}
