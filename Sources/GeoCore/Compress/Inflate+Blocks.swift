extension Inflater {
  /// How many bytes there is room for at least.
  private static let leastRoom = 64 * 1024
  /// How many bytes a repetition has at most.
  private static let longestMatch = 258
  /// How many bytes more may be written at a time: repetitions are copied in words.
  private static let wordsBeyond = 16

  /// Unpacks a block whose codes are known.
  ///
  /// - Parameters:
  ///   - wanted: After how many bytes it may stop.
  ///   - result: Gets them after those that are there.
  func inflateBlock(
    _ reader: inout BitReader, _ limit: Int, _ wanted: Int, _ result: inout [UInt8]
  ) throws(Failure) {
    // Taken out so that bytes are written to a local array, which has room before they come.
    var bytes: [UInt8] = []
    swap(&bytes, &result)
    var count = bytes.count
    defer {
      bytes.removeLast(bytes.count - count)
      swap(&bytes, &result)
    }
    var isEnded = false
    while !isEnded {
      let room = min(max(bytes.count, Self.leastRoom), max(limit, 0)) + Self.longestMatch
      bytes.append(contentsOf: repeatElement(0, count: room))
      var span = bytes.mutableSpan
      // Any bits make a byte.
      var output = unsafe span.mutableBytes
      isEnded = try inflateMost(&reader, limit, wanted, &output, &count)
      if !isEnded { isEnded = try inflateRest(&reader, limit, wanted, &output, &count) }
    }
  }

  /// Unpacks as long as neither the input nor the room is nearly at its end, and looks for these ends
  /// once for each repetition, or for three bytes.
  ///
  /// - Returns: Whether the block has ended, or as much is there as is wanted.
  @inline(__always)
  private func inflateMost(
    _ position: inout BitReader, _ limit: Int, _ wanted: Int, _ output: inout MutableRawSpan,
    _ written: inout Int
  ) throws(Failure) -> Bool {
    let stop = min(
      wanted, min(limit, output.byteCount) - Self.longestMatch - Self.wordsBeyond)
    let (literals, distances) = (literals.entries.span, distances.entries.span)
    let (literalMask, distanceMask) = (self.literals.mask, self.distances.mask)
    // Copies of their own can be kept in registers.
    var (reader, count) = (position, written)
    defer { (position, written) = (reader, count) }
    while count < stop, reader.hasWords {
      reader.fillAtOnce()
      var symbol = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
      if symbol.isLiteral {
        Self.put(symbol, &reader, &output, &count)
        symbol = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
        if symbol.isLiteral {
          Self.put(symbol, &reader, &output, &count)
          symbol = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
          if symbol.isLiteral {
            Self.put(symbol, &reader, &output, &count)
            continue
          }
        }
      }
      // Of 56 bits 36 are left, or 20 and more of them; a code and what follows have that many.
      if symbol.length == 0 {
        symbol = try self.literals.find(reader.bits)
        if symbol.isLiteral {
          Self.put(symbol, &reader, &output, &count)
          continue
        }
      }
      if symbol.isSpecial {
        guard symbol.isEnd else { throw .malformed }
        reader.dropAtOnce(symbol.length)
        return true
      }
      let length = Self.number(symbol, &reader)
      reader.fillAtOnce()
      var far = distances[Int(truncatingIfNeeded: reader.bits) & distanceMask]
      if far.length == 0 { far = try self.distances.find(reader.bits) }
      if far.isSpecial { throw .malformed }
      let distance = Self.number(far, &reader)
      guard distance <= count else { throw .malformed }
      Self.copy(length, from: distance, &output, count)
      count += length
    }
    return count >= wanted
  }

  @inline(__always)
  private static func put(
    _ symbol: DecodedSymbol, _ reader: inout BitReader, _ output: inout MutableRawSpan,
    _ count: inout Int
  ) {
    output.storeBytes(
      of: UInt8(truncatingIfNeeded: symbol.value), toByteOffset: count, as: UInt8.self)
    reader.dropAtOnce(symbol.length)
    count += 1
  }

  /// A length or a distance, of bits that are at hand.
  @inline(__always)
  private static func number(_ symbol: DecodedSymbol, _ reader: inout BitReader) -> Int {
    reader.dropAtOnce(symbol.length)
    let rest = Int(truncatingIfNeeded: reader.bits) & (1 << symbol.bits - 1)
    reader.dropAtOnce(symbol.bits)
    return symbol.value + rest
  }

  /// Repeats bytes in words, with some more after them.
  @inline(__always)
  private static func copy(
    _ length: Int, from distance: Int, _ output: inout MutableRawSpan, _ start: Int
  ) {
    let end = start + length
    var next = start
    if distance < 8 {
      while next < end {
        // Any bits make a byte or a word, wherever they lie.
        let byte = unsafe output.bytes.unsafeLoad(
          fromByteOffset: next - distance, as: UInt8.self)
        output.storeBytes(of: byte, toByteOffset: next, as: UInt8.self)
        next += 1
      }
      return
    }
    while next < end {
      let word = unsafe output.bytes.unsafeLoadUnaligned(
        fromByteOffset: next - distance, as: UInt64.self)
      output.storeBytes(of: word, toByteOffset: next, as: UInt64.self)
      next += 8
    }
  }

  /// Unpacks as far as there is room, and looks at each step whether there are bits and room.
  ///
  /// - Returns: Whether the block has ended, or as much is there as is wanted.
  private func inflateRest(
    _ reader: inout BitReader, _ limit: Int, _ wanted: Int, _ output: inout MutableRawSpan,
    _ count: inout Int
  ) throws(Failure) -> Bool {
    while count + Self.longestMatch <= output.byteCount {
      // Enough for a length and a distance with the bits after them.
      reader.fill()
      let symbol = try literals.take(from: &reader)
      if symbol.isLiteral {
        guard count < limit else { throw .tooLong }
        output.storeBytes(
          of: UInt8(truncatingIfNeeded: symbol.value), toByteOffset: count, as: UInt8.self)
        count += 1
        continue
      }
      if symbol.isEnd { return true }
      if symbol.isSpecial { throw .malformed }
      let length = symbol.value + Int(try reader.takeAtHand(symbol.bits))
      let far = try distances.take(from: &reader)
      if far.isSpecial { throw .malformed }
      let distance = far.value + Int(try reader.takeAtHand(far.bits))
      guard distance <= count else { throw .malformed }
      guard count + length <= limit else { throw .tooLong }
      for index in count..<(count + length) {
        let byte = unsafe output.bytes.unsafeLoad(
          fromByteOffset: index - distance, as: UInt8.self)
        output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      count += length
      if count >= wanted { return true }
    }
    return false
  }
}
