import GeoCore
import GeoFormats
import GeoProjection
import GeoTree

/// Consecutive nodes of a map: plain records, and one arena for their text.
package struct NodeBatch: Sendable {
  package struct Record: Sendable {
    /// The hash of the node's path.
    package let seed: UInt64
    /// Its coordinate, in integers of 10^-``digits`` degrees.
    package let coordinate: Coordinate
    package let digits: UInt8
    package let minzoom: UInt8
    package let kind: NodeKind
    package let isLanded: Bool
    package let isLoop: Bool
    let totals: Int32?
    /// 0 for a root, 1 for its entries, and so on.
    package let depth: Int32
    /// Its metadata. The size of a folder is the number of its entries, or −1 if it was not listed.
    package let facts: EntryFacts
    /// Where its coast line begins in the outlines, and how many vertices it has (0 if not
    /// requested).
    let outline: Int32
    let vertices: Int32
    /// Where its cells of layers begin; nil without layers.
    let cells: Int32?
    /// Where the path of its folder, or of the folder itself, is in the arena.
    let folder: Range<Int>
    /// Where its name is in the arena; empty for the folder itself.
    let name: Range<Int>
  }

  package fileprivate(set) var records: [Record] = []
  package internal(set) var faults: [ScanFault] = []
  package fileprivate(set) var excluded = ExclusionCounts()
  fileprivate var arena: [UInt8] = []
  fileprivate var totals: [FolderTotals] = []
  fileprivate var outlines: [Coordinate] = []
  fileprivate var cells: [LayerCell] = []
  fileprivate var schema = LayerSchema.none

  package func totals(of record: Record) -> FolderTotals? {
    record.totals.map { totals[Int($0)] }
  }

  /// The coast line of a folder with land, counter-clockwise and not closed; empty if not
  /// requested.
  package func outline(of record: Record) -> ArraySlice<Coordinate> {
    outlines[Int(record.outline)..<Int(record.outline + record.vertices)]
  }

  /// The values of layers at a node, by the names of their members in map files.
  package func values(of record: Record) -> [String: LayerValue] {
    guard let start = record.cells.map({ Int($0) }) else { return [:] }
    return schema.values(
      of: cells[start..<(start + schema.layers.count)],
      isFolder: record.facts.kind == .directory)
  }

  /// The path of a node: the root's label, then names, joined by `/`.
  package func path(of record: Record) -> [UInt8] {
    var path = Array(arena[record.folder])
    if !record.name.isEmpty { path.append(component: arena[record.name]) }
    return path
  }
}

/// Keeps nodes as records.
final class NodeOutput: MapOutput {
  private var batch = NodeBatch()
  private var path: [UInt8] = []
  private var folder: Range<Int>?
  private let keepsOutlines: Bool
  /// The values at the nodes that are added next.
  private var layers: LayerBatch?

  init(keepsOutlines: Bool = false) { self.keepsOutlines = keepsOutlines }

  func enterFolder(_ path: [UInt8]) {
    self.path = path
    folder = nil
  }

  func setLayers(_ layers: LayerBatch) {
    self.layers = layers
    batch.schema = layers.schema
  }

  private func addCells(_ index: Int) -> Int32? {
    guard let layers else { return nil }
    let count = layers.schema.layers.count
    batch.cells += layers.cells[(index * count)..<((index + 1) * count)]
    return Int32(batch.cells.count - count)
  }

  func addFolder(_ record: FeatureRecord, at place: FolderPlace, _ shape: FolderShape) {
    let folder = placeFolder()
    let outline = batch.outlines.count
    if keepsOutlines { batch.outlines += shape.ring }
    batch.records.append(
      NodeBatch.Record(
        seed: place.seed, coordinate: record.position, digits: record.digits,
        minzoom: record.minzoom, kind: record.kind, isLanded: record.isLanded,
        isLoop: record.isLoop, totals: add(record.totals), depth: place.depth,
        facts: EntryFacts(
          size: record.size ?? -1, modified: record.modified ?? 0,
          status: record.isUnreadable
            ? .unreadable : record.modified == nil ? .unasked : .known,
          kind: .directory),
        outline: Int32(outline), vertices: Int32(batch.outlines.count - outline),
        cells: addCells(0), folder: folder, name: folder.upperBound..<folder.upperBound))
  }

  func addFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ plan: FolderPlan
  ) {
    let (city, depth) = (plan.city, plan.depth)
    let folder = placeFolder()
    for (position, index) in range.enumerated() {
      let known = facts[position]
      if known.status == .hidden || known.status == .vanished { continue }
      let start = batch.arena.count
      batch.arena += names.bytes[names.records[index].range]
      batch.records.append(
        NodeBatch.Record(
          seed: places[position].seed, coordinate: places[position].coordinate,
          digits: city.digits, minzoom: city.minzoom, kind: .poi, isLanded: false,
          isLoop: false, totals: nil, depth: Int32(clamping: depth), facts: known, outline: 0,
          vertices: 0, cells: addCells(position), folder: folder, name: start..<batch.arena.count))
    }
  }

  func leaveOut(_ counts: ExclusionCounts) { batch.excluded += counts }

  var weight: Int {
    batch.arena.count + batch.records.count * MemoryLayout<NodeBatch.Record>.stride
      + batch.outlines.count * MemoryLayout<Coordinate>.stride
      + batch.cells.count * MemoryLayout<LayerCell>.stride
      + (batch.excluded.isEmpty ? 0 : 1)
  }

  func takeContent() -> NodeBatch {
    let full = batch
    batch = NodeBatch()
    batch.schema = full.schema
    folder = nil
    return full
  }

  private func add(_ totals: FolderTotals?) -> Int32? {
    guard let totals else { return nil }
    batch.totals.append(totals)
    return Int32(batch.totals.count - 1)
  }

  /// The folder's path in the arena, where each batch has it once.
  private func placeFolder() -> Range<Int> {
    if let folder { return folder }
    let start = batch.arena.count
    batch.arena += path
    let range = start..<batch.arena.count
    folder = range
    return range
  }
}

/// The nodes of a map as they are found, in batches, in the order of the map.
///
/// A slow reader slows the scan; a reader that stops ends it.
package struct NodeStream: AsyncSequence, Sendable {
  package typealias Element = NodeBatch

  let batches: MapBatches<NodeBatch>

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: batches.makeAsyncIterator())
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: MapBatches<NodeBatch>.Iterator

    package mutating func next() async throws -> NodeBatch? { try await next(isolation: nil) }

    /// - Throws: `CancellationError` if the task was cancelled.
    package mutating func next(isolation actor: isolated (any Actor)?) async throws -> NodeBatch? {
      switch try await base.next(isolation: actor) {
      case .scanned(let batch):
        var nodes = batch.content
        nodes.faults = batch.faults
        return nodes
      case .counted(let progress):
        var nodes = NodeBatch()
        nodes.faults = progress.faults
        return nodes
      case nil: return nil
      }
    }
  }
}
