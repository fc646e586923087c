import GeoCore
import GeoProjection

/// Writes a record of a table (RFC 4180) for each node, in the columns of a ``FeatureTable``.
///
/// The text that files of a folder or a batch share is made once, which serves nearly all files of
/// a map. Other records are put column by column.
struct CSVWriter: FormatWriter {
  var folder = FolderText<CSVText>()
  private let columns: [FeatureMember]
  private let layerColumns: [LayerColumn]
  /// Whether files can be put without looking at each column.
  private let isOfMap: Bool
  private let totals: Bool
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
  private var parts: FeatureParts?
  var layers: LayerMembers

  init(_ options: WriterOptions) {
    columns = options.table.columns(options)
    isOfMap = options.table == .nodes && !options.quotesAll
    totals = options.totals
    quotesAll = options.quotesAll
    layers = LayerMembers(options.layers)
    layerColumns = options.layers.columns
  }

  func writeHeader(_ header: MapHeader, to buffer: inout OutputBuffer) {
    let names = columns.map(\.plainName.bytes) + layerColumns.map { Array($0.name.utf8) }
    buffer.put(reserving: 96 * names.count) { cursor in
      for (index, name) in names.enumerated() {
        if index > 0 { cursor.put(byte: UInt8(ascii: ",")) }
        put(text: name.span, to: &cursor)
      }
      cursor.put("\r\n")
    }
  }

  mutating func setParts(_ parts: FeatureParts?) { self.parts = parts }

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

  var capacityForParts: Int { parts?.capacity ?? 0 }

  @inline(__always)
  func put(
    fileNamed name: Range<Int>, of arena: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    let start = cursor.position
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
    cursor.put(",,")
    if !layerColumns.isEmpty { putLayers(to: &cursor) }
    cursor.put("\r\n")
  }

  @inline(never)
  private func putRow(
    fileNamed name: Span<UInt8>, at place: FilePlace, _ facts: EntryFacts,
    to cursor: inout OutputCursor
  ) {
    putRow(FeatureRecord(place, facts, batch, hasLonLat: true), name, to: &cursor)
  }

  func put(_ record: FeatureRecord, _ shape: FolderShape, to cursor: inout OutputCursor) {
    let name = folder.raw.span.extracting(folder.raw.lastComponent.indices)
    putRow(record.located(always: true), name, to: &cursor)
  }
}

extension CSVWriter {
  private func putRow(_ record: FeatureRecord, _ name: Span<UInt8>, to cursor: inout OutputCursor) {
    for (index, column) in columns.enumerated() {
      if index > 0 { cursor.put(byte: UInt8(ascii: ",")) }
      put(column, of: record, name, to: &cursor)
    }
    putLayers(to: &cursor)
    cursor.put("\r\n")
  }

  @inline(never)
  private func putLayers(to cursor: inout OutputCursor) {
    layers.each { _, value in
      cursor.put(byte: UInt8(ascii: ","))
      if let value { put(value, to: &cursor) }
    }
  }

  private func put(
    _ column: FeatureMember, of record: FeatureRecord, _ name: Span<UInt8>,
    to cursor: inout OutputCursor
  ) {
    switch column {
    case .path: putPath(of: record, name, to: &cursor)
    case .name: put(text: name, to: &cursor)
    case .rawPath: putRawPath(of: record, name, to: &cursor)
    case .minzoom: cursor.put(UInt64(record.minzoom))
    default:
      guard let value = record.value(column) ?? parts?.value(column) else { return }
      put(value, to: &cursor)
    }
  }

  private func put(_ value: FeatureValue, to cursor: inout OutputCursor) {
    switch value {
    case .word(let word): Self.put(quoted: quotesAll, to: &cursor) { $0.put(word) }
    case .number(let number): cursor.put(number)
    case .decimal(let number): cursor.put(decimal: number)
    case .degrees(let degrees, let digits):
      cursor.put(degrees: degrees, DegreesScale(digits: digits))
    case .flag: cursor.put("true")
    case .text(let text): if !text.isEmpty { put(text: text.span, to: &cursor) }
    case .percent(let bytes): PercentText.put(bytes.span, to: &cursor)
    case .time(let seconds):
      if let time = CivilTime(unixSeconds: seconds) { cursor.put(time) }
    case .instant(let milliseconds): cursor.put(milliseconds: milliseconds)
    }
  }

  private func putPath(
    of record: FeatureRecord, _ name: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    let isFolder = record.kind != .poi
    Self.put(quoted: isQuoted || !isFolder && CSVText.needsQuotes(name), to: &cursor) { cursor in
      folder.putPath(to: &cursor)
      if isFolder { return }
      cursor.put(byte: .slash)
      _ = CSVText.put(name, to: &cursor)
    }
  }

  private func putRawPath(
    of record: FeatureRecord, _ name: Span<UInt8>, to cursor: inout OutputCursor
  ) {
    if folder.isValid, name.isValidUTF8 { return }
    Self.put(quoted: quotesAll, to: &cursor) { cursor in
      if record.kind == .poi {
        folder.putRaw(fileNamed: name, to: &cursor)
      } else {
        PercentText.put(folder.raw.span, to: &cursor)
      }
    }
  }

  private func put(text: Span<UInt8>, to cursor: inout OutputCursor) {
    Self.put(quoted: quotesAll || CSVText.needsQuotes(text), to: &cursor) {
      _ = CSVText.put(text, to: &$0)
    }
  }

  private static func put(
    quoted isQuoted: Bool, to cursor: inout OutputCursor, _ body: (inout OutputCursor) -> Void
  ) {
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
    body(&cursor)
    if isQuoted { cursor.put(byte: UInt8(ascii: "\"")) }
  }
}

extension FeatureTable {
  fileprivate func columns(_ options: WriterOptions) -> [FeatureMember] {
    let place: [FeatureMember] = [.minzoom, .lon, .lat, .id]
    let last: [FeatureMember] = [.name, .special, .rawPath]
    switch self {
    case .nodes:
      return [.path, .kind, .depth, .size] + (options.totals ? [.files, .bytes, .allocated] : [])
        + [.modified] + place + last
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
