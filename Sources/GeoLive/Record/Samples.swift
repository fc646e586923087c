import GeoAtlas
import GeoCore
import GeoFormats

/// The samples of some folders in the last seven days, as shown in charts.
package struct SampleBook: Sendable {
  struct Entry: Sendable {
    var bytes = SampleSeries()
    var files = SampleSeries()
  }

  var entries: [[UInt8]: Entry] = [:]
  /// Free bytes in the file systems of the roots.
  var free: [[UInt8]: SampleSeries] = [:]

  /// Creates an empty book.
  package init() {}

  /// Adds a sample; samples of a folder must be in the order of time.
  ///
  /// - Parameter time: Unix time in seconds.
  package mutating func add(_ sample: RecordedSample, at time: Int64) {
    entries[sample.path, default: Entry()].bytes.add(sample.bytes, at: time)
    entries[sample.path]?.files.add(sample.files, at: time)
    // A root's free bytes are used for all folders below it.
    guard let free = sample.free, sample.path.firstComponent.elementsEqual(sample.path) else {
      return
    }
    self.free[sample.path, default: SampleSeries()].add(free, at: time)
  }

  /// Removes the samples of all other folders.
  package mutating func keep(_ paths: Set<[UInt8]>) {
    entries = entries.filter { paths.contains($0.key) }
    free = free.filter { paths.contains($0.key) }
  }

  /// Memory used by the samples, in bytes.
  package var cost: Int {
    entries.values.reduce(0) { $0 + $1.bytes.cost + $1.files.cost }
      + free.values.reduce(0) { $0 + $1.cost }
  }

  /// The samples of a folder as JSON: arrays of `time` in milliseconds, `bytes`, `files` and, if
  /// known for all samples, `free`; nil if the folder has no samples.
  ///
  /// - Complexity: O(samples).
  package func json(of path: [UInt8]) -> [UInt8]? {
    guard let entry = entries[path] else { return nil }
    let bytes = entry.bytes.all
    let free = Dictionary(
      (self.free[Array(path.firstComponent)]?.all ?? []).map { ($0.time, $0.value) },
      uniquingKeysWith: { $1 })
    let left = bytes.compactMap { free[$0.time] }
    var json = JSONBuilder()
    json.object { json in
      json.member("path", path: path)
      func put(_ name: String, _ values: some Sequence<Int64>, to json: inout JSONBuilder) {
        json.key(name)
        json.array { json in for value in values { json.value(value) } }
      }
      put("time", bytes.lazy.map { $0.time * 1000 }, to: &json)
      put("bytes", bytes.lazy.map(\.value), to: &json)
      put("files", entry.files.all.lazy.map(\.value), to: &json)
      if left.count == bytes.count { put("free", left, to: &json) }
    }
    return json.bytes + [10]
  }

  /// The paths of the sampled folders, in byte order, as JSON.
  ///
  /// - Parameter interval: Interval of samples, in seconds.
  package func paths(every interval: Int64) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("interval", interval)
      json.member("paths", each: entries.keys.sorted(by: { $0.lexicographicallyPrecedes($1) })) {
        path, json in
        json.value(text: path)
      }
    }
    return json.bytes + [10]
  }
}

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
    /// Whether `bytes` ends with the length of a run.
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

    /// Frees unused capacity.
    mutating func trim() {
      var exact: [UInt8] = []
      exact.reserveCapacity(bytes.count)
      exact += bytes
      bytes = exact
    }
  }

  private(set) var chunks: [Chunk] = []

  /// Number of values in a chunk; only whole chunks are dropped.
  private static let longest = 512
  /// Length of the series, in seconds.
  package static let span: Int64 = 7 * 86_400

  /// Creates an empty series.
  package init() {}

  /// Adds a value; times must not decrease.
  ///
  /// - Parameter time: Unix time in seconds.
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

  /// Number of values.
  package var count: Int { chunks.reduce(0) { $0 + $1.count } }
  /// Memory used by the values, in bytes.
  package var cost: Int { chunks.reduce(0) { $0 + $1.bytes.capacity + MemoryLayout<Chunk>.stride } }

  /// The first and the last value.
  package var first: (time: Int64, value: Int64)? { chunks.first?.start }
  package var last: (time: Int64, value: Int64)? { chunks.last?.last }

  /// All values, in order.
  package var all: [(time: Int64, value: Int64)] {
    var all: [(time: Int64, value: Int64)] = []
    all.reserveCapacity(count)
    for chunk in chunks { chunk.forEach { all.append(($0, $1)) } }
    return all
  }

  /// Passes all values from a time on to `body`, in order.
  package func forEach(since start: Int64, _ body: (_ time: Int64, _ value: Int64) -> Void) {
    for chunk in chunks where chunk.last.time >= start {
      chunk.forEach { if $0 >= start { body($0, $1) } }
    }
  }
}
