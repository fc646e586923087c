import GeoCore

/// A column of a Parquet file: its name, its type, and its source.
struct ParquetColumn {
  /// How values are stored, by the format's numbers.
  enum Physical: Int {
    case boolean = 0
    case int = 1
    case long = 2
    case float = 4
    case double = 5
    case bytes = 6
  }

  enum Logical {
    case itself
    case text
    /// Unix time in milliseconds.
    case timestamp
  }

  /// The part of a node in a column.
  enum Source {
    case member(FeatureMember)
    /// A column of layers, by its number.
    case layer(Int)
    case geometry
    /// An edge of its box.
    case west, south, east, north
  }

  let name: String
  let physical: Physical
  var logical = Logical.itself
  var isOptional = false
  var encoding = ParquetEncoding.plain
  let source: Source

  /// The effort of compression; nil for ids, which are random and don't compress.
  var effort: Deflater.Effort? {
    switch source {
    case .member(.id): nil
    case .geometry, .member(.lon), .member(.lat), .member(.modified), .member(.size): .hasty
    case .member(.path), .member(.name), .member(.folder), .member(.rawPath): .wordy
    default: .swift
    }
  }

  var path: [[UInt8]] {
    isInBox ? [Self.box, Array(name.utf8)] : [Array(name.utf8)]
  }

  var isInBox: Bool {
    switch source {
    case .west, .south, .east, .north: true
    default: false
    }
  }

  /// The group of the box's columns.
  static let box = Array("bbox".utf8)

  /// All columns: the members of a node, `folder` after `path`, those of layers, the geometry and
  /// its box.
  static func all(_ options: WriterOptions) -> [ParquetColumn] {
    func edge(_ name: String, _ source: Source) -> ParquetColumn {
      ParquetColumn(name: name, physical: .float, encoding: .listed, source: source)
    }
    let members = FeatureMember.columns(options).flatMap { $0 == .path ? [.path, .folder] : [$0] }
    let layers = options.layers.columns.enumerated().map { number, column in
      ParquetColumn(
        column.name, column.valueKind, isListed: column.kind == .word, isOptional: true,
        .layer(number))
    }
    return members.map { ParquetColumn($0) } + layers + [
      ParquetColumn(name: "geometry", physical: .bytes, encoding: .prefixes, source: .geometry),
      edge("xmin", .west), edge("ymin", .south), edge("xmax", .east), edge("ymax", .north),
    ]
  }
}

extension ParquetColumn {
  private init(
    _ name: String, _ kind: FeatureMember.Kind, isListed: Bool, isOptional: Bool, _ source: Source
  ) {
    let (physical, logical, encoding): (Physical, Logical, ParquetEncoding) =
      switch kind {
      case .text: (.bytes, .text, isListed ? .listed : .prefixes)
      case .int: (.int, .itself, .deltas)
      case .count, .number: (.long, .itself, .deltas)
      case .seconds: (.long, .timestamp, .deltas)
      case .double: (.double, .itself, .plain)
      case .flag: (.boolean, .itself, .plain)
      }
    self.init(
      name: name, physical: physical, logical: logical, isOptional: isOptional, encoding: encoding,
      source: source)
  }

  private init(_ member: FeatureMember) {
    self.init(
      member.plainName.description, member.valueKind,
      isListed: [.folder, .kind, .special].contains(member),
      isOptional: ![.id, .path, .name, .kind, .depth].contains(member), .member(member))
  }
}

/// How the values of a page are written, by the format's numbers.
///
/// pyarrow, DuckDB (0.7) and Spark (3.3) read all of these. `BYTE_STREAM_SPLIT` would suit boxes,
/// but Spark's vectorised reader doesn't support it; its older versions don't support a plain
/// `DELTA_LENGTH_BYTE_ARRAY` either.
enum ParquetEncoding: Int {
  /// One after the other, texts after their lengths (`PLAIN`).
  case plain = 0
  /// Runs of equal numbers, or packed bits, for levels (`RLE`).
  case runs = 3
  /// Integers by their difference from the previous one (`DELTA_BINARY_PACKED`).
  case deltas = 5
  /// Texts by the number of bytes shared with the previous one, and their rest
  /// (`DELTA_BYTE_ARRAY`).
  case prefixes = 7
  /// Indices of a dictionary (`RLE_DICTIONARY`).
  case listed = 8
}

extension ParquetEncoding {
  /// Differences in a block, which has one minimum.
  private static let block = 128
  /// Differences of the same bit width.
  private static let part = 32

  /// Adds integers as `DELTA_BINARY_PACKED`: by their difference from the previous one.
  ///
  /// Differences wrap around at 64 bits, in the writer as in readers.
  static func appendDeltas(_ numbers: Span<Int64>, to buffer: inout OutputBuffer) {
    var head: [UInt8] = []
    head.append(varint: UInt64(block))
    head.append(varint: UInt64(block / part))
    head.append(varint: UInt64(numbers.count))
    head.append(zigzag: numbers.isEmpty ? 0 : numbers[0])
    buffer.append(head.span)
    var deltas = [Int64](repeating: 0, count: block)
    var start = 1
    while start < numbers.count {
      let count = min(block, numbers.count - start)
      var minimum = Int64.max
      for index in 0..<count {
        deltas[index] = numbers[start + index] &- numbers[start + index - 1]
        minimum = min(minimum, deltas[index])
      }
      // Padding of a block adds no bits.
      for index in count..<block { deltas[index] = minimum }
      appendBlock(deltas.span, minimum, count, to: &buffer)
      start += count
    }
  }

