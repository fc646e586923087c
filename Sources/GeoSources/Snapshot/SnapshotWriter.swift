import GeoCore
import GeoSystem
import GeoTree

/// Writes a snapshot in one pass, from parts of trees in map order.
///
/// Memory: a block and its columns, 28 bytes for each sub-folder of all open folders, and 1 MiB of
/// the index. The rest of the index is in a scratch file.
package struct SnapshotWriter {
  private struct OpenFolder {
    let number: Int
    /// How many slots there were when the folder began.
    let low: UInt32
    var slot = IndexSlot()
    let count: Int
    /// The slots of its sub-folders so far. Missing ones before them are filled in.
    var slots: [IndexSlot] = []
    var nameHash: BlockEnds.NameHash = 0
    var nameHashes: [BlockEnds.NameHash] = []

    mutating func fill(to count: Int) {
      let end = slots.last?.end ?? low
      while slots.count < count { slots.append(IndexSlot(end: end)) }
    }
  }

  private let knowledge: FactKnowledge
  private let ends: BlockEnds
  private var deflater: Deflater
  private var block: BlockBuilder
  private var index = IndexWriter()
  /// The open folders, from the virtual folder above the roots down.
  private var open: [OpenFolder]
  private var checksum: UInt32 = 0
  private var blockCount: UInt64 = 0
  private var offset: UInt64 = 0
  private var output: [UInt8] = []

  /// Without those left out or vanished.
  package private(set) var folders: UInt64 = 0
  package private(set) var files: UInt64 = 0

  /// The header is the first output. Tests use short blocks.
  package init(
    _ header: SnapshotHeader, ends: BlockEnds = BlockEnds(), effort: Deflater.Effort = .swift
  ) {
    deflater = Deflater(effort: effort)
    knowledge = header.knowledge
    self.ends = ends
    block = BlockBuilder(knowledge: header.knowledge)
    open = [OpenFolder(number: 0, low: 0, count: header.roots.count)]
    open[0].nameHashes = header.roots.map { BlockEnds.nameHash(of: $0.label.span) }
    let bytes = header.bytes
    output = bytes
    offset = UInt64(bytes.count)
  }

  package mutating func takeOutput() -> [UInt8] {
    var bytes: [UInt8] = []
    swap(&bytes, &output)
    checksum = CRC32.checksum(of: bytes.span, after: checksum)
    return bytes
  }

  /// The faults say why some entries could not be read; returns those of other paths, which are not
  /// kept.
  @discardableResult
  package mutating func add(
    _ part: SnapshotPart, faults: [ScanFault]
  ) throws(SnapshotError) -> [ScanFault] {
    var reasons: [[UInt8]: ScanFault.Reason] = [:]
    for fault in faults where reasons[fault.rawPath] == nil {
      reasons[fault.rawPath] = fault.reason
    }
    var kept: Set<[UInt8]> = []
    let bytes = part.names.bytes.span
    var position = 0
    for step in part.steps {
      if let folder = step.folder {
        try begin(folder, because: folder.isUnreadable ? reasons[step.path] : nil)
        if folder.isUnreadable, !reasons.isEmpty { kept.insert(step.path) }
      }
      let last = open.count - 1
      for index in position..<(position + step.count) {
        let record = part.names.records[index]
        let name = bytes.extracting(record.range)
        let nameHash = open[last].nameHash
        if ends.isEnd(block.length, before: BlockEnds.nameHash(of: name), in: nameHash) {
          endBlock(goingOn: true)
        }
        if step.folder != nil {
          open[last].nameHashes.append(BlockEnds.nameHash(of: name))
          block.addFolder(name, part.facts[index])
          continue
        }
        let facts = part.facts[index]
        var reason: ScanFault.Reason?
        if facts.status == .unreadable {
          let path = step.path.appending(component: part.names.name(at: index))
          reason = reasons[path]
          if reason != nil { kept.insert(path) }
        }
        if facts.status != .hidden, facts.status != .vanished { files += 1 }
        let storage = index < part.storage.count ? part.storage[index] : .unknown
        block.addFile(name, facts, storage, because: reason)
      }
      position += step.count
    }
    return faults.isEmpty ? [] : faults.filter { !kept.contains($0.rawPath) }
  }

  private mutating func begin(
    _ folder: SnapshotPart.Folder, because reason: ScanFault.Reason?
  ) throws(SnapshotError) {
    while open.count > folder.depth + 1 { try close() }
    let parent = open.count - 1
    let isNamed = open[parent].nameHashes.indices.contains(folder.number)
    let nameHash = isNamed ? open[parent].nameHashes[folder.number] : 0
    if ends.isEnd(block.length, before: nameHash, in: open[parent].nameHash) {
      endBlock(goingOn: false)
    }
    guard let low = UInt32(exactly: index.count) else { throw .tooLarge }
    var opened = OpenFolder(number: folder.number, low: low, count: folder.folderCount)
    opened.nameHash = nameHash
    opened.slot.offset = offset
    opened.slot.record = UInt16(truncatingIfNeeded: block.recordCount)
    open.append(opened)
    folders += 1
    block.begin(folder, because: reason)
  }

  private mutating func close() throws(SnapshotError) {
    var folder = open.removeLast()
    folder.fill(to: folder.count)
    do throws(Errno) {
      for slot in folder.slots { try index.append(slot) }
    } catch {
      throw .noScratch(error)
    }
    guard let end = UInt32(exactly: index.count) else { throw .tooLarge }
    folder.slot.end = end
    if open.isEmpty { return }
    let parent = open.count - 1
    open[parent].fill(to: folder.number)
    open[parent].slots.append(folder.slot)
  }

  private mutating func endBlock(goingOn: Bool) {
    let start = output.count
    block.finish(by: &deflater, to: &output)
    offset += UInt64(output.count - start)
    blockCount += 1
    if goingOn { block.goOn() }
  }

  package mutating func finishTree() throws(SnapshotError) {
    while !open.isEmpty { try close() }
    if !block.isEmpty { endBlock(goingOn: false) }
    try rethrowing(index.finish(), as: SnapshotError.noScratch)
    indexOffset = offset
  }

  private var indexOffset: UInt64 = 0
  private var indexTaken: UInt64 = 0
  private var isDone = false

  /// What follows the tree: the index, then the trailer. Empty at the end.
  package mutating func takeEnd() throws(SnapshotError) -> [UInt8] {
    if isDone { return [] }
    do throws(Errno) {
      if try index.take(from: indexTaken, appendingTo: &output) {
        indexTaken += UInt64(output.count)
        return takeOutput()
      }
    } catch {
      throw .noScratch(error)
    }
    isDone = true
    return SnapshotNumbers.trailer(
      [indexOffset, index.count, folders, files, blockCount], checksum: checksum)
  }
}
