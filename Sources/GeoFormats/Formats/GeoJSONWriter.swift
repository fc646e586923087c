import GeoCore
import GeoProjection

/// Writes GeoJSON features: in a collection, in a text sequence, or one per line.
///
/// The text that features of a folder or a batch share is made once, so that a file's feature is a
/// few copies around its id, coordinate, name and metadata.
struct GeoJSONWriter: FormatWriter {
  enum Form {
    case collection
    case sequence
    case lines
  }

  let form: Form
  private let ending: StaticString
  private let tippecanoe: Bool
  /// Whether points have their coordinates as members, in addition to the geometry.
  private let lonlat: Bool
  /// From the beginning to the id.
  private var head = PaddedText()
  /// From the end of the geometry to the name.
  var folder = FolderText<JSONText>()
  /// The end of a file's name, its kind and depth.
  private var rank = PaddedText()
  /// A file's minzoom.
  private var zoom = PaddedText()
  /// The end of a file's feature.
  private var end = PaddedText()
  /// ``zoom`` and ``end``, as most files have nothing between them.
  private var tail = PaddedText()
  private var scale = DegreesScale(digits: 13)
  /// The batch for which the texts were made; the next folder often has the same. Initially none.
  private var batch = FileBatch(depth: -1, digits: 0, minzoom: 0)
  private var parts: FeatureParts?
  private(set) var capacityForParts = 0
  var layers: LayerMembers
  /// Whether files without rarer members have nothing after `minzoom`.
  private var isShort: Bool

  init(_ form: Form, _ options: WriterOptions) {
    self.form = form
    tippecanoe = options.tippecanoe
    lonlat = options.lonlat
    layers = LayerMembers(options.layers)
    isShort = !options.lonlat
    // In a collection the separator comes first, so that any number of parts can be joined.
    ending = form == .collection ? "" : "\n"
    head.fill(reserving: 64) { cursor in
      switch form {
      case .collection: cursor.put(",\n")
      case .sequence: cursor.put("\u{1E}")
      case .lines: break
      }
      cursor.put("{\"type\":\"Feature\",\"id\":")
    }
  }

  var separator: [UInt8] { form == .collection ? Array(",\n".utf8) : [] }

  mutating func setParts(_ parts: FeatureParts?) {
    self.parts = parts
    capacityForParts = parts?.capacity ?? 0
    isShort = parts == nil && !lonlat && layers.capacity == 0
  }

  mutating func setLayers(_ layers: LayerBatch?) {
    self.layers.setLayers(layers)
    isShort = parts == nil && !lonlat && layers == nil
  }

  static var lead: StaticString { "]},\"properties\":{\"path\":\"" }

  mutating func prepare(_ batch: FileBatch) {
    if batch == self.batch { return }
    self.batch = batch
    scale = DegreesScale(digits: batch.digits)
    rank.fill(reserving: 64) {
      $0.put(byte: UInt8(ascii: "\""))
      $0.put(.kind, .word(NodeKind.poi.text))
      $0.put(.depth, .number(Int64(batch.depth)))
    }
    let minzoom = FeatureRecord(id: 0, kind: .poi, depth: 0, minzoom: batch.minzoom).value(.minzoom)
    zoom.fill(reserving: 64) { $0.put(.minzoom, minzoom) }
    let (tippecanoe, ending) = (tippecanoe, ending)
    end.fill(reserving: 64) {
      Self.put(endAt: batch.minzoom, tippecanoe: tippecanoe, ending, to: &$0)
    }
    let (zoom, end) = (zoom, end)
    tail.fill(reserving: 128) {
      $0.put(zoom)
      $0.put(end)
    }
  }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    cursor.put(head)
    cursor.put(place.id)
    cursor.put(",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
    cursor.put(degrees: place.coordinate.longitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(degrees: place.coordinate.latitude, scale)

    cursor.put(folder.prefix)
    var isValid = folder.isValid
    if cursor.put(name, of: arena, ifClean: JSONText.self) {
      cursor.put("\",\"name\":\"")
      cursor.putAgain(name, of: arena)
    } else if !putTwice(arena.extracting(name), to: &cursor) {
      isValid = false
    }

    cursor.put(rank)
    FeatureRecord.put(facts, to: &cursor)
    if facts.kind == .regular && facts.status != .unreadable && facts.links < 2 && isValid
      && isShort
    {
      cursor.put(tail)
    } else {
      putRest(ofFileNamed: arena.extracting(name), at: place, facts, isValid: isValid, to: &cursor)
    }
  }

  /// Puts a name that needs escaping at the end of the path and as `name`.
  @inline(never)
  private func putTwice(_ name: Span<UInt8>, to cursor: inout OutputCursor) -> Bool {
    let start = cursor.position
    let isValid = JSONText.put(scalarsOf: name, to: &cursor)
    let length = cursor.count(since: start)
    cursor.put("\",\"name\":\"")
    cursor.repeatBytes(from: start, count: length)
    return isValid
  }

  /// Puts the members after size and time of a file with rarer members.
  @inline(never)
  private func putRest(
    ofFileNamed name: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts, isValid: Bool,
    to cursor: inout OutputCursor
  ) {
    cursor.put(zoom)
    FeatureRecord(place, facts, batch, hasLonLat: lonlat).putRest(with: parts, to: &cursor)
    if !isValid {
      cursor.put(",\"rawPath\":\"")
      folder.putRaw(fileNamed: name, to: &cursor)
      cursor.put(byte: UInt8(ascii: "\""))
    }
    layers.put(to: &cursor)
    cursor.put(end)
  }

  func put(_ record: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor) {
    let scale = DegreesScale(digits: record.digits)
    cursor.put(head)
    cursor.put(record.id)
    if record.isLanded {
      put(ring: shape.ring, scale, to: &cursor)
    } else {
      cursor.put(",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
      cursor.put(degrees: record.position.longitude, scale)
      cursor.put(byte: UInt8(ascii: ","))
      cursor.put(degrees: record.position.latitude, scale)
    }
    folder.putPath(to: &cursor)
    cursor.put("\",\"name\":\"")
    folder.putName(to: &cursor)
    cursor.put(byte: UInt8(ascii: "\""))
    record.located(always: lonlat).put(with: parts, to: &cursor)
    if !folder.isValid { cursor.put(member: "rawPath", percent: folder.raw.span) }
    layers.put(to: &cursor)
    Self.put(endAt: record.minzoom, tippecanoe: tippecanoe, ending, to: &cursor)
  }
}

extension GeoJSONWriter {
  /// Each feature brings the comma and the line end before it, so the first one has a comma too
  /// many.
  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    if form != .collection { return }
    buffer.append("{\"type\":\"FeatureCollection\",\"geomapper\":")
    header.write(to: &buffer)
    buffer.append(",\"features\":[")
  }

  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    if form != .collection { return }
    buffer.append("\n],\"summary\":{\"folders\":")
    buffer.append(Int64(summary.folders))
    buffer.append(member: "files", Int64(summary.files))
    buffer.append(member: "unreadable", Int64(summary.unreadable))
    for (name, count) in summary.changes?.members ?? [] {
      buffer.append(member: name, Int64(count))
    }
    let reasons = summary.excluded.reasons
    for (index, reason) in reasons.enumerated() {
      buffer.append(index == 0 ? ",\"excluded\":{" : ",")
      buffer.append(reason.member)
      buffer.append(Int64(summary.excluded[reason]))
    }
    if !reasons.isEmpty { buffer.append("}") }
    for (index, layer) in summary.unmatched.enumerated() {
      buffer.append(index == 0 ? ",\"unmatched\":{\"" : ",\"")
      buffer.append(Array(layer.layer.utf8).span)
      buffer.append("\":")
      buffer.append(Int64(layer.count))
    }
    buffer.append(summary.unmatched.isEmpty ? "}}\n" : "}}}\n")
  }

