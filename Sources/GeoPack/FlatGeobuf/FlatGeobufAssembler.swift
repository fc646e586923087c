import GeoEmit
import GeoPath
import GeoSystem

/// A FlatGeobuf file with its index: the features in the order of the Hilbert curve, before them the tree
/// over them, before that their number, kind and extent.
///
/// The features are sorted outside of memory and merged twice: for the tree, then into the file.
final class FlatGeobufAssembler: FileAssembler {
  private enum Stage { case header, tree, features, end }

  private var sorter = RecordSorter()
  private var records = SortedRecords()
  private var cursor: RecordCursor?
  private var tree = PackedTree()
  private var envelope = Box()
  private var geometry: FlatGeobuf.Geometry?
  private var stage = Stage.header

  override func take(_ records: Span<UInt8>) throws(Errno) { try sorter.add(records) }

  override func finish() throws(Errno) {
    records = try sorter.finish()
    sorter = RecordSorter()
    var offset: UInt64 = 0
    var cursor = records.cursor()
    while try cursor.advance() {
      let (box, kind, length) = cursor.withContent {
        (Self.box($0), $0[FlatGeobuf.type - 4], $0.count)
      }
      try tree.add(box, offset: offset)
      offset += UInt64(length + 4)
      envelope.add(box)
      let type = FlatGeobuf.Geometry(rawValue: kind) ?? .mixed
      geometry = geometry == nil || geometry == type ? type : .mixed
    }
    try tree.finish()
  }

  /// The box around a feature, whose positions are where ``FlatGeobufWriter`` has put them.
  ///
  /// - Parameter feature: The feature without its length.
  private static func box(_ feature: Span<UInt8>) -> Box {
    let start = FlatGeobuf.positions - 4
    var box = Box()
    for pair in 0..<Int(feature.loadHalfWord(at: FlatGeobuf.count - 4)) / 2 {
      box.add(
        longitude: Double(bitPattern: feature.loadWord(at: start + 16 * pair)),
        latitude: Double(bitPattern: feature.loadWord(at: start + 16 * pair + 8)))
    }
    return box
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
      cursor = records.cursor()
      stage = .features
      return try writeFeatures(to: &buffer)
    case .features: return try writeFeatures(to: &buffer)
    case .end: return false
    }
  }

  private func writeFeatures(to buffer: inout OutputBuffer) throws(Errno) -> Bool {
    guard var cursor = self.cursor.take() else { return false }
    while buffer.count < 96 << 10 {
      guard try cursor.advance() else {
        stage = .end
        records = SortedRecords()
        return buffer.count > 0
      }
      cursor.withContent { content in
        buffer.append(little: UInt32(truncatingIfNeeded: content.count))
        buffer.append(content)
      }
    }
    self.cursor = cursor
    return true
  }
}
