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
  private let columns: Columns
  private let curve = WorldCurve()
  /// The bytes of a point before its position.
  private var head = PaddedText()
  private var folder = FolderText<PlainText>()
  private var rank = PaddedText()
  private var zoom = PaddedText()
  private var degrees = BinaryDegrees(digits: 13)
  /// The batch for which the texts were made; the next folder often has the same.
  private var batch: FileBatch?

  /// The maximum length of a record without its texts and its ring.
  private static let fixedCapacity = 512

  /// The numbers of the columns of files; others are looked up.
  private struct Columns: Sendable {
    /// By member; ``absent`` for others.
    private let numbers: [UInt16]
    let id, path, name, kind, depth, size, modified, minzoom, lon, lat: UInt16

    let layers: UInt16

    static let absent = UInt16.max

    init(_ options: WriterOptions) {
      var numbers = [UInt16](repeating: Self.absent, count: FeatureMember.allCases.count)
      let members = FeatureMember.columns(options)
      for (number, member) in members.enumerated() {
        numbers[Int(member.rawValue)] = UInt16(number)
      }
      layers = UInt16(members.count)
      let known = numbers
      func number(_ member: FeatureMember) -> UInt16 { known[Int(member.rawValue)] }
      (id, path, name, kind) = (number(.id), number(.path), number(.name), number(.kind))
      (depth, size, modified) = (number(.depth), number(.size), number(.modified))
      (minzoom, lon, lat) = (number(.minzoom), number(.lon), number(.lat))
      self.numbers = numbers
    }

    @inline(__always)
    subscript(_ member: FeatureMember) -> UInt16 { numbers[Int(member.rawValue)] }
  }

  init(_ options: WriterOptions) {
    self.options = options
    layers = LayerMembers(options.layers)
    columns = Columns(options)
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

  mutating func enterFolder(path: [UInt8]) { folder.enter(path, after: "") }

  mutating func prepare(_ batch: FileBatch) {
    if batch == self.batch { return }
    self.batch = batch
    degrees = BinaryDegrees(digits: batch.digits)
    let columns = columns
    let record = FeatureRecord(id: 0, kind: .poi, depth: batch.depth, minzoom: batch.minzoom)
    rank.fill(reserving: 64) {
      Self.put(.kind, columns.kind, record.value(.kind), to: &$0)
      Self.put(.depth, columns.depth, record.value(.depth), to: &$0)
    }
    zoom.fill(reserving: 16) {
      Self.put(.minzoom, columns.minzoom, record.value(.minzoom), to: &$0)
    }
  }

  var capacityForFile: Int {
    Self.fixedCapacity + folder.prefix.count + folder.raw.count * PercentText.expansion
  }

  static var capacityForByteOfName: Int { 2 * PlainText.expansion + PercentText.expansion }

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
      cursor.put(little: columns.id)
      cursor.put(little: place.id)
      cursor.put(little: columns.path)
      cursor.putCounted { cursor in
        cursor.put(folder.prefix)
        if !cursor.putPlain(name, of: arena) { isValid = false }
      }
      cursor.put(little: columns.name)
      cursor.putCounted { _ = $0.putPlain(name, of: arena) }
      cursor.put(rank)
      if facts.status == .known || facts.status == .sized {
        cursor.put(little: columns.size)
        cursor.put(little: facts.size)
      }
      if facts.status == .known {
        cursor.put(little: columns.modified)
        cursor.put(little: facts.modified)
      }
      cursor.put(zoom)
      if options.lonlat {
        cursor.put(little: columns.lon)
        cursor.put(little: longitude)
        cursor.put(little: columns.lat)
        cursor.put(little: latitude)
      }
      if facts.kind != .regular || facts.status == .unreadable || facts.links > 1 || !isValid {
        putRest(
          ofFileNamed: arena.extracting(name), at: place, facts, isValid: isValid, to: &cursor)
      }
      if layers.isSet { layers.put(propertiesFrom: columns.layers, to: &cursor) }
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
    FeatureMember.eachRare { put($0, of: record, to: &cursor) }
    if isValid { return }
    cursor.put(little: columns[.rawPath])
    cursor.putCounted { cursor in
      PercentText.put(folder.raw.span, to: &cursor)
      cursor.put(byte: .slash)
      PercentText.put(name, to: &cursor)
    }
  }

  func capacity(forRing ring: [Coordinate]) -> Int {
    Self.fixedCapacity + 2 * folder.prefix.count + folder.raw.count * PercentText.expansion
      + (ring.count + 1) * 16
  }

  func put(_ record: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor) {
    let degrees = BinaryDegrees(digits: record.digits)
    let longitude = degrees(record.position.longitude)
    let latitude = degrees(record.position.latitude)
    let ring = record.isLanded ? shape.ring : []
    if options.isIndexed {
      let box = BinaryBox(ring, degrees)
      cursor.put(
        little: ring.isEmpty
          ? curve.index(longitude: longitude, latitude: latitude)
          : curve.index(longitude: box.middle.longitude, latitude: box.middle.latitude))
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
    cursor.store(
      UInt32(FlatGeobuf.Geometry.polygon.rawValue), at: feature, offset: FlatGeobuf.type)
    cursor.store(doubles, at: feature, offset: FlatGeobuf.count)
    for position in ring {
      cursor.put(little: degrees(position.longitude))
      cursor.put(little: degrees(position.latitude))
    }
  }

  private func putColumns(of record: FeatureRecord, to cursor: inout OutputCursor) {
    cursor.putCounted { cursor in
      put(.id, of: record, to: &cursor)
      cursor.put(little: columns.path)
      cursor.putCounted { folder.putPath(to: &$0) }
      cursor.put(little: columns.name)
      cursor.putCounted { folder.putName(to: &$0) }
      FeatureMember.eachOfNode { put($0, of: record, to: &cursor) }
      FeatureMember.eachOfPosition { put($0, of: record, to: &cursor) }
      FeatureMember.eachRare { put($0, of: record, to: &cursor) }
      if !folder.isValid {
        cursor.put(little: columns[.rawPath])
        cursor.putCounted { PercentText.put(folder.raw.span, to: &$0) }
      }
      if layers.isSet { layers.put(propertiesFrom: columns.layers, to: &cursor) }
    }
  }

  /// Puts a member that has a column and a value.
  @inline(__always)
  private func put(
    _ member: FeatureMember, of record: FeatureRecord, to cursor: inout OutputCursor
  ) {
    let column = columns[member]
    if column != Columns.absent { Self.put(member, column, record.value(member), to: &cursor) }
  }

  @inline(__always)
  private static func put(
    _ member: FeatureMember, _ column: UInt16, _ value: FeatureValue?,
    to cursor: inout OutputCursor
  ) {
    guard let value else { return }
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

struct BinaryBox {
  private var west = Double.infinity
  private var south = Double.infinity
  private var east = -Double.infinity
  private var north = -Double.infinity

  init(_ ring: [Coordinate], _ degrees: BinaryDegrees) {
    for position in ring {
      let (longitude, latitude) = (degrees(position.longitude), degrees(position.latitude))
      west = min(west, longitude)
      east = max(east, longitude)
      south = min(south, latitude)
      north = max(north, latitude)
    }
  }

  /// The larger of its width and twice its height, as the world is twice as wide as it is high.
  var span: Double { max(east - west, 2 * (north - south)) }

  var middle: (longitude: Double, latitude: Double) { ((west + east) / 2, (south + north) / 2) }
}
