import GeoCore
import GeoProjection

/// Writes features of FlatGeobuf: as in a file, or as records to be sorted first.
///
/// A record is the feature after its number on the Hilbert curve. A feature is a FlatBuffer that
/// always has the same layout, so that everything before its position is copied as one text:
///
///     0  its length     4  the offset of the feature     8  layout of the feature
///     16 the feature    28 layout of the geometry        48 the geometry
///     60 the number of doubles, the doubles, the length of the properties, the properties
struct FlatGeobufWriter: FormatWriter {
  var layers: LayerMembers
  private let options: WriterOptions
  /// The number of each member's column, by member; ``absent`` for others.
  private let columns: [UInt16]
  /// The number of the first column of layers.
  private let firstLayer: UInt16
  private let curve = WorldCurve()
  /// The bytes of a point before its position.
  private var head = PaddedText()
  var folder = FolderText<PlainText>()
  private var rank = PaddedText()
  private var zoom = PaddedText()
  private var degrees = BinaryDegrees(digits: 13)
  /// The batch for which the texts were made; the next folder often has the same.
  private var batch: FileBatch?

  private static let absent = UInt16.max

  init(_ options: WriterOptions) {
    self.options = options
    layers = LayerMembers(options.layers)
    let members = FeatureMember.columns(options)
    columns = FeatureMember.allCases.map { member in
      members.firstIndex(of: member).map { UInt16($0) } ?? Self.absent
    }
    firstLayer = UInt16(members.count)
    head.fill(reserving: 128) { cursor in
      cursor.put(little: 0 as UInt32)
      cursor.put(little: 12 as UInt32)
      // The feature: an offset to the geometry, one to the properties.
      for number: UInt16 in [8, 12, 4, 8] { cursor.put(little: number) }
      for number: UInt32 in [8, 28, 56] { cursor.put(little: number) }
      // The geometry: no ends of rings, an offset to its doubles, absent fields, its type.
      for number: UInt16 in [18, 12, 0, 4, 0, 0, 0, 0, 8, 0] { cursor.put(little: number) }
      for number: UInt32 in [20, 8, 1, 2] { cursor.put(little: number) }
    }
  }

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    if options.isIndexed { return }
    let bytes = FlatGeobuf.header(
      header, options, geometry: .mixed, envelope: [], count: 0, isIndexed: false)
    buffer.append(bytes.span)
  }

  mutating func prepare(_ batch: FileBatch) {
    if batch == self.batch { return }
    self.batch = batch
    degrees = BinaryDegrees(digits: batch.digits)
    let columns = columns
    let record = FeatureRecord(id: 0, kind: .poi, depth: batch.depth, minzoom: batch.minzoom)
    rank.fill(reserving: 64) {
      Self.put(.kind, columns, of: record, to: &$0)
      Self.put(.depth, columns, of: record, to: &$0)
    }
    zoom.fill(reserving: 16) { Self.put(.minzoom, columns, of: record, to: &$0) }
  }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    let longitude = degrees(place.coordinate.longitude)
    let latitude = degrees(place.coordinate.latitude)
    if options.isIndexed {
      cursor.put(little: curve.index(longitude: longitude, latitude: latitude))
    }
    let feature = cursor.position
    cursor.put(head)
    cursor.put(little: longitude)
    cursor.put(little: latitude)
    var isValid = folder.isValid
    cursor.putCounted { cursor in
      cursor.put(little: column(.id))
      cursor.put(little: place.id)
      cursor.put(little: column(.path))
      cursor.putCounted { cursor in
        cursor.put(folder.prefix)
        if !cursor.putPlain(name, of: arena) { isValid = false }
      }
      cursor.put(little: column(.name))
      cursor.putCounted { _ = $0.putPlain(name, of: arena) }
      cursor.put(rank)
      if facts.status == .known || facts.status == .sized {
        cursor.put(little: column(.size))
        cursor.put(little: facts.size)
      }
      if facts.status == .known {
        cursor.put(little: column(.modified))
        cursor.put(little: facts.modified)
      }
      cursor.put(zoom)
      if options.lonlat {
        cursor.put(little: column(.lon))
        cursor.put(little: longitude)
        cursor.put(little: column(.lat))
        cursor.put(little: latitude)
      }
      if facts.kind != .regular || facts.status == .unreadable || facts.links > 1 || !isValid {
        putRest(
          ofFileNamed: arena.extracting(name), at: place, facts, isValid: isValid, to: &cursor)
      }
      if layers.isSet { layers.put(propertiesFrom: firstLayer, to: &cursor) }
    }
    Self.end(feature, &cursor)
  }

  @inline(never)
  private func putRest(
    ofFileNamed name: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts, isValid: Bool,
    to cursor: inout OutputCursor
  ) {
    guard let batch else { return }
    let record = FeatureRecord(place, facts, batch, hasLonLat: false)
    FeatureMember.eachRare { Self.put($0, columns, of: record, to: &cursor) }
    if isValid { return }
    cursor.put(little: column(.rawPath))
    cursor.putCounted { folder.putRaw(fileNamed: name, to: &$0) }
  }

  func put(_ record: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor) {
    let degrees = BinaryDegrees(digits: record.digits)
    let longitude = degrees(record.position.longitude)
    let latitude = degrees(record.position.latitude)
    let ring = record.isLanded ? shape.ring : []
    if options.isIndexed {
      let middle = ring.isEmpty ? (longitude, latitude) : Box(ring, degrees).middle
      cursor.put(little: curve.index(longitude: middle.0, latitude: middle.1))
    }
    let start = cursor.position
    cursor.put(head)
    if let first = ring.first {
      put(ring + [first], degrees, of: start, to: &cursor)
    } else {
      cursor.put(little: longitude)
      cursor.put(little: latitude)
    }
    putColumns(of: record.located(always: options.lonlat), to: &cursor)
    Self.end(start, &cursor)
  }

  /// Puts a closed ring, and makes the feature a polygon.
  private func put(
    _ ring: [Coordinate], _ degrees: BinaryDegrees, of feature: OutputPosition,
    to cursor: inout OutputCursor
  ) {
    let doubles = UInt32(clamping: 2 * ring.count)
    cursor.store(40 + 8 * doubles, at: feature, offset: 24)
    cursor.store(UInt32(FlatGeobuf.Geometry.polygon.rawValue), at: feature, offset: FlatGeobuf.type)
    cursor.store(doubles, at: feature, offset: FlatGeobuf.count)
    for position in ring {
      cursor.put(little: degrees(position.longitude))
      cursor.put(little: degrees(position.latitude))
    }
  }

  private func putColumns(of record: FeatureRecord, to cursor: inout OutputCursor) {
    cursor.putCounted { cursor in
      Self.put(.id, columns, of: record, to: &cursor)
      cursor.put(little: column(.path))
      cursor.putCounted { folder.putPath(to: &$0) }
      cursor.put(little: column(.name))
      cursor.putCounted { folder.putName(to: &$0) }
      FeatureMember.eachOfNode { Self.put($0, columns, of: record, to: &cursor) }
      FeatureMember.eachOfPosition { Self.put($0, columns, of: record, to: &cursor) }
      FeatureMember.eachRare { Self.put($0, columns, of: record, to: &cursor) }
      if !folder.isValid {
        cursor.put(little: column(.rawPath))
        cursor.putCounted { PercentText.put(folder.raw.span, to: &$0) }
      }
      if layers.isSet { layers.put(propertiesFrom: firstLayer, to: &cursor) }
    }
  }

  @inline(__always)
  private func column(_ member: FeatureMember) -> UInt16 { columns[Int(member.rawValue)] }

  /// Puts a member that has a column and a value.
  @inline(__always)
  private static func put(
    _ member: FeatureMember, _ columns: [UInt16], of record: FeatureRecord,
    to cursor: inout OutputCursor
  ) {
    let column = columns[Int(member.rawValue)]
    guard column != absent, let value = record.value(member) else { return }
    cursor.put(little: column)
    switch value {
    case .word(let word): cursor.putCounted { $0.put(word) }
    case .number(let number):
      if member.valueKind == .int {
        cursor.put(little: UInt32(truncatingIfNeeded: number))
      } else {
        cursor.put(little: number)
      }
    case .degrees(let degrees, let digits):
      cursor.put(little: BinaryDegrees(digits: digits)(degrees))
    case .flag: cursor.put(byte: 1)
    case .decimal, .text, .percent, .time, .instant:
      preconditionFailure("no column of a node")
    }
  }

  /// Ends a feature: pads it, so that the next one is aligned, and stores its length.
  @inline(__always)
  private static func end(_ feature: OutputPosition, _ cursor: inout OutputCursor) {
    cursor.store(0 as UInt64)
    cursor.advance(-cursor.count(since: feature) & 7)
    cursor.store(UInt32(truncatingIfNeeded: cursor.count(since: feature) - 4), at: feature)
  }
}
