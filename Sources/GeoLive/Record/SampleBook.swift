import GeoFormats

/// The samples of some folders in the last seven days, as shown in charts.
package struct SampleBook: Sendable {
  struct Entry: Sendable {
    var bytes = SampleSeries()
    var files = SampleSeries()
  }

  var entries: [[UInt8]: Entry] = [:]
  /// Of the roots.
  var free: [[UInt8]: SampleSeries] = [:]

  package init() {}

  /// Samples of a folder must be in the order of time, in Unix seconds.
  package mutating func add(_ sample: RecordedSample, at time: Int64) {
    entries[sample.path, default: Entry()].bytes.add(sample.bytes, at: time)
    entries[sample.path]?.files.add(sample.files, at: time)
    // A root's free bytes are used for all folders below it.
    guard let free = sample.free, sample.path.firstComponent.elementsEqual(sample.path) else {
      return
    }
    self.free[sample.path, default: SampleSeries()].add(free, at: time)
  }

  package mutating func keep(_ paths: Set<[UInt8]>) {
    entries = entries.filter { paths.contains($0.key) }
    free = free.filter { paths.contains($0.key) }
  }

  /// Used memory, in bytes.
  package var cost: Int {
    entries.values.reduce(0) { $0 + $1.bytes.cost + $1.files.cost }
      + free.values.reduce(0) { $0 + $1.cost }
  }

  /// The samples of a folder: arrays of `time` in milliseconds, `bytes`, `files` and, if known for
  /// all samples, `free`.
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

  /// In byte order; the interval is in seconds.
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
