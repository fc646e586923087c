import GeoCore

/// How the values of a page are written, by the format's numbers.
///
/// All of these are read by pyarrow, DuckDB (0.7) and Spark (3.3). `BYTE_STREAM_SPLIT` would suit boxes, but
/// Spark's vectorised reader doesn't know it, nor did it know `DELTA_LENGTH_BYTE_ARRAY` alone at first.
enum ParquetEncoding: Int {
  /// One after the other, texts led by their lengths (`PLAIN`).
  case plain = 0
  /// Runs of equal numbers or bits of different ones, for levels (`RLE`).
  case runs = 3
  /// Integers by how they differ from the one before (`DELTA_BINARY_PACKED`).
  case deltas = 5
  /// Texts by how many bytes they share with the one before, and the rest of them (`DELTA_BYTE_ARRAY`).
  case prefixes = 7
  /// Numbers in a dictionary (`RLE_DICTIONARY`).
  case listed = 8
}

extension ParquetEncoding {
  /// Differences whose least is told once.
  private static let block = 128
  /// Differences that take equally many bits.
  private static let part = 32

  /// Adds integers by how they differ from the one before, as `DELTA_BINARY_PACKED` has it.
  ///
  /// A difference that no 64-bit number is wraps around, for the writer as for the reader.
  ///
  /// - Complexity: O(count).
  static func appendDeltas(_ numbers: Span<Int64>, to buffer: inout OutputBuffer) {
    var head: [UInt8] = []
    head.append(varint: UInt64(block))
    head.append(varint: UInt64(block / part))
    head.append(varint: UInt64(numbers.count))
    head.append(varint: (numbers.isEmpty ? 0 : numbers[0]).zigzag)
    buffer.append(head.span)
    var deltas = [Int64](repeating: 0, count: block)
    var start = 1
    while start < numbers.count {
      let count = min(block, numbers.count - start)
      var least = Int64.max
      for index in 0..<count {
        deltas[index] = numbers[start + index] &- numbers[start + index - 1]
        least = min(least, deltas[index])
      }
      // What is missing of a block counts for nothing.
      for index in count..<block { deltas[index] = least }
      appendBlock(deltas.span, least, count, to: &buffer)
      start += count
    }
  }

  private static func appendBlock(
    _ deltas: Span<Int64>, _ least: Int64, _ count: Int, to buffer: inout OutputBuffer
  ) {
    var head: [UInt8] = []
    head.append(varint: least.zigzag)
    for start in stride(from: 0, to: block, by: part) {
      var bits: UInt64 = 0
      for index in start..<(start + part) { bits |= UInt64(bitPattern: deltas[index] &- least) }
      head.append(UInt8(UInt64.bitWidth - bits.leadingZeroBitCount))
    }
    buffer.append(head.span)
    let widths = head.suffix(block / part)
    for (number, width) in widths.enumerated() where width > 0 && number * part < count {
      var pending: UInt64 = 0
      var filled: UInt8 = 0
      for index in (number * part)..<((number + 1) * part) {
        let rest = UInt64(bitPattern: deltas[index] &- least)
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

  /// Adds texts: the lengths of all, then their bytes, as `DELTA_LENGTH_BYTE_ARRAY` has it.
  ///
  /// - Complexity: O(bytes).
  static func appendLengths(
    _ texts: [Range<Int>], of bytes: Span<UInt8>, to buffer: inout OutputBuffer
  ) {
    let lengths = texts.map { Int64($0.count) }
    appendDeltas(lengths.span, to: &buffer)
    for text in texts { buffer.append(bytes.extracting(text)) }
  }

  /// Adds texts: how many bytes each shares with the one before, and what is left of each, as
  /// `DELTA_BYTE_ARRAY` has it.
  ///
  /// - Parameter isSharing: Whether they share anything. Without that each stands as it is, behind the lengths of all:
  ///   older Sparks misread the encoding that is meant for this, `DELTA_LENGTH_BYTE_ARRAY`.
  /// - Complexity: O(bytes).
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
