import GeoCore
import GeoProjection

/// Writes a record of a table (RFC 4180) for each node, in the columns of a ``FeatureTable``.
///
/// The text that files of a folder or a batch share is made once, which serves nearly all files of
/// a map. Other records are put column by column.
struct CSVWriter: FormatWriter {
  private var folder = FolderText<CSVText>()
  private let columns: [Column]
  /// Whether files can be put without looking at each column.
  private let isOfMap: Bool
  /// Whether there are columns for the totals of folders.
  private let totals: Bool
  /// Whether every text is quoted.
  private let quotesAll: Bool
  /// Whether the path of the folder entered needs quotes.
  private var isQuoted = false
  /// Whether most files in the folder entered can be put without looking at each column.
  private var isShort = false
  private var rank = PaddedText()
  private var zoom = PaddedText()
  private var scale = DegreesScale(digits: 13)
  /// The batch for which the texts were made; the next folder often has the same.
  private var batch = FileBatch(depth: -1, digits: 0, minzoom: 0)
  /// The members about several states for the records written next.
  private var parts: FeatureParts?

  /// The maximum length of a record without its path, its name and its parts.
  private static let fixedRoom = 256

  init(_ options: WriterOptions) {
    columns = options.table.columns(options)
    isOfMap = options.table == .nodes && !options.quotesAll
    totals = options.totals
    quotesAll = options.quotesAll
  }

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    var cursor = buffer.cursor(reserving: 32 * columns.count)
    for (index, column) in columns.enumerated() {
      if index > 0 { cursor.put(byte: UInt8(ascii: ",")) }
      let name = Array(column.rawValue.utf8)
      put(text: name.span, to: &cursor)
    }
    cursor.put("\r\n")
    buffer.commit(cursor)
  }

  mutating func say(_ parts: FeatureParts?) { self.parts = parts }

  mutating func enterFolder(path: [UInt8]) {
    folder.enter(path, after: "")
    isQuoted = quotesAll || CSVText.needsQuotes(path.span)
    isShort = isOfMap && !isQuoted && folder.isValid
  }

  mutating func prepare(_ batch: FileBatch) {
    if batch == self.batch { return }
    self.batch = batch
    scale = DegreesScale(digits: batch.digits)
    rank.fill(reserving: 64) { cursor in
      cursor.put(byte: UInt8(ascii: ","))
      cursor.put(NodeKind.poi.text)
      cursor.put(byte: UInt8(ascii: ","))
      cursor.put(Int64(batch.depth))
      cursor.put(byte: UInt8(ascii: ","))
    }
    zoom.fill(reserving: 16) { cursor in
      cursor.put(UInt64(batch.minzoom))
      cursor.put(byte: UInt8(ascii: ","))
    }
  }

  var roomForFile: Int {
    Self.fixedRoom + folder.prefix.count + folder.raw.count * PercentText.expansion
      + (parts?.room ?? 0)
  }

  static var roomForByteOfName: Int { 2 * CSVText.expansion + PercentText.expansion }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    let start = cursor.mark
    cursor.put(folder.prefix)
    guard isShort && facts.kind == .regular, cursor.put(name, of: arena, ifClean: CSVText.self)
    else {
      cursor.rewind(to: start)
      return putRow(fileNamed: arena.extracting(name), at: place, facts, to: &cursor)
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
    cursor.put(degrees: place.coordinate.longitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(degrees: place.coordinate.latitude, scale)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.put(place.id)
    cursor.put(byte: UInt8(ascii: ","))
    cursor.putAgain(name, of: arena)
    cursor.put(",,\r\n")
  }

  @inline(never)
  private func putRow(
    fileNamed name: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    putRow(FeatureRecord(place, facts, batch, parts, hasLonLat: false), name, to: &cursor)
  }

  func room(forRing ring: [Coordinate]) -> Int {
    Self.fixedRoom + 2 * folder.prefix.count + folder.raw.count * PercentText.expansion
      + (parts?.room ?? 0)
  }

  func put(_ feature: FolderFeature, ring: [Coordinate], to cursor: inout OutputCursor) {
    let name = folder.raw.span.extracting(folder.raw.lastComponent.indices)
    putRow(FeatureRecord(feature, parts, hasLonLat: false), name, to: &cursor)
  }
}

extension CSVWriter {
  private func putRow(
    _ record: FeatureRecord, _ name: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    for (index, column) in columns.enumerated() {
      if index > 0 { cursor.put(byte: UInt8(ascii: ",")) }
      put(column, of: record, name, to: &cursor)
    }
    cursor.put("\r\n")
  }

