import GeoCore
import GeoSystem

/// A row of a layer's source: a path, split into folder and name, and where it comes from.
struct LayerRow {
  var folder: ArraySlice<UInt8>
  var name: ArraySlice<UInt8>
  /// The number of its source.
  var source: Int
  var line: Int
  /// Its number among all rows.
  var number: Int

  /// One for each layer of the source; empty without a value.
  var values: [ArraySlice<UInt8>]

  /// The bytes of its record.
  var count: Int {
    Self.header + folder.count + name.count + values.reduce(0) { $0 + 2 + $1.count }
  }

  /// Appends its record.
  ///
  /// Little-endian: the hash of the folder (8 bytes), the length of the record (4), its number (4),
  /// its line (8), the lengths of folder (4), name (2) and source (2), folder, name, and each value
  /// after its length (2).
  func append(to bytes: inout [UInt8]) {
    bytes.append(little: Self.hash(folder.span))
    bytes.append(little: UInt32(truncatingIfNeeded: count))
    bytes.append(little: UInt32(truncatingIfNeeded: number))
    bytes.append(little: UInt64(line))
    bytes.append(little: UInt32(truncatingIfNeeded: folder.count))
    bytes.append(little: UInt16(truncatingIfNeeded: name.count))
    bytes.append(little: UInt16(source))
    bytes += folder
    bytes += name
    for value in values {
      bytes.append(little: UInt16(truncatingIfNeeded: value.count))
      bytes += value
    }
  }

  /// Reads a record. Its parts share the bytes.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    let span = bytes.span
    let start = range.lowerBound
    let parts = Self.parts(span, at: start)
    folder = bytes[parts.folder]
    name = bytes[parts.name]
    source = parts.source
    line = Int(span.loadWord(at: start + 16))
    number = Int(span.loadHalfWord(at: start + 12))
    values = []
    var next = name.endIndex
    while next < range.upperBound {
      let end = next + 2 + Int(bytes[next]) + Int(bytes[next + 1]) << 8
      values.append(bytes[(next + 2)..<end])
      next = end
    }
  }

  init(
    folder: ArraySlice<UInt8>, name: ArraySlice<UInt8>, source: Int, line: Int, number: Int,
    values: [ArraySlice<UInt8>]
  ) {
    (self.folder, self.name, self.source) = (folder, name, source)
    (self.line, self.number, self.values) = (line, number, values)
  }

  /// The hash by which rows are sorted, so that those of one folder are together.
  static func hash(_ folder: Span<UInt8>) -> UInt64 {
    var hash = UInt64(folder.count) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    while index + 8 <= folder.count {
      hash = mix(hash ^ folder.loadWord(at: index))
      index += 8
    }
    return mix(hash ^ folder.extracting(index..<folder.count).bigEndianPrefix)
  }

  private static func mix(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return high ^ low ^ 0xE703_7ED1_A0B4_28DB
  }
}

extension LayerRow: RunRecord {
  static var header: Int { 32 }

  @inline(__always)
  static func key(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 { bytes.loadWord(at: offset) }

  @inline(__always)
  static func end(_ bytes: Span<UInt8>, at offset: Int) -> Int {
    offset + Int(bytes.loadHalfWord(at: offset + 8))
  }

  /// Compares folders, then names, then sources.
  static func compare(
    _ bytes: Span<UInt8>, at offset: Int, _ others: Span<UInt8>, at other: Int
  ) -> Int {
    let (a, b) = (parts(bytes, at: offset), parts(others, at: other))
    let (folder, otherFolder) = (bytes.extracting(a.folder), others.extracting(b.folder))
    if !folder.equals(otherFolder) { return folder.orders(before: otherFolder) ? -1 : 1 }
    let (name, otherName) = (bytes.extracting(a.name), others.extracting(b.name))
    if !name.equals(otherName) { return name.orders(before: otherName) ? -1 : 1 }
    return a.source - b.source
  }

  @inline(__always)
  private static func parts(
    _ bytes: Span<UInt8>, at offset: Int
  ) -> (folder: Range<Int>, name: Range<Int>, source: Int) {
    let lengths = bytes.loadHalfWord(at: offset + 28)
    let start = offset + header
    let end = start + Int(bytes.loadHalfWord(at: offset + 24))
    return (start..<end, end..<(end + Int(lengths & 0xFFFF)), Int(lengths >> 16))
  }
}
