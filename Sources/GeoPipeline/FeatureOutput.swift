import GeoCore
import GeoFormats
import GeoProjection

/// Writes features as text.
final class FeatureOutput: MapOutput {
  struct Content: Sendable {
    let storage: ChunkStorage
    let summary: MapSummary
  }

  private let writer: FeatureWriter
  private let pool: ChunkPool
  private var storage: ChunkStorage
  private var summary = MapSummary()

  init(writer: FeatureWriter, pool: ChunkPool) {
    self.writer = writer
    self.pool = pool
    storage = pool.take()
  }

  var needsCells: Bool { writer.needsCells }

  func setLayers(_ layers: LayerBatch) { writer.setLayers(layers) }

  func enterFolder(_ path: [UInt8]) { writer.enterFolder(path: path) }

  func addFolder(_ folder: FeatureRecord, at place: FolderPlace, _ shape: FolderShape) {
    writer.writeFolder(folder, shape, to: &storage.buffer)
    summary.folders += 1
    if folder.isUnreadable { summary.unreadable += 1 }
  }

  func addFiles(
    _ names: NameTable, _ range: Range<Int>, places: [FilePlace], facts: [EntryFacts],
    _ plan: FolderPlan
  ) {
    summary += writer.writeFiles(
      names, range, places: places, facts: facts,
      FileBatch(
        depth: plan.depth, digits: plan.city.digits, minzoom: plan.city.minzoom,
        towns: plan.cells?.towns ?? []),
      to: &storage.buffer)
  }

  func leaveOut(_ counts: ExclusionCounts) { summary.excluded += counts }

  var weight: Int { storage.buffer.count + (summary.excluded.isEmpty ? 0 : 1) }

  func takeContent() -> Content {
    let full = storage
    let sum = summary
    summary = MapSummary()
    if full.buffer.count * 4 < full.buffer.capacity {
      // A copy that fits takes less memory than a nearly empty buffer.
      let copy = ChunkStorage(capacity: full.buffer.count)
      full.buffer.withBytes { copy.buffer.append($0) }
      full.buffer.removeAll()
      return Content(storage: copy, summary: sum)
    }
    storage = pool.take()
    return Content(storage: full, summary: sum)
  }
}
