import GeoCore
import GeoSystem

/// A row of a layer's source, by the ranges of its record: a path, split into folder and name, and
/// where it comes from.
///
/// A record is little-endian: the hash of the folder (8 bytes), the length of the record (4), its
/// number (4), its line (8), the lengths of folder (4), name (2) and source (2), folder, name, and
/// each value after its length (2).
struct LayerRow {
  let folder: Range<Int>
  let name: Range<Int>
  let source: Int
  let line: Int
  /// Its number among all rows.
  let number: Int
  /// The range of its values, each after its length.
  let values: Range<Int>

  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int) {
    (folder, name, source) = Self.parts(bytes, at: start)
    line = Int(bytes.loadWord(at: start + 16))
    number = Int(bytes.loadHalfWord(at: start + 12))
    values = name.upperBound..<Self.end(bytes, at: start)
  }

  /// Takes the range of the first value off a range of values.
  @inline(__always)
  static func takeValue(_ bytes: Span<UInt8>, _ values: inout Range<Int>) -> Range<Int> {
    let start = values.lowerBound + 2
    let end = start + Int(bytes[start - 2]) + Int(bytes[start - 1]) << 8
    values = end..<values.upperBound
    return start..<end
  }

  /// `slash` is the place of the slash before the name in the path, or 0.
  static func append(
    _ path: Span<UInt8>, slash: Int, _ texts: LayerTexts, source: Int, line: Int, number: Int,
    to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    let folder = path.extracting(..<slash)
    let name = path.extracting((slash > 0 ? slash + 1 : 0)...)
    bytes.append(little: hash(folder))
    bytes.append(little: UInt32(0))
    bytes.append(little: UInt32(truncatingIfNeeded: number))
    bytes.append(little: UInt64(line))
    bytes.append(little: UInt32(truncatingIfNeeded: folder.count))
    bytes.append(little: UInt16(truncatingIfNeeded: name.count))
    bytes.append(little: UInt16(source))
    bytes.append(copying: folder)
    bytes.append(copying: name)
    let values = texts.bytes.span
    for index in 0..<texts.count {
      let range = texts[index]
      bytes.append(little: UInt16(truncatingIfNeeded: range.count))
      bytes.append(copying: values.extracting(range))
    }
    bytes.overwrite(little: UInt32(truncatingIfNeeded: bytes.count - start), at: start + 8)
  }

  /// An upper bound of the bytes of a record.
  static func bound(_ path: Span<UInt8>, _ texts: LayerTexts) -> Int {
    header + path.count + 2 * texts.count + texts.bytes.count
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
