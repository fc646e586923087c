import GeoCore
import GeoSystem

/// A FlatGeobuf file with its index: the features in the order of the Hilbert curve, before them the tree
/// over them, before that their number, kind and extent.
///
/// The features are sorted outside of memory and merged twice: for the tree, then into the file. Another thread
/// merges them while the tree is built, and while the file is written.
final class FlatGeobufAssembler: FileAssembler {
  private enum Stage { case header, tree, features, end }

  private var sorter = RecordSorter()
  private var records = SortedRecords()
  private var features: ReadAhead<FeatureBlocks.Block>?
  private var tree = PackedTree()
  private var envelope = Box()
  private var geometry: FlatGeobuf.Geometry?
  private var stage = Stage.header

  override func take(_ records: Span<UInt8>) throws(Errno) { try sorter.add(records) }

  override func finish() throws(Errno) {
    records = try sorter.finish()
    sorter = RecordSorter()
    let blocks = FeatureBlocks(records)
    let leaves = ReadAhead(threads: threads) { () throws(Errno) in try blocks.nextLeaves() }
    var offset: UInt64 = 0
    while let some = try leaves.next() {
      for leaf in some {
        try tree.add(leaf.box, offset: offset)
        offset += leaf.length
        envelope.add(leaf.box)
        geometry = geometry == nil || geometry == leaf.geometry ? leaf.geometry : .mixed
      }
    }
    try tree.finish()
  }

  override func write(to buffer: inout OutputBuffer) throws(Errno) -> Bool {
    switch stage {
    case .header:
      let bytes = FlatGeobuf.header(
        header, options, geometry: geometry ?? .mixed,
        envelope: tree.count == 0
          ? [] : [envelope.west, envelope.south, envelope.east, envelope.north],
        count: tree.count, isIndexed: tree.count > 0)
      buffer.append(bytes.span)
      stage = .tree
      return true
    case .tree:
      if try tree.write(to: &buffer) { return true }
      let blocks = FeatureBlocks(records)
      features = ReadAhead(threads: threads) { () throws(Errno) in try blocks.nextBlock() }
      stage = .features
      return try write(to: &buffer)
    case .features:
      if let block = try features?.next() {
        swap(&buffer, &block.buffer)
        return true
      }
      features = nil
      records = SortedRecords()
      stage = .end
      return false
    case .end: return false
    }
  }
}