  @inline(__always)
  func put(_ position: Coordinate, _ scale: DegreesScale, to cursor: inout OutputCursor) {
    cursor.put(byte: UInt8(ascii: "["))
    cursor.put(degrees: position.longitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(degrees: position.latitude, scale)
    cursor.put(byte: UInt8(ascii: "]"))
  }

  /// Puts the geometry of a folder with land, without its last bracket and brace.
  func put(ring: [Coordinate], _ scale: DegreesScale, to cursor: inout OutputCursor) {
    precondition(!ring.isEmpty, "a folder with land has a coast line")
    cursor.put(",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[")
    for position in ring {
      put(position, scale, to: &cursor)
      cursor.put(byte: UInt8(ascii: ","))
    }
    put(ring[0], scale, to: &cursor)
    cursor.put("]")
  }

  /// Puts the end of a feature, from the last brace of its properties on.
  static func put(
    endAt minzoom: UInt8, tippecanoe: Bool, _ ending: StaticString,
    to cursor: inout OutputCursor
  ) {
    cursor.put("}")
    if tippecanoe {
      cursor.put(",\"tippecanoe\":{\"minzoom\":")
      cursor.put(UInt64(min(minzoom, tippecanoeLimit)))
      cursor.put("}")
    }
    cursor.put("}")
    cursor.put(ending)
  }

  private static let tippecanoeLimit: UInt8 = 24
}

extension ExclusionReason {
  /// The beginning of its member, up to the count.
  fileprivate var member: StaticString {
    switch self {
    case .pattern: "\"pattern\":"
    case .hidden: "\"hidden\":"
    case .gitignore: "\"gitignore\":"
    case .type: "\"type\":"
    case .name: "\"name\":"
    case .size: "\"size\":"
    case .newer: "\"newer\":"
    case .older: "\"older\":"
    case .part: "\"part\":"
    }
  }
}

/// A collection of features that are not nodes of a map, such as tracks.
package struct GeoJSONCollection {
  package private(set) var hasFeatures = false

  package init() {}

  package func begin(_ buffer: inout OutputBuffer) {
    buffer.append("{\"type\":\"FeatureCollection\",\"features\":[")
  }

  /// Begins a feature, up to the coordinates of its geometry.
  package mutating func beginFeature(
    _ type: StaticString, id: UInt64? = nil, to buffer: inout OutputBuffer
  ) {
    buffer.append(hasFeatures ? ",\n" : "\n")
    hasFeatures = true
    buffer.append("{\"type\":\"Feature\"")
    if let id { buffer.append(member: "id", Int64(clamping: id)) }
    buffer.append(",\"geometry\":{\"type\":\"")
    buffer.append(type)
    buffer.append("\",\"coordinates\":")
  }

  package func end(_ buffer: inout OutputBuffer) { buffer.append("\n]}\n") }
}
