import GeoCore
import GeoFormats
import GeoProjection

/// The contents of a feature, parsed from a line of a map.
///
/// Parsing is lenient about what it doesn't need: the checker writes each line again and compares
/// the bytes, which covers the rest.
struct FeatureLine {
  /// In raw bytes, from `rawPath` if present.
  private(set) var path: [UInt8] = []
  private(set) var isFolder = false
  private(set) var isPolygon = false
  /// The ring or the point, in units of 10^-13 degrees; parsed only on request.
  private(set) var positions: [Coordinate] = []
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
  private(set) var difference = NodeDifference(.none)
  private(set) var layers: [LayerMember] = []
  private(set) var layerText = 0..<0

  /// As bytes, because a map has each of them a million times.
  private enum Key {
    static let geometry = Array("\"geometry\":{\"type\":\"".utf8)
    static let polygon = Array("Polygon\",\"coordinates\":[".utf8)
    static let point = Array("Point\",\"coordinates\":".utf8)
    static let properties = Array("\"properties\":{\"path\":".utf8)
    static let name = Array(",\"name\":".utf8)
    static let kind = Array(",\"kind\":".utf8)
    static let depth = Array(",\"depth\":".utf8)
    static let size = Array(",\"size\":".utf8)
    static let modified = Array(",\"modified\":".utf8)
    static let tippecanoe = Array(",\"tippecanoe\"".utf8)
  }

  /// Without separators; nil if it isn't a feature.
  init?(_ line: [UInt8], readsPositions: Bool, layers names: LayerNames) {
    var reader = LineScanner(line)
    guard reader.skip(past: Key.geometry) else { return nil }
    isPolygon = reader.take(Key.polygon)
    if readsPositions {
      guard isPolygon || reader.take(Key.point), readPositions(&reader) else { return nil }
    }
    guard reader.skip(past: Key.properties), let path = reader.string(),
      reader.take(Key.name), reader.string() != nil, reader.take(Key.kind),
      let kind = reader.string(),
      reader.take(Key.depth), reader.integer() != nil
    else { return nil }
    self.path = path
    isFolder = !kind.elementsEqual("poi".utf8)
    if reader.take(Key.size) {
      guard let size = reader.integer() else { return nil }
      self.size = size
    }
    if reader.take(Key.modified) {
      guard let modified = reader.integer() else { return nil }
      self.modified = modified
    }
    while reader.take(ascii: ",") {
      let start = reader.position - 1
      guard let text = reader.string(), reader.take(ascii: ":") else { return nil }
      let member = String(decoding: text, as: UTF8.self)
      if layers.isEmpty, readMember(member, &reader) { continue }
      // Those of layers come last.
      guard names.contain(member), let value = LayerMember(member, &reader) else { return nil }
      layerText = (layers.isEmpty ? start : layerText.lowerBound)..<reader.position
      layers.append(value)
    }
    guard reader.take(ascii: "}") else { return nil }
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
    default: return difference.read(member, &reader)
    }
    return true
  }

  private mutating func readPositions(_ reader: inout LineScanner) -> Bool {
    if isPolygon, !reader.take(ascii: "[") { return false }
    repeat {
      guard reader.take(ascii: "["), let longitude = reader.decimal(), reader.take(ascii: ","),
        let latitude = reader.decimal(), reader.take(ascii: "]")
      else { return false }
      positions.append(Coordinate(longitude: longitude, latitude: latitude))
    } while isPolygon && reader.take(ascii: ",")
    if !isPolygon { return true }
    // The last vertex must repeat the first.
    return positions.count > 3 && positions.popLast() == positions.first
  }

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
  init?(special word: [UInt8]) {
    let kinds: [EntryKind] = [.symlink, .fifo, .socket, .block, .character]
    let text = String(decoding: word, as: UTF8.self)
    guard let kind = kinds.first(where: { $0.special.map { "\($0)" } == text }) else { return nil }
    self = kind
  }
}

extension FeatureLine {
  /// What is wrong for any tree. Numbers of a feature without a contradiction are in range for
  /// arithmetic.
  var contradiction: String? {
    if !EntryName.isValid(path.lastComponent) {
      return Self.noName
    }
    if let size, size < 0 { return "its size is negative" }
    if isFolder, let size, size > FolderNode.maximumEntries {
      return "its size is more than any folder can have"
    }
    if minzoom == .max { return "it has no minzoom" }
    if let totals {
      let amounts = [totals.bytes, totals.allocated].compactMap { $0 }
      if totals.files < 0 || amounts.contains(where: { $0 < 0 }) {
        return "one of its totals is negative"
      }
      if totals.files == 0, amounts.contains(where: { $0 > 0 }) {
        return "its totals have bytes of no file"
      }
    }
    if let contradiction = difference.contradiction(isFolder: isFolder) { return contradiction }
    if isLoop {
      if !path.contains(.slash) { return "a root can't be a loop" }
      if size != nil { return "it is a loop, and has a size all the same" }
    }
    return nil
  }

