import GeoCore
import GeoProjection
import GeoTree

/// Searches a world for names, the shallowest folders first, one folder per step.
///
/// The queue of folders is bounded: beyond the limit, each folder is searched with all its contents
/// before the next one. That skips nothing and needs memory for the folders on one path only.
///
/// The caller decides how long to search: hits can be taken after each ``step()``.
package struct NameSearch {
  private let match: NameMatch
  private let isOrdered: Bool
  private let asksForFacts: Bool
  private let world: World
  /// The totals of folders, which are their sizes; nil if folders have none.
  private let totals: TreeTotals?
  private let values: Values
  private let reader: WorldReader
  private var hits: BestHits
  private var waiting: [Siblings] = []
  private var position = 0
  /// How many of ``waiting`` are searched breadth first. Later ones are searched before them, the
  /// last one first.
  private var breadthCount = 1
  package private(set) var waitingBytes = 0
  /// The maximum number of bytes of ``waiting`` before the search goes depth first.
  private let waitingLimit: Int

  package private(set) var folders = 0
  package private(set) var files = 0
  package private(set) var matches = 0
  package private(set) var place: [UInt8] = []
  package private(set) var isComplete = true

  private struct Values {
    let reader: WorldReader
    /// What folders say; nil without layers.
    let sums: TreeTotals?

    func cells(ofFolder path: [UInt8]) -> [LayerCell] {
      sums.map { $0.cells(of: $0.number(of: path.components)) } ?? []
    }
  }

  /// Sub-folders of one folder, or the roots. There may be very many, so their paths are made when
  /// they are searched.
  private struct Siblings {
    var parent: (path: [UInt8], root: Int, handles: [UInt64])?
    var names: NameTable
    var places: [FolderPlace]
    var next = 0

    var cost: Int {
      256 + (parent?.path.count ?? 0) + names.bytes.count
        + places.count
        * (MemoryLayout<FolderPlace>.stride + MemoryLayout<NameRecord>.stride
          + MemoryLayout<UInt64>.stride)
    }
  }

  /// - Parameters:
  ///   - order: The order of the hits; nil for the best matches first, of which some are final
  ///     before the search ends.
  ///   - layer: The number of the layer that orders the hits, instead.
  ///   - asksForFacts: Whether hits that are files have size and time of change in any order.
  ///   - totals: The sizes of folders in an order that reads them; nil if folders have no size.
  ///   - sums: What folders say of the world's layers; nil without layers.
  ///   - waitingLimit: The maximum number of bytes of the queue before the search goes depth first.
  package init(
    for match: NameMatch, limit: Int, first order: MatchOrder? = nil, byLayer layer: Int? = nil,
    asksForFacts: Bool = false, totals: TreeTotals? = nil, sums: TreeTotals? = nil, in world: World,
    waitingLimit: Int = 32 << 20
  ) {
    self.match = match
    var puts = order.map { order in { order.puts($0, before: $1) } as BestHits.Order }
    if let layer, let schema = world.layers?.schema {
      puts = { schema.puts($0.cells, before: $1.cells, by: layer) }
    }
    isOrdered = puts != nil
    hits = BestHits(puts, limit: limit)
    self.asksForFacts = asksForFacts || order != nil && order != .name
    (self.world, self.totals) = (world, totals)
    reader = world.reader()
    values = Values(reader: reader, sums: sums)
    self.waitingLimit = waitingLimit
    let roots = Siblings(
      parent: nil, names: NameTable(world.roots.map(\.label), kind: .directory),
      places: world.engine.roots)
    waiting = [roots]
    waitingBytes = roots.cost
  }

  package mutating func step() -> Bool {
    guard position < waiting.count else { return false }
    let goesDepthFirst = waiting.count > breadthCount || waitingBytes > waitingLimit
    let current = goesDepthFirst ? waiting.count - 1 : position
    let siblings = waiting[current]
    if siblings.next < siblings.names.count {
      waiting[current].next += 1
      if let children = searchNext(of: siblings) {
        waitingBytes += children.cost
        waiting.append(children)
        if !goesDepthFirst { breadthCount += 1 }
      }
    } else {
      waitingBytes -= siblings.cost
      leave(current)
    }
    return true
  }

  /// Removes siblings that were searched, the first or the last ones.
  private mutating func leave(_ index: Int) {
    if index == waiting.count - 1 {
      waiting.removeLast()
      breadthCount = min(breadthCount, waiting.count)
      return
    }
    waiting[index] = Siblings(parent: nil, names: NameTable(), places: [])
    position += 1
    if position > 4096, position * 2 > waiting.count {
      waiting.removeFirst(position)
      breadthCount -= position
      position = 0
    }
  }

  package mutating func takeNew() -> [NameHit] {
    // The first ones of an order are known at the end.
    !isOrdered || position == waiting.count ? hits.take() : []
  }

  /// Takes new hits that no better one can follow, the best first.
  ///
  /// If no others are taken, all hits come in their order.
  package mutating func takeRanked() -> [NameHit] {
    isOrdered ? takeNew() : hits.take(from: bestToCome)
  }

  private var bestToCome: Int {
    guard position < waiting.count else { return .min }
    // A root may be a hit itself. All other folders in the queue are as deep, or deeper.
    guard waiting[position].parent != nil, let place = waiting[position].places.first else {
      return NameMatch.best(atDepth: 0)
    }
    return NameMatch.best(atDepth: Int(place.depth) + 1)
  }

  /// Whether the rest of the search only counts matches: none can be among the best.
  package var isSettled: Bool { position == waiting.count || hits.isFull(from: bestToCome) }

  private mutating func searchNext(of siblings: Siblings) -> Siblings? {
    let index = siblings.next
    let name = siblings.names.name(at: index)
    let path = siblings.parent.map { $0.path.appending(component: name) } ?? name
    let handles = siblings.parent?.handles ?? []
    let address = FolderAddress(
      path: path, root: siblings.parent?.root ?? index, place: siblings.places[index],
      handle: handles.isEmpty ? nil : handles[index])
    let folder = reader.folder(at: address, keeps: world.canKeep)
    folders += 1
    files += folder.files.count
    place = path
    if folder.failure != nil { isComplete = false }
    search(folder)
    if folder.folders.isEmpty { return nil }
    return Siblings(
      parent: (path, folder.root, folder.handles), names: folder.folders, places: folder.places)
  }

  private mutating func search(_ folder: WorldFolder) {
    // All words but the last may match the path above.
    let above = folder.path.lowercased
    let left = match.others.filter { !$0.fits(path: above) }
    let depth = Int(folder.place.depth)
    let engine = world.engine
    let source = asksForFacts ? reader : nil
    let values = values
    let showsFolders = world.selection.showsFolders
    if showsFolders, depth == 0 || isOrdered {
      // A root is in no folder, so its own name counts as the path above it. The sort keys of other
      // folders are known only after they were read.
      let name = depth == 0 ? above : Array(above.lastComponent)
      let outer = depth == 0 ? nil : above.parentPath.map { Array($0) }
      let left = match.others.filter { word in outer.map(word.fits) != true }
      // The bytes of everything in it.
      let size = totals.flatMap { $0[$0.number(of: folder.path.components)]?.bytes }
      if let score = match.score(name, left: left, depth: depth, isFile: false) {
        add(score) {
          NameHit(
            folder.place, at: folder.path, score: score, size: size,
            modified: folder.modified, cells: values.cells(ofFolder: folder.path), by: engine)
        }
      }
    }
    for (table, isFile) in [(folder.folders, false), (folder.files, true)]
    where isFile || showsFolders && !isOrdered {
      for index in 0..<table.count {
        let span = table.bytes.span.extracting(table.records[index].range)
        guard match.mayFit(span) else { continue }
        let name = table.name(at: index)
        guard
          let score = match.score(name.lowercased, left: left, depth: depth + 1, isFile: isFile)
        else { continue }
        add(score) {
          if isFile {
            return NameHit(
              file: name, in: folder, score: score, facts: source?.facts(ofFile: index, in: folder),
              cells: Array(values.reader.cells(ofFile: index, in: folder)), by: engine)
          }
          let path = folder.path(of: name)
          return NameHit(
            folder.places[index], at: path, score: score, cells: values.cells(ofFolder: path),
            by: engine)
        }
      }
    }
  }

  private mutating func add(_ score: Int, _ hit: () -> NameHit) {
    matches += 1
    hits.add(score, hit)
  }
}
