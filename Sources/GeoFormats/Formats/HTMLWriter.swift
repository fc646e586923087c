import GeoCore
import GeoProjection

/// What surrounds the rows of a page.
///
/// The rows follow ``head``, as JSON in which `<` is escaped. Other data follow ``middle``, and ``tail`` ends
/// the page.
package struct PageFrame: Sendable {
  package let head: [UInt8]
  /// What separates the rows from other data; empty in a page without any.
  package let middle: [UInt8]
  package let tail: [UInt8]

  package init(head: [UInt8], middle: [UInt8] = [], tail: [UInt8]) {
    self.head = head
    self.middle = middle
    self.tail = tail
  }

  /// The most nodes that a page may hold, so that browsers can open it.
  package static let mostNodes = 300_000

  /// The rows alone, without anything that shows them.
  package static let bare = PageFrame(
    head: Array("<!doctype html>\n<script type=\"application/json\" id=\"world-rows\">".utf8),
    tail: Array("</script>\n".utf8))
}

/// Rows of JSON in a page that opens from disk.
///
/// A folder is `[path, kind, depth, id, entries, modified, minzoom, lon, lat, unreadable, ring]`; where
/// totals are known, `files, bytes, allocated` follow in the same row, and for a country and what is in
/// it the outline of its cell as another ring.
/// Files follow a row `[path, depth, minzoom]` of their folder, after which the ground may stand that they
/// are on, as an array of parts, each `[files, lon, lat, lon, lat, …]`. Each of them is
/// `[name, lon, lat, size, modified, special, unreadable]`, the last two only if there is need. How a
/// node differs between two states stands last, as an object.
struct HTMLWriter: FormatWriter {
  private let frame: PageFrame
  /// What the page has beside its rows.
  private let data: [UInt8]
  /// The row that files follow, up to the path's end.
  private var folder = FolderText<ScriptText>()
  private var scale = DegreesScale(digits: 13)
  /// What the rows written next say of several states: an object after other values.
  private var more: [UInt8] = []

  /// - Parameters:
  ///   - frame: What surrounds the rows.
  ///   - data: What the page has beside them; nothing in a map's.
  init(_ frame: PageFrame, data: [UInt8]) {
    self.frame = frame
    self.data = data
  }

  /// All that a row may hold besides its texts and its ring.
  private static let fixedRoom = 256