  /// Of the first line, most likely the whole file isn't a map.
  static func noFeature(_ line: [UInt8], number: Int) -> String {
    // Strings can't contain these, because their quotes are escaped.
    if [",\"life\":", ",\"time\":"].contains(where: { line.firstIndex(of: $0) != nil }) {
      return "this is of a history, and no map of one state or two"
    }
    return "not a feature in geomapper's format"
      + (number == 1 ? ", nor the beginning of a map in a GeoJSON format" : "")
  }

  static let noName =
    "a name in its path is empty, '.' or '..', has a zero byte, or more than "
    + "\(NameRecord.longestName) bytes"
}

extension FolderTotals {
  /// What is known of the whole must be known of its part, and be no less.
  func exceeds(_ whole: FolderTotals) -> Bool {
    func exceeds(_ part: Int64?, _ whole: Int64?) -> Bool {
      guard let whole else { return false }
      return part.map { $0 > whole } ?? true
    }
    return files > whole.files || exceeds(bytes, whole.bytes)
      || exceeds(allocated, whole.allocated)
  }
}

extension NodeChange {
  fileprivate init?(text: [UInt8]) {
    let all: [NodeChange] = [.added, .removed, .changed, .moved, .left]
    let word = String(decoding: text, as: UTF8.self)
    guard let change = all.first(where: { $0.text.map { "\($0)" } == word }) else { return nil }
    self = change
  }
}

extension NodeDifference {
  var isNothing: Bool { change == .none && was == nil && otherPath == nil && below == nil }

  func contradiction(isFolder: Bool) -> String? {
    if isFolder {
      if change != .none, change != .added, change != .removed {
        return "a folder is added or removed, and nothing else"
      }
      if was != nil || otherPath != nil { return "a folder has members of files" }
      if let below {
        let counts = below.counts
        if [counts.added, counts.removed, counts.changed, counts.moved].contains(where: { $0 < 0 })
        {
          return "a number of what is below it is negative"
        }
        let isOfOne = change == .added ? counts.removed : change == .removed ? counts.added : 0
        if isOfOne > 0 || change != .none && counts.changed > 0 {
          return "what is below it can't have changed like that, as one state doesn't have it"
        }
      }
      return nil
    }
    if below != nil { return "a file has members of folders" }
    if was != nil, change != .changed { return "it was something else, and has not changed" }
    if (otherPath != nil) != (change == .moved || change == .left) {
      return "a file that moved has two places, and no other has"
    }
    return nil
  }
}

extension NodeDifference {
  /// Reads a member from after its colon; false if it is invalid, or not about states.
  fileprivate mutating func read(_ member: String, _ reader: inout LineScanner) -> Bool {
    switch member {
    case "change":
      guard let text = reader.string(), let change = NodeChange(text: text) else { return false }
      self.change = change
    case "was":
      was = Self.facts(&reader)
      return was != nil
    case "from", "to":
      otherPath = reader.string()
      return otherPath != nil
    case "rawFrom", "rawTo":
      otherPath = reader.string().flatMap { PercentText.decoded($0) }
      return otherPath != nil
    case "below":
      below = Self.below(&reader)
      return below != nil
    default: return false
    }
    return true
  }

  private static func facts(_ reader: inout LineScanner) -> EntryFacts? {
    var facts = EntryFacts()
    guard reader.take(ascii: "{") else { return nil }
    repeat {
      guard let member = reader.string(), reader.take(ascii: ":") else { return nil }
      switch String(decoding: member, as: UTF8.self) {
      case "size":
        guard let size = reader.integer() else { return nil }
        (facts.size, facts.status) = (size, .sized)
      case "modified":
        guard let modified = reader.integer() else { return nil }
        (facts.modified, facts.status) = (modified, .known)
      case "special":
        guard let word = reader.string() else { return nil }
        guard !word.elementsEqual("regular".utf8) else { continue }
        guard let kind = EntryKind(special: word) else { return nil }
        facts.kind = kind
      default: return nil
      }
    } while reader.take(ascii: ",")
    return reader.take(ascii: "}") ? facts : nil
  }

  private static func below(_ reader: inout LineScanner) -> ChangesBelow? {
    var below = ChangesBelow()
    guard reader.take(ascii: "{") else { return nil }
    repeat {
      guard let member = reader.string(), reader.take(ascii: ":"), let number = reader.integer(),
        let count = Int(exactly: number)
      else { return nil }
      switch String(decoding: member, as: UTF8.self) {
      case "added": below.counts.added = count
      case "removed": below.counts.removed = count
      case "changed": below.counts.changed = count
      case "moved": below.counts.moved = count
      case "bytes": below.bytes = number
      default: return nil
      }
    } while reader.take(ascii: ",")
    return reader.take(ascii: "}") ? below : nil
  }
}
