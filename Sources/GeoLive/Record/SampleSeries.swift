import GeoCore

/// A compressed series of values in the last seven days: differences as varints.
///
/// At a constant interval a value takes one to four bytes, and runs of equal values almost nothing.
package struct SampleSeries: Sendable {
  struct Chunk: Sendable {
    var start: (time: Int64, value: Int64)
    var last: (time: Int64, value: Int64)
    var count = 1
    /// Seconds between the last two values.
    var step: Int64 = 0
    /// The further values, each as a number. An even number is twice the change of the value,
    /// zigzag-encoded, after the same step as before; 0 is a run of unchanged values, whose length
    /// is in the next byte. An odd number is twice a new step, plus 1, and the zigzag-encoded
    /// change follows.
    var bytes: [UInt8] = []
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
      var reader = ByteReader(bytes.indices)
      // Never throws: `bytes` are valid.
      try? Self.decode(start, from: &reader, until: bytes.count, in: bytes.span) {
        (time, value) throws(ByteDamage) in body(time, value)
      }
    }

    /// Passes on the first value, and those that are encoded up to an offset.
    static func decode(
      _ start: (time: Int64, value: Int64), from reader: inout ByteReader, until stop: Int,
      in bytes: Span<UInt8>, _ body: (_ time: Int64, _ value: Int64) throws(ByteDamage) -> Void
    ) throws(ByteDamage) {
      var (time, value) = start
      try body(time, value)
      var step: Int64 = 0
      while reader.position < stop {
        var change = try reader.takeVarint(in: bytes)
        var repeats: UInt8 = 1
        if change & 1 != 0 {
          step = Int64(change >> 1)
          change = try reader.takeVarint(in: bytes)
        } else if change == 0 {
          repeats = try reader.takeLittle(UInt8.self, in: bytes)
        } else {
          change >>= 1
        }
        value = value &+ Int64(zigzag: change)
        for _ in 0..<repeats {
          let (next, overflow) = time.addingReportingOverflow(step)
          if overflow { throw .malformed }
          time = next
          try body(time, value)
        }
      }
    }

    mutating func trim() {
      var exact: [UInt8] = []
      exact.reserveCapacity(bytes.count)
      exact += bytes
      bytes = exact
    }
  }

  private(set) var chunks: [Chunk] = []

  /// Only whole chunks are dropped.
  private static let longest = 512
  /// In seconds.
  package static let span: Int64 = 7 * 86_400

  /// Times are Unix seconds and must not decrease.
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

  package var count: Int { chunks.reduce(0) { $0 + $1.count } }
  /// Used memory, in bytes.
  package var cost: Int { chunks.reduce(0) { $0 + $1.bytes.capacity + MemoryLayout<Chunk>.stride } }

  package var first: (time: Int64, value: Int64)? { chunks.first?.start }
  package var last: (time: Int64, value: Int64)? { chunks.last?.last }

  package var all: [(time: Int64, value: Int64)] {
    var all: [(time: Int64, value: Int64)] = []
    all.reserveCapacity(count)
    for chunk in chunks { chunk.forEach { all.append(($0, $1)) } }
    return all
  }

  package func forEach(since start: Int64, _ body: (_ time: Int64, _ value: Int64) -> Void) {
    for chunk in chunks where chunk.last.time >= start {
      chunk.forEach { if $0 >= start { body($0, $1) } }
    }
  }
}
