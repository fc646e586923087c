import GeoCore
import GeoProjection

/// Writes nodes as ``NodeRecord``s, each after its number on the Hilbert curve, to be sorted into
/// columns.
///
/// Wide lands come before all others, so that few row groups have a box that spans the world.
struct ParquetWriter: FormatWriter {
  var layers: LayerMembers
  private let curve = WorldCurve()
  var folder = FolderText<PlainText>()
  private var degrees = BinaryDegrees(digits: 13)
  private var batch = FileBatch(depth: 0, digits: 13, minzoom: 0)

  init(_ options: WriterOptions) { layers = LayerMembers(options.layers) }

  mutating func prepare(_ batch: FileBatch) {
    if batch == self.batch { return }
    self.batch = batch
    degrees = BinaryDegrees(digits: batch.digits)
  }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    let longitude = degrees(place.coordinate.longitude)
    let latitude = degrees(place.coordinate.latitude)
    cursor.put(little: curve.index(longitude: longitude, latitude: latitude) &>> 1 | 1 &<< 63)
    cursor.putCounted { cursor in
      let start = cursor.position
      cursor.put(little: place.id)
      cursor.put(little: longitude)
      cursor.put(little: latitude)
      cursor.put(little: facts.size)
      cursor.put(little: facts.modified)
      cursor.put(little: UInt32(truncatingIfNeeded: batch.depth))
      cursor.put(little: facts.links > 1 ? facts.links : 0)
      var flags: NodeRecord.Flags = .file
      if facts.status == .known { flags.formUnion([.size, .modified]) }
      if facts.status == .sized { flags.formUnion(.size) }
      if facts.status == .unreadable { flags.formUnion(.unreadable) }
      if batch.minzoom != Minzoom.unknown { flags.formUnion(.minzoom) }
      if layers.isSet { flags.formUnion(.layers) }
      cursor.put(little: flags.rawValue)
      cursor.put(byte: batch.minzoom)
      cursor.put(byte: NodeKind.poi.rawValue)
      let isSpecial = facts.kind != .regular && facts.kind.special != nil
      cursor.put(little: UInt32(isSpecial ? facts.kind.rawValue : NodeRecord.plain))
      cursor.put(little: UInt32(truncatingIfNeeded: folder.prefix.count))
      var isValid = folder.isValid
      cursor.putCounted { cursor in
        cursor.put(folder.prefix)
        if !cursor.putPlain(name, of: arena) { isValid = false }
      }
      if !isValid {
        flags.formUnion(.rawPath)
        cursor.store(flags.rawValue, at: start, offset: NodeRecord.flags)
        putRawPath(ofFileNamed: arena.extracting(name), to: &cursor)
      }
      if layers.isSet { layers.put(recordTo: &cursor) }
    }
  }

  @inline(never)
  private func putRawPath(ofFileNamed name: Span<UInt8>, to cursor: inout OutputCursor) {
    cursor.putCounted { folder.putRaw(fileNamed: name, to: &$0) }
  }

  func put(_ record: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor) {
    let degrees = BinaryDegrees(digits: record.digits)
    let longitude = degrees(record.position.longitude)
    let latitude = degrees(record.position.latitude)
    let ring = shape.ring
    var flags: NodeRecord.Flags = []
    if record.size != nil { flags.formUnion(.size) }
    if record.modified != nil { flags.formUnion(.modified) }
    if record.isUnreadable { flags.formUnion(.unreadable) }
    if record.isLoop { flags.formUnion(.loop) }
    if record.totals != nil { flags.formUnion(.totals) }
    if !folder.isValid { flags.formUnion(.rawPath) }
    if record.minzoom != Minzoom.unknown { flags.formUnion(.minzoom) }
    if layers.isSet { flags.formUnion(.layers) }
    var middle = (longitude, latitude)
    var isWide = false
    if record.isLanded, !ring.isEmpty {
      flags.formUnion(.ring)
      let box = Box(ring, degrees)
      middle = box.middle
      // The world is twice as wide as it is high.
      isWide = max(box.width, 2 * box.height) > NodeRecord.wideSpan
    }
    let key = curve.index(longitude: middle.0, latitude: middle.1) >> 1
    cursor.put(little: isWide ? key : key | 1 << 63)
    cursor.putCounted { cursor in
      cursor.put(little: record.id)
      cursor.put(little: longitude)
      cursor.put(little: latitude)
      cursor.put(little: record.size ?? 0)
      cursor.put(little: record.modified ?? 0)
      cursor.put(little: UInt32(truncatingIfNeeded: record.depth))
      cursor.put(little: 0 as UInt32)
      cursor.put(little: flags.rawValue)
      cursor.put(byte: record.minzoom)
      cursor.put(byte: record.kind.rawValue)
      cursor.put(little: UInt32(NodeRecord.plain))
      cursor.put(little: UInt32(truncatingIfNeeded: folder.name.lowerBound))
      cursor.putCounted { folder.putPath(to: &$0) }
      if flags.contains(.rawPath) {
        cursor.putCounted { PercentText.put(folder.raw.span, to: &$0) }
      }
      if let totals = record.totals {
        FeatureMember.eachSum { cursor.put(little: totals[$0] ?? NodeRecord.unknownSum) }
      }
      if flags.contains(.ring), let first = ring.first {
        cursor.put(little: UInt32(truncatingIfNeeded: ring.count + 1))
        for position in ring + [first] {
          cursor.put(little: degrees(position.longitude))
          cursor.put(little: degrees(position.latitude))
        }
      }
      if layers.isSet { layers.put(recordTo: &cursor) }
    }
  }
}
