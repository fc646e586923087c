import GeoFormats
import GeoCore
import GeoProjection

/// What a feature says of its node, as it stands on a line of a map.
///
/// The reading is lenient about what it doesn't need: whoever checks a line writes it anew and
/// compares the bytes, so whatever is passed over here is looked at there.
struct FeatureLine {
  /// The path as bytes: `rawPath` where there is one.
  private(set) var path: [UInt8] = []
  private(set) var isFolder = false
  private(set) var isPolygon = false
  /// The ring, or the one point, in units of 10^-13 degrees; read only if somebody asked for it.
  private(set) var positions: [Coordinate] = []
  /// The place of a polygon's label.
  private(set) var label: Coordinate?
  private(set) var size: Int64?
  private(set) var modified: Int64?
  private(set) var totals: FolderTotals?
  private(set) var minzoom: UInt8 = Minzoom.unknown
  private(set) var isUnreadable = false
  private(set) var isLoop = false
  private(set) var special = EntryKind.regular
  private(set) var links: UInt32 = 0
  private(set) var isForTippecanoe = false
  /// What it says of two states.
  private(set) var difference = NodeDifference(.none)

  private enum Key {
    static let point = Array("Point\",\"coordinates\":".utf8)
    static let geometry = Array("\"geometry\":{\"type\":\"".utf8)
    static let properties = Array("\"properties\":{\"path\":".utf8)
    static let name = Array(",\"name\":".utf8)
    static let kind = Array(",\"kind\":".utf8)
    static let poi = Array("poi".utf8)
    static let depth = Array(",\"depth\":".utf8)
    static let size = Array(",\"size\":".utf8)
    static let modified = Array(",\"modified\":".utf8)
    static let minzoom = Array(",\"minzoom\":".utf8)
    static let comma = Array(",".utf8)
    static let colon = Array(":".utf8)
    static let end = Array("}".utf8)
    static let tippecanoe = Array(",\"tippecanoe\"".utf8)
    static let polygonType = Array("Polygon\",\"coordinates\":[".utf8)
  }

  /// Reads a line without what separates it from the others; nil if it is no feature.
  ///
  /// - Parameter readsPositions: Whether coordinates are wanted.
  init?(_ line: [UInt8], readsPositions: Bool) {
    var reader = LineScanner(line)
    guard reader.skip(past: Key.geometry) else { return nil }
    isPolygon = reader.take(Key.polygonType)
    if readsPositions {
      guard isPolygon || reader.take(Key.point), readPositions(&reader) else { return nil }
    }
    guard reader.skip(past: Key.properties), let path = reader.string(), reader.take(Key.name),
      reader.string() != nil, reader.take(Key.kind), let kind = reader.string(),
      reader.take(Key.depth), reader.integer() != nil
    else { return nil }
    self.path = path
    isFolder = kind != Key.poi
    if reader.take(Key.size) {
      guard let size = reader.integer() else { return nil }
      self.size = size
    }
    if reader.take(Key.modified) {
      guard let modified = reader.integer() else { return nil }
      self.modified = modified
    }
    while reader.take(Key.comma) {
      guard let member = reader.string(), reader.take(Key.colon),
        readMember(String(decoding: member, as: UTF8.self), &reader)
      else { return nil }
    }
    guard reader.take(Key.end) else { return nil }
    isForTippecanoe = reader.take(Key.tippecanoe)
  }

  private mutating func readMember(_ member: String, _ reader: inout LineScanner) -> Bool {
    switch member {
    case "minzoom":
      guard let zoom = reader.integer().flatMap({ UInt8(exactly: $0) }) else { return false }
      minzoom = zoom
    case "modified":
      modified = reader.integer()
      return modified != nil
    case "files":
      guard let files = reader.integer() else { return false }
      var found = FolderTotals(files: files, bytes: nil, allocated: nil)
      if reader.take(",\"bytes\":") {
        found.bytes = reader.integer()
        if found.bytes == nil { return false }
      }
      if reader.take(",\"allocated\":") {
        found.allocated = reader.integer()
        if found.allocated == nil { return false }
      }
      totals = found
    case "lon":
      guard let longitude = reader.decimal(), reader.take(",\"lat\":"),
        let latitude = reader.decimal()
      else { return false }
      label = Coordinate(longitude: longitude, latitude: latitude)
    case "links":
      guard let links = reader.integer().flatMap({ UInt32(exactly: $0) }) else { return false }
      self.links = links
    case "unreadable":
      isUnreadable = reader.take("true")
      return isUnreadable
    case "loop":
      isLoop = reader.take("true")
      return isLoop
    case "special":
      guard let text = reader.string(), let kind = EntryKind(special: text) else { return false }
      special = kind
    case "rawPath":
      guard let text = reader.string(), let raw = PercentText.decoded(text) else { return false }
      path = raw
    default: return DifferenceReader.read(member, &reader, into: &difference) ?? false
    }
    return true
  }

  private mutating func readPositions(_ reader: inout LineScanner) -> Bool {
    if isPolygon, !reader.take("[") { return false }
    repeat {
      guard reader.take("["), let longitude = reader.decimal(), reader.take(Key.comma),
        let latitude = reader.decimal(), reader.take("]")
      else { return false }
      positions.append(Coordinate(longitude: longitude, latitude: latitude))
    } while isPolygon && reader.take(Key.comma)
    if !isPolygon { return true }
    // The last vertex is the first one again.
    return positions.count > 3 && positions.popLast() == positions.first
  }

  /// What is known of a file, as its feature says it.
  var facts: EntryFacts {
    var status = EntryFacts.Status.unasked
    if isUnreadable {
      status = .unreadable
    } else if size != nil {
      status = modified == nil ? .sized : .known
    }
    return EntryFacts(
      size: size ?? 0, modified: modified ?? 0, status: status, kind: special, links: links)
  }
}

extension EntryKind {
  /// The kind that the formats call by a word.
  init?(special word: [UInt8]) {
    let kinds: [EntryKind] = [.symlink, .fifo, .socket, .block, .character]
    let text = String(decoding: word, as: UTF8.self)
    guard let kind = kinds.first(where: { $0.special.map { "\($0)" } == text }) else { return nil }
    self = kind
  }
}
