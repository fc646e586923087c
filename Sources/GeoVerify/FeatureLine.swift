import GeoPath

/// What a feature's line says, but for its geometry.
///
/// The line is read loosely: what it says is written anew afterwards, and has to give the same bytes.
struct FeatureLine {
  var path: [UInt8] = []
  var isFolder = false
  var size: Int64?
  var modified: Int64?
  var minzoom: UInt8?
  var totals: FolderTotals?
  var kind = EntryKind.regular
  var links: UInt32 = 0
  var isLoop = false
  var isUnreadable = false
  var isLanded = false
  var hasTippecanoe = false
  /// Where the geometry's value begins and the properties' name does.
  var geometry = 0..<0
  /// Where the members are that depend on the place: `minzoom`, `lon` and `lat`.
  var placed = 0..<0

  /// Where the name of the feature ends in the path's beginning: the last `/`.
  var slash: Int? { path.lastIndex(of: UInt8(ascii: "/")) }

  /// Reads a line.
  ///
  /// - Returns: nil if it is no feature.
  init?(_ line: [UInt8]) {
    var scanner = ByteScanner(line)
    guard scanner.skip(through: "\"geometry\":") else { return nil }
    let start = scanner.position
    isLanded = scanner.isAt("{\"type\":\"Polygon\"")
    guard scanner.skip(through: "]},\"properties\":{\"path\":\"") else { return nil }
    geometry = start..<(scanner.position - 23)
    guard let text = scanner.string() else { return nil }
    path = text
    while scanner.take(",\"") {
      guard let key = scanner.string(), scanner.take(":") else { return nil }
      let before = scanner.position - key.count - 4
      guard read(key, &scanner) else { return nil }
      if key == Self.minzoomKey || key == Self.lonKey || key == Self.latKey {
        if placed.isEmpty { placed = before..<before }
        placed = placed.lowerBound..<scanner.position
      }
    }
    guard scanner.take("}") else { return nil }
    hasTippecanoe = scanner.isAt(",\"tippecanoe\":")
    if path.contains(0) || !Self.isPath(path) { return nil }
  }

  private static let minzoomKey = Array("minzoom".utf8)
  private static let lonKey = Array("lon".utf8)
  private static let latKey = Array("lat".utf8)

  private static func isPath(_ path: [UInt8]) -> Bool {
    var before = UInt8(ascii: "/")
    for byte in path {
      if byte == UInt8(ascii: "/"), before == byte { return false }
      before = byte
    }
    return before != UInt8(ascii: "/")
  }

  private mutating func read(_ key: [UInt8], _ scanner: inout ByteScanner) -> Bool {
    switch String(decoding: key, as: UTF8.self) {
    case "name": return scanner.take("\"") && scanner.skipString()
    case "kind":
      isFolder = !scanner.isAt("\"poi\"")
      return scanner.take("\"") && scanner.skipString()
    case "depth", "lon", "lat": return scanner.skipNumber()
    case "size":
      size = scanner.number()
      return (size ?? -1) >= 0
    case "modified":
      modified = scanner.number()
      return modified != nil
    case "minzoom":
      minzoom = scanner.number().flatMap { UInt8(exactly: $0) }
      return minzoom != nil
    case "files":
      totals = scanner.number().map { FolderTotals(files: $0, bytes: 0, allocated: 0) }
      return totals != nil
    case "bytes":
      guard let number = scanner.number() else { return false }
      totals?.bytes = number
    case "allocated":
      guard let number = scanner.number() else { return false }
      totals?.allocated = number
    case "links":
      guard let number = scanner.number(), let count = UInt32(exactly: number) else { return false }
      links = count
    case "loop":
      isLoop = true
      return scanner.take("true")
    case "unreadable":
      isUnreadable = true
      return scanner.take("true")
    case "special":
      guard scanner.take("\""), let word = scanner.string(), let kind = Self.special[word] else {
        return false
      }
      self.kind = kind
    case "rawPath":
      guard scanner.take("\""), let bytes = scanner.percentString() else { return false }
      path = bytes
    default: return false
    }
    return true
  }

  private static let special: [[UInt8]: EntryKind] = [
    Array("symlink".utf8): .symlink, Array("fifo".utf8): .fifo, Array("socket".utf8): .socket,
    Array("block".utf8): .block, Array("character".utf8): .character,
  ]

  /// The facts of a file.
  var facts: EntryFacts {
    let status: EntryFacts.Status =
      isUnreadable ? .unreadable : size == nil ? .unasked : modified == nil ? .sized : .known
    return EntryFacts(
      size: size ?? 0, modified: modified ?? 0, status: status, kind: kind, links: links)
  }
}