  private static func appendBlock(
    _ deltas: Span<Int64>, _ minimum: Int64, _ count: Int, to buffer: inout OutputBuffer
  ) {
    var head: [UInt8] = []
    head.append(zigzag: minimum)
    for start in stride(from: 0, to: block, by: part) {
      var bits: UInt64 = 0
      for index in start..<(start + part) { bits |= UInt64(bitPattern: deltas[index] &- minimum) }
      head.append(UInt8(UInt64.bitWidth - bits.leadingZeroBitCount))
    }
    buffer.append(head.span)
    let widths = head.suffix(block / part)
    for (number, width) in widths.enumerated() where width > 0 && number * part < count {
      var pending: UInt64 = 0
      var filled: UInt8 = 0
      for index in (number * part)..<((number + 1) * part) {
        let rest = UInt64(bitPattern: deltas[index] &- minimum)
        pending |= rest &<< UInt64(filled)
        filled += width
        if filled < 64 { continue }
        buffer.append(little: pending)
        filled -= 64
        pending = filled == 0 ? 0 : rest &>> UInt64(width - filled)
      }
      // 32 numbers take four bytes for each bit of their width.
      if filled > 0 { buffer.append(little: UInt32(truncatingIfNeeded: pending)) }
    }
  }

  /// Adds texts as `DELTA_LENGTH_BYTE_ARRAY`: the lengths of all, then their bytes.
  static func appendLengths(
    _ texts: [Range<Int>], of bytes: Span<UInt8>, to buffer: inout OutputBuffer
  ) {
    let lengths = texts.map { Int64($0.count) }
    appendDeltas(lengths.span, to: &buffer)
    for text in texts { buffer.append(bytes.extracting(text)) }
  }

  /// Adds texts as `DELTA_BYTE_ARRAY`: the number of bytes each shares with the previous one, and
  /// the rest of each.
  ///
  /// - Parameter isSharing: Whether they share bytes. Otherwise each text is written whole, as
  ///   older versions of Spark misread `DELTA_LENGTH_BYTE_ARRAY`, the encoding for that.
  static func appendPrefixes(
    _ texts: [Range<Int>], of bytes: Span<UInt8>, isSharing: Bool = true,
    to buffer: inout OutputBuffer
  ) {
    var shared: [Int64] = []
    shared.reserveCapacity(texts.count)
    var rests: [Range<Int>] = []
    rests.reserveCapacity(texts.count)
    var last = 0..<0
    for text in texts {
      let common =
        isSharing
        ? bytes.common(last.lowerBound, text.lowerBound, min(last.count, text.count)) : 0
      shared.append(Int64(common))
      rests.append((text.lowerBound + common)..<text.upperBound)
      last = text
    }
    appendDeltas(shared.span, to: &buffer)
    appendLengths(rests, of: bytes, to: &buffer)
  }
}

/// Small numbers in Parquet's hybrid encoding: runs of equal ones, or bit-packed groups of eight.
enum ParquetBits {
  /// Numbers of `width` bits, all bit-packed; the last group is padded with zeros.
  static func packed(_ numbers: [UInt32], width: Int) -> [UInt8] {
    let groups = (numbers.count + 7) / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(groups * width + 5)
    bytes.append(varint: UInt64(groups) << 1 | 1)
    var pending: UInt64 = 0
    var count = 0
    for index in 0..<(8 * groups) {
      if index < numbers.count { pending |= UInt64(numbers[index]) << UInt64(count) }
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }
    return bytes
  }

  /// The number of bits for numbers up to `number`; at least 1.
  static func width(upTo number: Int) -> Int {
    max(1, Int.bitWidth - max(number, 0).leadingZeroBitCount)
  }

  /// The definition levels of an optional column, after their length: which rows have a value.
  ///
  /// - Returns: The bytes, and the number of rows without a value.
  static func levels(_ count: Int, isPresent: (Int) -> Bool) -> (bytes: [UInt8], nulls: Int) {
    var bits = [UInt8](repeating: 0, count: (count + 7) / 8)
    var present = 0
    for row in 0..<count where isPresent(row) {
      bits[row >> 3] |= 1 << UInt8(row & 7)
      present += 1
    }
    var bytes: [UInt8] = []
    if present == count || present == 0 {
      bytes.append(varint: UInt64(count) << 1)
      bytes.append(present == 0 ? 0 : 1)
    } else {
      bytes.append(varint: UInt64(bits.count) << 1 | 1)
      bytes += bits
    }
    let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    return (length + bytes, count - present)
  }
}