  /// Puts a field; nothing if its value is unknown.
  private func put(
    _ column: Column, of record: FeatureRecord, _ name: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    switch column {
    case .path: putPath(of: record, name, to: &cursor)
    case .name: put(text: name, to: &cursor)
    case .rawPath: putRawPath(of: record, name, to: &cursor)
    case .kind: put(word: record.kind.text, to: &cursor)
    case .special: if let word = record.entry.special { put(word: word, to: &cursor) }
    case .depth: cursor.put(Int64(record.depth))
    case .size: put(record.size, to: &cursor)
    case .files: put(record.totals?.files, to: &cursor)
    case .bytes: put(record.totals?.bytes, to: &cursor)
    case .allocated: put(record.totals?.allocated, to: &cursor)
    case .modified: put(record.modified, to: &cursor)
    case .minzoom: cursor.put(UInt64(record.minzoom))
    case .lon: cursor.put(degrees: record.position.longitude, DegreesScale(digits: record.digits))
    case .lat: cursor.put(degrees: record.position.latitude, DegreesScale(digits: record.digits))
    case .id: cursor.put(record.id)
    case .change:
      let change = record.parts?.event?.change ?? record.parts?.difference?.change
      if let word = change?.text { put(word: word, to: &cursor) }
    case .wasSize:
      if let was = record.parts?.difference?.was, was.status.hasSize { cursor.put(was.size) }
    case .wasModified:
      if let was = record.parts?.difference?.was, was.status == .known { cursor.put(was.modified) }
    case .from: putOtherPath(of: record, if: .moved, to: &cursor)
    case .to: putOtherPath(of: record, if: .left, to: &cursor)
    case .life: put(record.parts?.life?.number, to: &cursor)
    case .start: put(seconds: record.parts?.life?.start, to: &cursor)
    case .end: put(seconds: record.parts?.life?.end, to: &cursor)
    case .changes: put(record.parts?.life?.changes, to: &cursor)
    case .time: if let event = record.parts?.event { cursor.put(milliseconds: event.time) }
    case .revision: put(text: record.parts?.event?.revision, to: &cursor)
    case .author: put(text: record.parts?.event?.author, to: &cursor)
    }
  }

  private func putPath(
    of record: FeatureRecord, _ name: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    let isFolder = record.kind != .poi
    let isQuoted = isQuoted || !isFolder && CSVText.needsQuotes(name)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    folder.putPath(to: &cursor)
    if !isFolder {
      cursor.put(byte: .slash)
      _ = CSVText.put(name, to: &cursor)
    }
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
  }

  private func putRawPath(
    of record: FeatureRecord, _ name: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    if folder.isValid, name.isValidUTF8 { return }
    if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
    PercentText.put(folder.raw.span, to: &cursor)
    if record.kind == .poi {
      cursor.put(byte: .slash)
      PercentText.put(name, to: &cursor)
    }
    if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
  }

  private func putOtherPath(
    of record: FeatureRecord, if change: NodeChange, to cursor: inout OutputCursor
  ) {
    guard let difference = record.parts?.difference, difference.change == change else { return }
    put(text: difference.otherPath, to: &cursor)
  }

  private func put(text: [UInt8]?, to cursor: inout OutputCursor) {
    if let text, !text.isEmpty { put(text: text.span, to: &cursor) }
  }

  private func put(text: Span<UInt8>, to cursor: inout OutputCursor) {
    let isQuoted = quotesAll || CSVText.needsQuotes(text)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    _ = CSVText.put(text, to: &cursor)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
  }

  private func put(word: StaticString, to cursor: inout OutputCursor) {
    if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
    cursor.put(word)
    if quotesAll { cursor.put(byte: UInt8(ascii: "\"")) }
  }

  private func put(_ number: Int64?, to cursor: inout OutputCursor) {
    if let number { cursor.put(number) }
  }

  private func put(seconds: Int64?, to cursor: inout OutputCursor) {
    if let seconds, let time = CivilTime(unixSeconds: seconds) { cursor.put(time) }
  }
}

extension CSVWriter {
  /// The columns of tables, by the names in the header.
  enum Column: String {
    case path, name, rawPath, kind, special, depth, size, files, bytes, allocated, modified, minzoom
    case lon, lat, id
    // For two states.
    case change, wasSize = "was_size", wasModified = "was_modified", from, to
    // For a history.
    case life, start, end, changes, time, revision, author
  }
}

extension FeatureTable {
  fileprivate func columns(_ options: WriterOptions) -> [CSVWriter.Column] {
    let place: [CSVWriter.Column] = [.minzoom, .lon, .lat, .id]
    let last: [CSVWriter.Column] = [.name, .special, .rawPath]
    switch self {
    case .nodes:
      return [.path, .kind, .depth, .size] + (options.totals ? [.files, .bytes, .allocated] : [])
        + [.modified] + place + (options.hasLaterColumns ? last : [])
    case .changes:
      return [.path, .kind, .depth, .change, .size, .modified, .wasSize, .wasModified, .from, .to]
        + place + last
    case .lives:
      return [.path, .kind, .depth, .life, .start, .end, .changes, .size] + place + last
    case .events:
      return [.time, .change, .path, .kind, .depth, .revision, .author, .lon, .lat, .id]
    }
  }
}
