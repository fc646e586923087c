import GeoPath

/// Values at times, the last seven days of them, in few bytes: what changes is kept as differences.
///
/// A value a minute takes three to five bytes.
package struct SampleSeries: Sendable {
  private struct Chunk: Sendable {
    var start: (time: Int64, value: Int64)
    var last: (time: Int64, value: Int64)
    var count = 1
    /// Of each further value, what has passed and what it has changed by.
    var bytes: [UInt8] = []

    /// Gives back the memory that was there to grow into.
    mutating func trim() {
      var exact: [UInt8] = []
      exact.reserveCapacity(bytes.count)
      exact += bytes
      bytes = exact
    }
  }

  private var chunks: [Chunk] = []

  /// How many values a chunk has; whole chunks are forgotten.
  private static let longest = 512
  /// Seven days in seconds.
  package static let span: Int64 = 7 * 86_400

  /// No values.
  package init() {}

  /// Adds a value at a time, which is not before the one before.
  ///
  /// - Parameter time: In seconds.
  package mutating func add(_ value: Int64, at time: Int64) {
    let index = chunks.count - 1
    if index < 0 || chunks[index].count >= Self.longest {
      if index >= 0 { chunks[index].trim() }
      chunks.append(Chunk(start: (time, value), last: (time, value)))
    } else {
      let last = chunks[index].last
      chunks[index].bytes.append(varint: UInt64(max(0, time - last.time)))
      chunks[index].bytes.append(varint: (value &- last.value).zigzag)
      chunks[index].last = (max(time, last.time), value)
      chunks[index].count += 1
    }
    while let first = chunks.first, time - first.last.time > Self.span { chunks.removeFirst() }
  }

  /// How many values are kept.
  package var count: Int { chunks.reduce(0) { $0 + $1.count } }
  /// Bytes of memory that the values take.
  package var cost: Int { chunks.reduce(0) { $0 + $1.bytes.capacity + MemoryLayout<Chunk>.stride } }

  /// The first and last value that are kept.
  package var first: (time: Int64, value: Int64)? { chunks.first?.start }
  package var last: (time: Int64, value: Int64)? { chunks.last?.last }

  /// Hands over all values from a time on, in their order.
  package func forEach(since start: Int64, _ body: (_ time: Int64, _ value: Int64) -> Void) {
    for chunk in chunks where chunk.last.time >= start {
      var (time, value) = chunk.start
      if time >= start { body(time, value) }
      var position = 0
      while position < chunk.bytes.count {
        time += Int64(bitPattern: Self.number(in: chunk.bytes, &position))
        let change = Self.number(in: chunk.bytes, &position)
        value = value &+ (Int64(bitPattern: change >> 1) ^ -Int64(bitPattern: change & 1))
        if time >= start { body(time, value) }
      }
    }
  }

  private static func number(in bytes: [UInt8], _ position: inout Int) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }
}
