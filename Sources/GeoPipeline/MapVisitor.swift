import GeoCore
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree

/// Places the entries of a scan, decides which are shown, and passes them to the output.
///
/// The stages meet here: scan → project → tier → emit, one listing at a time.
final class MapVisitor<Output: MapOutput>: ScanVisitor {
  private let engine: GeoProjectionEngine
  private let filter: MapFilter
  let output: Output
  private let showsFolders: Bool
  private let totals: TreeTotals?
  private let layers: LayerReader?
  /// What all folders say of the layers; nil without layers.
  private let sums: TreeTotals?
  private let waitsForStorage: Bool
  /// The files whose storage decides values of layers, and the path of their folder.
  private var waiting: (names: NameTable, range: Range<Int>)?
  private var current: FolderPlan?

  // Buffers that are reused.
  private var filePlaces: [FilePlace] = []
  private var frames = FileFrames()
  private var ring: [Coordinate] = []
  private var shape = FolderShape()
  private var cells: [LayerCell] = []
  private var folder: [UInt8] = []

  init(
    engine: GeoProjectionEngine, filter: MapFilter, showsFolders: Bool, sums: MapSums,
    output: Output
  ) {
    self.engine = engine
    self.filter = filter
    self.output = output
    totals = sums.totals
    layers = sums.layers?.makeReader()
    waitsForStorage = sums.layers?.needsStorage ?? false
    self.sums = sums.ofLayers
    self.showsFolders = showsFolders
  }

  func enter(
    _ visit: FolderVisit<FolderPlan>, files: NameTable, folders: NameTable
  ) -> FolderDecision<FolderPlan>? {
    let place = visit.parentPlan.folders[visit.index]
    add(visit, at: place, entries: visit.fileCount + folders.count)

    let placed = engine.contents(of: place, folders: folders, fileCount: visit.fileCount)
    let depth = Int(place.depth) + 1
    let (decisions, places) = admit(placed.folders, of: visit)
    let plan = FolderPlan(
      city: placed.city, depth: depth, folders: places,
      numbers: numbers(of: folders, in: visit.parentPlan.numbers, visit.index, totals, decisions),
      sums: numbers(of: folders, in: visit.parentPlan.sums, visit.index, sums, decisions),
      cells: output.needsCells
        ? .init(
          tints: zip(engine.tints(in: placed), decisions).filter { $1 != .hidden }.map(\.0),
          towns: engine.towns(in: placed)) : nil)
    current = plan
    return FolderDecision(
      plan: plan, decisions: decisions, wantsFiles: filter.admits(placed.city, depth: depth))
  }

  func pass(_ visit: FolderVisit<FolderPlan>) {
    current = nil
    add(visit, at: visit.parentPlan.folders[visit.index], entries: nil)
  }

  func select(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: FolderPlan,
    facts: inout [EntryFacts]
  ) {
    engine.placeFiles(names, range, in: plan.city, &frames, into: &filePlaces)
    if let box = filter.box {
      for index in facts.indices
      where !box.meets(filePlaces[index].coordinate, digits: plan.city.digits) {
        facts[index].leaveOut(for: nil)
      }
    }
  }

  func visit(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], plan: FolderPlan,
    facts: [EntryFacts]
  ) {
    if current !== plan {
      current = plan
      output.enterFolder(path)
    }
    var counts = ExclusionCounts()
    counts.add(facts)
    if !counts.isEmpty { output.leaveOut(counts) }
    if waitsForStorage {
      waiting = (names, range)
      folder = path
      return
    }
    addFiles(names, range, of: path, plan, facts)
  }

  func visit(_ storage: [FileStorage], facts: [EntryFacts]) {
    guard let waiting, let current else { return }
    self.waiting = nil
    addFiles(waiting.names, waiting.range, of: folder, current, facts, storage)
  }

  private func addFiles(
    _ names: NameTable, _ range: Range<Int>, of path: [UInt8], _ plan: FolderPlan,
    _ facts: [EntryFacts], _ storage: [FileStorage] = []
  ) {
    if let layers {
      layers.fill(&cells, names, range, in: path, storage: storage)
      output.setLayers(LayerBatch(layers.schema, cells: cells, areFolders: false))
    }
    output.addFiles(names, range, places: filePlaces, facts: facts, plan)
  }

  var weight: Int { output.weight }

  func takeContent() -> Output.Content { output.takeContent() }

  private func add(_ visit: FolderVisit<FolderPlan>, at place: FolderPlace, entries: Int?) {
    output.enterFolder(visit.path)
    let coordinate = engine.coordinate(of: place)
    guard filter.shows(place, at: coordinate) else { return }
    if !showsFolders {
      var counts = ExclusionCounts()
      counts.add(for: .type)
      return output.leaveOut(counts)
    }
    engine.coastline(of: place, into: &shape.ring)
    if output.needsCells, let cells = visit.parentPlan.cells {
      shape.tint = cells.tints[visit.index]
      if place.depth > 0 {
        engine.cellOutline(of: place, into: &shape.cell)
      } else {
        shape.cell = []
      }
    }
    var record = FeatureRecord(
      place: place, coordinate: coordinate, entries: entries, modified: visit.modified,
      isUnreadable: visit.isUnreadable)
    record.isLoop = visit.isLoop
    if let totals { record.totals = totals[visit.parentPlan.numbers[visit.index]] }
    if let layers, let sums {
      let cells = sums.cells(of: visit.parentPlan.sums[visit.index])
      output.setLayers(
        LayerBatch(
          layers.schema, cells: cells.isEmpty ? layers.schema.noCells : cells, areFolders: true))
    }
    output.addFolder(record, at: place, shape)
  }

  /// The numbers in some totals of the sub-folders that are not hidden.
  private func numbers(
    of folders: NameTable, in parents: [Int], _ index: Int, _ totals: TreeTotals?,
    _ decisions: [TraversalDecision]
  ) -> [Int] {
    guard let totals else { return [] }
    let all = totals.numbers(of: folders, in: parents[index])
    return zip(all, decisions).compactMap { $1 == .hidden ? nil : $0 }
  }

  /// Decides about the sub-folders, and picks the places of those that are not hidden.
  private func admit(
    _ all: [FolderPlace], of visit: FolderVisit<FolderPlan>
  ) -> (decisions: [TraversalDecision], places: [FolderPlace]) {
    guard filter.isActive || !visit.leftOut.isEmpty else {
      return ([TraversalDecision](repeating: .entered, count: all.count), all)
    }
    var places: [FolderPlace] = []
    var counts = ExclusionCounts()
    var leftOut = visit.leftOut[...]
    let decisions = all.enumerated().map { (index, place) in
      let left = leftOut.first?.index == index ? leftOut.removeFirst() : nil
      let decision =
        filter.isActive
        ? TraversalDecision(filter.verdict(on: place, by: engine, ring: &ring)) : .entered
      if decision == .hidden { return TraversalDecision.hidden }
      if let left {
        counts.add(left)
        return .hidden
      }
      places.append(place)
      return decision
    }
    if !counts.isEmpty { output.leaveOut(counts) }
    return (decisions, places)
  }
}

extension TraversalDecision {
  init(_ verdict: MapFilter.Verdict) {
    switch verdict {
    case .hidden: self = .hidden
    case .shown: self = .shown
    case .entered: self = .entered
    }
  }
}
