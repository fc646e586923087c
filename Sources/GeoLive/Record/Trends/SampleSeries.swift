import GeoCore

/// Values at times, the last seven days of them, in few bytes: what changes is kept as differences.
///
/// Values at equal steps of time take one to four bytes each, and those that stay the same next to nothing.
package struct SampleSeries: Sendable {
  private struct Chunk: Sendable {
    var start: (time: Int64, value: Int64)
    var last: (time: Int64, value: Int64)
    var count = 1
    /// Seconds from one value to the next, as it was the last time.
    var step: Int64 = 0
    /// Of each further value a number. An even one is twice what it has changed by, after the same step as
    /// the one before; 0 stands for as many values that stay the same as the byte after it says. An odd one
    /// is twice another step, and what the value has changed by follows.
    var bytes: [UInt8] = []
    /// Whether the bytes end with a number of values that stay the same.
    private var endsInRun = false

    init(_ value: Int64, at time: Int64) { (start, last) = ((time, value), (time, value)) }

    mutating func add(_ value: Int64, at time: Int64) {
      let step = max(0, time - last.time)
      let change = (value &- last.value).zigzag
      let isRun = step == self.step && change == 0
      if isRun, endsInRun, let length = bytes.last, length < .max {
        bytes[bytes.count - 1] = length + 1
      } else if isRun {
        bytes += [0, 1]
      } else if step == self.step, change >> 63 == 0 {
        bytes.append(varint: change << 1)
      } else {
        bytes.append(varint: UInt64(step) << 1 | 1)
        bytes.append(varint: change)
      }
      (self.step, endsInRun) = (step, isRun)
      last = (last.time + step, value)
      count += 1
    }

    func forEach(_ body: (_ time: Int64, _ value: Int64) -> Void) {
      var (time, value) = start
      body(time, value)
      var (position, step) = (0, Int64(0))
      while position < bytes.count {
        var change = bytes.varint(at: &position)
        if change & 1 != 0 {
          step = Int64(bitPattern: change >> 1)
          change = bytes.varint(at: &position)
        } else if change == 0 {
          for _ in 0..<bytes[position] {
            time += step
            body(time, value)
          }
          position += 1
          continue
        } else {
          change >>= 1
        }
        time += step
        value = value &+ Int64(zigzag: change)
        body(time, value)
      }
    }

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
      chunks.append(Chunk(value, at: time))
    } else {
      chunks[index].add(value, at: time)
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

  /// All values that are kept, in their order.
  package var all: [(time: Int64, value: Int64)] {
    var all: [(time: Int64, value: Int64)] = []
    all.reserveCapacity(count)
    for chunk in chunks { chunk.forEach { all.append(($0, $1)) } }
    return all
  }

  /// Hands over all values from a time on, in their order.
  package func forEach(since start: Int64, _ body: (_ time: Int64, _ value: Int64) -> Void) {
    for chunk in chunks where chunk.last.time >= start {
      chunk.forEach { if $0 >= start { body($0, $1) } }
    }
  }
}