  /// Writes the page up to its first row.
  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    let head = frame.head
    buffer.append(head.span)
  }

  /// Writes the rest of the page.
  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    let (middle, tail) = (frame.middle, frame.tail)
    if !middle.isEmpty {
      buffer.append(middle.span)
      buffer.append(data.span)
    }
    buffer.append(tail.span)
  }

  mutating func say(_ parts: FeatureParts?) {
    let members = parts?.members.dropFirst() ?? []
    more =
      members.isEmpty
      ? [] : Array(",{".utf8) + ScriptData.escaped(members) + [UInt8(ascii: "}")]
  }

  mutating func enterFolder(path: [UInt8]) {
    folder.enter(path, after: "\n[\"")
  }

  mutating func prepare(_ batch: FileBatch) { scale = DegreesScale(digits: batch.digits) }

  /// Writes the row that says whose files follow, before the first of them.
  ///
  /// Which is the first is told by its index: several writers may share the files of a folder.
  func writeLead(_ batch: FileBatch, before range: Range<Int>, to buffer: inout OutputBuffer) {
    if range.lowerBound > 0 || range.isEmpty { return }
    let points = batch.towns.reduce(0) { $0 + $1.ring.count }
    var cursor = buffer.cursor(
      reserving: Self.fixedRoom + folder.prefix.count + 24 * batch.towns.count
        + points * (2 * OutputCursor.longestDegrees + 4))
    folder.putPath(to: &cursor)
    cursor.put("\",")
    cursor.put(Int64(batch.depth))
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(UInt64(batch.minzoom))
    if !batch.towns.isEmpty {
      cursor.put(",[")
      for (index, town) in batch.towns.enumerated() {
        cursor.put(index > 0 ? ",[" : "[")
        cursor.put(Int64(town.files))
        cursor.put(",")
        Self.put(town.ring[...], DegreesScale(digits: town.digits), to: &cursor)
        cursor.put("]")
      }
      cursor.put("]")
    }
    cursor.put("]")
    buffer.commit(cursor)
  }

  var roomForFile: Int { Self.fixedRoom + more.count }

  static var roomForByteOfName: Int { ScriptText.expansion }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    cursor.put("\n[\"")
    if !cursor.put(name, of: arena, ifClean: ScriptText.self) {
      _ = ScriptText.put(scalarsOf: arena.extracting(name), to: &cursor)
    }
    cursor.put("\",")
    cursor.put(degrees: place.coordinate.longitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(degrees: place.coordinate.latitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    if facts.status == .known {
      cursor.put(size: facts.size, ",", time: facts.modified)
    } else if facts.status == .sized {
      cursor.put(facts.size)
      cursor.put(",null")
    } else {
      cursor.put("null,null")
    }
    let isUnreadable = facts.status == .unreadable
    if facts.kind != .regular || isUnreadable || !more.isEmpty {
      cursor.put(",\"")
      if let special = facts.kind.special { cursor.put(special) }
      cursor.put(isUnreadable ? "\",1" : more.isEmpty ? "\"" : "\",0")
      cursor.put(more.span)
    }
    cursor.put("]")
  }

  static var takesCells: Bool { true }

  // A cell has no more vertices than the coast line.
  func room(forRing ring: [Coordinate]) -> Int {
    Self.fixedRoom + folder.prefix.count + more.count
      + (2 * ring.count + 2) * (2 * OutputCursor.longestDegrees + 4)
  }

  func put(_ feature: FolderFeature, ring: [Coordinate], to cursor: inout OutputCursor) {
    let place = feature.place
    let scale = DegreesScale(digits: place.digits)
    folder.putPath(to: &cursor)
    cursor.put("\",\"")
    cursor.put(place.kind.text)
    cursor.put("\",")
    cursor.put(Int64(place.depth))
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(place.id)
    cursor.put(byte: UInt8(ascii: ","))
    Self.put(feature.entries.map { Int64($0) }, to: &cursor)
    Self.put(feature.modified, to: &cursor)
    cursor.put(UInt64(place.minzoom))
    cursor.put(byte: UInt8(ascii: ","))
    Self.put(feature.coordinate, scale, to: &cursor)
    cursor.put(feature.isUnreadable ? ",1,[" : ",0,[")
    let ring = place.isLanded ? ring : []
    Self.put(ring[...], scale, to: &cursor)
    cursor.put("]")
    if let totals = feature.totals {
      for sum in [totals.files, totals.bytes, totals.allocated] {
        cursor.put(byte: UInt8(ascii: ","))
        if let sum { cursor.put(sum) } else { cursor.put("null") }
      }
    }
    if !feature.cell.isEmpty, !ring.isEmpty {
      cursor.put(",[")
      Self.put(feature.cell.prefix(ring.count), scale, to: &cursor)
      cursor.put("]")
    }
    cursor.put(more.span)
    cursor.put("]")
  }

  private static func put(
    _ ring: ArraySlice<Coordinate>, _ scale: DegreesScale, to cursor: inout OutputCursor
  ) {
    var isFirst = true
    for position in ring {
      if !isFirst { cursor.put(byte: UInt8(ascii: ",")) }
      isFirst = false
      put(position, scale, to: &cursor)
    }
  }

  private static func put(_ number: Int64?, to cursor: inout OutputCursor) {
    if let number { cursor.put(number) } else { cursor.put("null") }
    cursor.put(byte: UInt8(ascii: ","))
  }

  private static func put(
    _ position: Coordinate, _ scale: DegreesScale, to cursor: inout OutputCursor
  ) {
    cursor.put(degrees: position.longitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(degrees: position.latitude, scale)
  }
}
