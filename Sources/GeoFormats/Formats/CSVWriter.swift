import GeoCore
import GeoProjection

/// One record for each node, in the columns of ``writeHeader(_:to:)``.
struct CSVWriter: FormatWriter {
  private var folder = FolderText<CSVText>()
  /// Whether there are columns for what is below a folder.
  private let totals: Bool
  /// Whether every text stands in quotes.
  private let quotesAll: Bool
  /// Whether the header names the columns that came later.
  private let hasLaterColumns: Bool
  /// Whether the path of the folder entered makes a field need quotes.
  private var isQuoted = false
  /// A file's kind and depth.
  private var rank = PaddedText()
  /// A file's minzoom.
  private var zoom = PaddedText()
  private var scale = DegreesScale(digits: 13)
  /// What the texts of a file are made for; the next folder often has the same.
  private var batch: FileBatch?

  /// All that a record may hold besides its path and name.
  private static let fixedRoom = 256

  init(_ options: WriterOptions) {
    totals = options.totals
    quotesAll = options.quotesAll
    hasLaterColumns = options.hasLaterColumns
  }

  /// Writes the record of the columns' names.
  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    let sums: [StaticString] = totals ? ["files", "bytes", "allocated"] : []
    let names: [StaticString] =
      ["path", "kind", "depth", "size"] + sums + ["modified", "minzoom", "lon", "lat", "id"]
      + (hasLaterColumns ? CSVText.laterColumns : [])
    for (index, name) in names.enumerated() {
      if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
      if quotesAll { buffer.append(byte: UInt8(ascii: "\"")) }
      buffer.append(name)
      if quotesAll { buffer.append(byte: UInt8(ascii: "\"")) }
    }
    buffer.append("\r\n")
  }

  mutating func enterFolder(path: [UInt8]) {
    folder.enter(path, after: "")
    isQuoted = quotesAll || CSVText.needsQuotes(path.span)
  }

  mutating func prepare(_ batch: FileBatch) {
    if batch == self.batch { return }
    self.batch = batch
    scale = DegreesScale(digits: batch.digits)
    let quotesAll = quotesAll
    rank.fill(reserving: 64) { Self.put(.poi, quoted: quotesAll, depth: batch.depth, to: &$0) }
    zoom.fill(reserving: 16) { cursor in
      cursor.put(UInt64(batch.minzoom))
      cursor.put(byte: UInt8(ascii: ","))
    }
  }

  var roomForFile: Int {
    Self.fixedRoom + folder.prefix.count + folder.raw.count * PercentText.expansion
  }

  static var roomForByteOfName: Int { 2 * CSVText.expansion + PercentText.expansion }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    let start = cursor.mark
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    cursor.put(folder.prefix)
    let isClean = cursor.put(name, of: arena, ifClean: CSVText.self)
    if !isClean {
      cursor.rewind(to: start)
      putPath(ofFileNamed: arena.extracting(name), to: &cursor)
    } else if isQuoted {
      cursor.put(byte: UInt8(ascii: "\""))
    }
    cursor.put(rank)
    if facts.status == .known {
      if totals {
        cursor.put(size: facts.size, ",,,,", time: facts.modified)
      } else {
        cursor.put(size: facts.size, ",", time: facts.modified)
      }
      cursor.put(byte: UInt8(ascii: ","))
    } else {
      if facts.status == .sized { cursor.put(facts.size) }
      if totals { cursor.put(",,,") }
      cursor.put(",,")
    }
    cursor.put(zoom)
    Self.put(place.coordinate, scale, id: place.id, to: &cursor)
    if isClean && !quotesAll && facts.kind == .regular && folder.isValid {
      cursor.put(byte: UInt8(ascii: ","))
      cursor.putAgain(name, of: arena)
      cursor.put(",,\r\n")
    } else {
      putRest(ofFileNamed: arena.extracting(name), facts.kind, to: &cursor)
    }
  }

  /// Puts the last three columns of a file of which one needs a closer look.
  @inline(never)
  private func putRest(
    ofFileNamed name: Span<UInt8>, _ kind: EntryKind, to cursor: inout OutputCursor
  ) {
    cursor.put(byte: UInt8(ascii: ","))
    let isQuoted = quotesAll || CSVText.needsQuotes(name)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    let isValid = CSVText.put(scalarsOf: name, to: &cursor) && folder.isValid
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    cursor.put(byte: UInt8(ascii: ","))
    if let special = kind.special {
      if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
      cursor.put(special)
      if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
    }
    cursor.put(byte: UInt8(ascii: ","))
    if !isValid {
      if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
      PercentText.put(folder.raw.span, to: &cursor)
      cursor.put(byte: .slash)
      PercentText.put(name, to: &cursor)
      if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
    }
    cursor.put("\r\n")
  }

  /// Puts the path of a file whose name isn't plain ASCII, or may need quotes.
  @inline(never)
  private func putPath(ofFileNamed name: Span<UInt8>, to cursor: inout OutputCursor) {
    let isQuoted = isQuoted || CSVText.needsQuotes(name)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    cursor.put(folder.prefix)
    _ = CSVText.put(scalarsOf: name, to: &cursor)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
  }

  func room(forRing ring: [Coordinate]) -> Int {
    Self.fixedRoom + 2 * folder.prefix.count + folder.raw.count * PercentText.expansion
  }

  func put(_ feature: FolderFeature, ring: [Coordinate], to cursor: inout OutputCursor) {
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    folder.putPath(to: &cursor)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    Self.put(
      feature.place.kind, quoted: quotesAll, depth: Int(feature.place.depth), to: &cursor)
    if let entries = feature.entries { cursor.put(Int64(entries)) }
    cursor.put(byte: UInt8(ascii: ","))
    if totals { Self.put(feature.totals, to: &cursor) }
    if let modified = feature.modified { cursor.put(modified) }
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(UInt64(feature.place.minzoom))
    cursor.put(byte: UInt8(ascii: ","))
    let scale = DegreesScale(digits: feature.place.digits)
    Self.put(feature.coordinate, scale, id: feature.place.id, to: &cursor)
    putRest(to: &cursor)
  }

  /// Puts the last three columns of the folder entered.
  private func putRest(to cursor: inout OutputCursor) {
    cursor.put(byte: UInt8(ascii: ","))
    let name = folder.raw.lastComponent
    let isQuoted = quotesAll || CSVText.needsQuotes(folder.raw.span.extracting(name.indices))
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    folder.putName(to: &cursor)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    cursor.put(",,")
    if !folder.isValid {
      if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
      PercentText.put(folder.raw.span, to: &cursor)
      if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
    }
    cursor.put("\r\n")
  }

  /// Puts what is below a folder; what is not known is empty.
  private static func put(_ totals: FolderTotals?, to cursor: inout OutputCursor) {
    guard let totals else { return cursor.put(",,,") }
    for sum in [totals.files, totals.bytes, totals.allocated] {
      if let sum { cursor.put(sum) }
      cursor.put(byte: UInt8(ascii: ","))
    }
  }

  /// Puts the end of the path, the kind and the depth.
  private static func put(
    _ kind: NodeKind, quoted: Bool, depth: Int, to cursor: inout OutputCursor
  ) {
    cursor.put(byte: UInt8(ascii: ","))
    if quoted { cursor.put(byte: UInt8(ascii: "\"")) }
    cursor.put(kind.text)
    if quoted { cursor.put(byte: UInt8(ascii: "\"")) }
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(Int64(depth))
    cursor.put(byte: UInt8(ascii: ","))
  }

  /// Puts the place and the id.
  @inline(__always)
  private static func put(
    _ position: Coordinate, _ scale: DegreesScale, id: UInt64, to cursor: inout OutputCursor
  ) {
    cursor.put(degrees: position.longitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(degrees: position.latitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(id)
  }
}

extension OutputFormat {
  /// A table (RFC 4180), one node to a record.
  public static let csv = OutputFormat("csv", [.totals, .parts, .quotes, .columns]) {
    CSVWriter($0)
  }
}
