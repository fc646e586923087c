import GeoAtlas
import GeoFormats
import GeoCore

/// The samples of some folders, those of the last seven days: what charts show of them.
package struct SampleBook: Sendable {
  private struct Entry: Sendable {
    var bytes = SampleSeries()
    var files = SampleSeries()
  }

  private var entries: [[UInt8]: Entry] = [:]
  /// What is left on the disks of the roots.
  private var free: [[UInt8]: SampleSeries] = [:]

  /// A book without samples.
  package init() {}

  /// Adds a sample, which is not older than those before.
  ///
  /// - Parameter time: Unix time in seconds.
  package mutating func add(_ sample: RecordedSample, at time: Int64) {
    entries[sample.path, default: Entry()].bytes.add(sample.bytes, at: time)
    entries[sample.path]?.files.add(sample.files, at: time)
    // All that is below a root is taken to be on its disk.
    guard let free = sample.free, sample.path.firstComponent.elementsEqual(sample.path) else {
      return
    }
    self.free[sample.path, default: SampleSeries()].add(free, at: time)
  }

  /// Bytes of memory that the samples take.
  package var cost: Int {
    entries.values.reduce(0) { $0 + $1.bytes.cost + $1.files.cost }
      + free.values.reduce(0) { $0 + $1.cost }
  }

  /// The samples of a folder as JSON: `time` in milliseconds, and as many `bytes`, `files` and, if they
  /// are known, `free`; nil if there are none of it.
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

  /// The paths of the folders, in byte order, as JSON.
  ///
  /// - Parameter interval: How often samples are taken, in seconds.
  package func paths(every interval: Int64) -> [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      json.member("interval", interval)
      json.key("paths")
      json.array { json in
        for path in entries.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
          json.value(text: path)
        }
      }
    }
    return json.bytes + [10]
  }
}
