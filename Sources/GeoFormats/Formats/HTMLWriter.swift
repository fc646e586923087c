import GeoCore
import GeoProjection

/// The parts of a page around the rows of a map.
///
/// The rows follow ``head``, as JSON in which `<` is escaped. Other data follow ``middle``, and
/// ``tail`` ends the page.
package struct PageFrame: Sendable {
  package let head: [UInt8]
  /// The text between the rows and other data; empty in a page without other data.
  package let middle: [UInt8]
  package let tail: [UInt8]

  package init(head: [UInt8], middle: [UInt8] = [], tail: [UInt8]) {
    self.head = head
    self.middle = middle
    self.tail = tail
  }

  /// The maximum number of nodes in a page that browsers can open.
  package static let maximumNodes = 300_000

  /// The rows only, without a viewer.
  package static let bare = PageFrame(
    head: Array("<!doctype html>\n<script type=\"application/json\" id=\"world-rows\">".utf8),
    tail: Array("</script>\n".utf8))
}

/// Writes rows of JSON in a page that opens from disk.
///
/// A folder is `[path, kind, depth, id, entries, modified, minzoom, lon, lat, unreadable, tint,
/// ring]`; without land, the tint is `null` and the ring is empty. In the same row, known totals
/// follow as `files, bytes, allocated`, and for countries and deeper folders the outline of the cell
/// as another ring.
///
/// Files follow a row `[path, depth, minzoom]` of their folder. It may end with the ground of the
/// files, as an array of parts `[files, lon, lat, lon, lat, …]`. Each file is `[name, lon, lat,
/// size, modified, special, unreadable]`, the last two only if needed. The difference of a node
/// between two states comes last, as an object.
struct HTMLWriter: FormatWriter {
  var layers = LayerMembers(.none)
  private let frame: PageFrame
  private let data: [UInt8]
  /// The row before files, up to the path's end.
  var folder = FolderText<ScriptText>()
  private var scale = DegreesScale(digits: 13)
  /// The members about several states for the rows written next: an object after other values.
  private var more: [UInt8] = []

  init(_ page: (frame: PageFrame, data: [UInt8])) { (frame, data) = page }

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    buffer.append(frame.head.span)
  }

  func writeFooter(_ summary: MapSummary, to buffer: inout OutputBuffer) {
    if !frame.middle.isEmpty {
      buffer.append(frame.middle.span)
      buffer.append(data.span)
    }
    buffer.append(frame.tail.span)
  }

  mutating func setParts(_ parts: FeatureParts?) {
    let members = parts?.members.dropFirst() ?? []
    more =
      members.isEmpty
      ? [] : Array(",{".utf8) + ScriptData.escaped(members) + [UInt8(ascii: "}")]
  }

  static var lead: StaticString { "\n[\"" }

  mutating func prepare(_ batch: FileBatch) { scale = DegreesScale(digits: batch.digits) }

  /// Writes the row of a folder before the first of its files.
  ///
  /// The index says which file is the first, as several writers may share the files of a folder.
  func writeLead(_ batch: FileBatch, before range: Range<Int>, to buffer: inout OutputBuffer) {
    if range.lowerBound > 0 || range.isEmpty { return }
    let points = batch.towns.reduce(0) { $0 + $1.ring.count }
    let ground = 24 * batch.towns.count + points * (2 * OutputCursor.longestDegrees + 4)
    buffer.put(reserving: capacityForFile + ground) { cursor in
      folder.putPath(to: &cursor)
      cursor.put("\",")
      cursor.put(Int64(batch.depth))
      cursor.put(byte: UInt8(ascii: ","))
      cursor.put(UInt64(batch.minzoom))
      for (index, town) in batch.towns.enumerated() {
        cursor.put(index > 0 ? ",[" : ",[[")
        cursor.put(Int64(town.files))
        cursor.put(",")
        Self.put(town.ring[...], DegreesScale(digits: town.digits), to: &cursor)
        cursor.put("]")
      }
      cursor.put(batch.towns.isEmpty ? "]" : "]]")
    }
  }

  var capacityForParts: Int { more.count }

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

  static var needsCells: Bool { true }

  // A cell has no more vertices than the coast line.
  func capacity(forRing ring: [Coordinate]) -> Int {
    capacityForFile + (2 * ring.count + 2) * (2 * OutputCursor.longestDegrees + 4)
  }

  func put(_ record: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor) {
    let scale = DegreesScale(digits: record.digits)
    folder.putPath(to: &cursor)
    cursor.put("\",\"")
    cursor.put(record.kind.text)
    cursor.put("\",")
    cursor.put(Int64(record.depth))
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(record.id)
    cursor.put(byte: UInt8(ascii: ","))
    Self.put(record.size, to: &cursor)
    Self.put(record.modified, to: &cursor)
    cursor.put(UInt64(record.minzoom))
    cursor.put(byte: UInt8(ascii: ","))
    Self.put(record.position, scale, to: &cursor)
    cursor.put(record.isUnreadable ? ",1," : ",0,")
    Self.put(record.isLanded ? shape.tint.map { Int64($0) } : nil, to: &cursor)
    cursor.put("[")
    let ring = record.isLanded ? shape.ring : []
    Self.put(ring[...], scale, to: &cursor)
    cursor.put("]")
    if let totals = record.totals {
      FeatureMember.eachSum { member in
        cursor.put(byte: UInt8(ascii: ","))
        if let sum = totals[member] { cursor.put(sum) } else { cursor.put("null") }
      }
    }
    if !shape.cell.isEmpty, !ring.isEmpty {
      cursor.put(",[")
      Self.put(shape.cell.prefix(ring.count), scale, to: &cursor)
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
