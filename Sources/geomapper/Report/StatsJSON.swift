import GeoFormats
import GeoCore
import GeoTree
import GeoSystem

/// What a tree consists of, for programs.
struct StatsJSON {
  let stats: TreeStats
  /// Unix time from which ages were counted.
  let now: Int64

  /// The extensions, those with the most bytes first.
  private var extensions: [(name: String, sums: TreeStats.Sums)] {
    stats.extensions.map { ($0.key.text, $0.value) }
      .sorted { ($1.sums.bytes ?? 0, $0.name) < ($0.sums.bytes ?? 0, $1.name) }
  }

  /// The text.
  var text: String {
    var buffer = OutputBuffer(capacity: 1 << 16)
    buffer.append("{\"total\":")
    put(stats.total, to: &buffer)
    buffer.append(",\"unreadable\":")
    buffer.append(Int64(stats.unreadable))
    buffer.append(",\"regions\":[")
    for (index, region) in stats.regions.enumerated() {
      buffer.append(index == 0 ? "{\"path\":\"" : ",{\"path\":\"")
      buffer.append(json: region.path.span)
      buffer.append("\",\"sums\":")
      put(region.sums, to: &buffer)
      buffer.append("}")
    }
    buffer.append("],\"extensions\":[")
    for (index, entry) in extensions.enumerated() {
      buffer.append(index == 0 ? "{\"extension\":\"" : ",{\"extension\":\"")
      let name = Array(entry.name.utf8)
      buffer.append(json: name.span)
      buffer.append("\",\"sums\":")
      put(entry.sums, to: &buffer)
      buffer.append("}")
    }
    buffer.append("],\"owners\":[")
    for (index, entry) in stats.owners.sorted(by: { $0.key < $1.key }).enumerated() {
      buffer.append(index == 0 ? "{\"user\":" : ",{\"user\":")
      buffer.append(Int64(entry.key))
      if let name = UserNames.name(of: entry.key) {
        buffer.append(",\"name\":\"")
        buffer.append(json: name.span)
        buffer.append("\"")
      }
      buffer.append(",\"sums\":")
      put(entry.value, to: &buffer)
      buffer.append("}")
    }
    buffer.append("],\"now\":")
    buffer.append(now)
    buffer.append(",\"ages\":{")
    for (index, age) in StatsAge.all.enumerated() {
      if index > 0 { buffer.append(",") }
      let key = Array("\"\(age.key)\":".utf8)
      buffer.append(key.span)
      put(stats.ages[age.age.rawValue], to: &buffer)
    }
    buffer.append("},\"depths\":[")
    for (index, sums) in stats.depths.enumerated() {
      if index > 0 { buffer.append(",") }
      put(sums, to: &buffer)
    }
    buffer.append("],\"largest\":[")
    put(stats.largest, "size", to: &buffer)
    buffer.append("],\"newest\":[")
    put(stats.newest, "modified", to: &buffer)
    buffer.append("],\"widest\":[")
    put(stats.widest, "entries", to: &buffer)
    buffer.append("]}\n")
    return buffer.text
  }

  private func put(_ sums: TreeStats.Sums, to buffer: inout OutputBuffer) {
    buffer.append("{\"folders\":")
    buffer.append(Int64(sums.folders))
    buffer.append(",\"files\":")
    buffer.append(Int64(sums.files))
    if let bytes = sums.bytes {
      buffer.append(",\"bytes\":")
      buffer.append(bytes)
    }
    if let allocated = sums.allocated {
      buffer.append(",\"allocated\":")
      buffer.append(allocated)
    }
    if let newest = sums.newest {
      buffer.append(",\"newest\":")
      buffer.append(newest)
    }
    buffer.append("}")
  }

  private func put(_ entries: [TreeStats.Entry], _ key: String, to buffer: inout OutputBuffer) {
    for (index, entry) in entries.enumerated() {
      buffer.append(index == 0 ? "{\"path\":\"" : ",{\"path\":\"")
      buffer.append(json: entry.path.span)
      let name = Array("\",\"\(key)\":".utf8)
      buffer.append(name.span)
      buffer.append(entry.value)
      buffer.append("}")
    }
  }
}

/// How ages are called, the youngest first.
struct StatsAge {
  let age: TreeStats.Age
  let words: String
  /// For programs.
  let key: String

  static let all = [
    StatsAge(age: .future, words: "in the future", key: "future"),
    StatsAge(age: .day, words: "last day", key: "day"),
    StatsAge(age: .week, words: "last week", key: "week"),
    StatsAge(age: .month, words: "last 30 days", key: "month"),
    StatsAge(age: .year, words: "last year", key: "year"),
    StatsAge(age: .fiveYears, words: "last 5 years", key: "fiveYears"),
    StatsAge(age: .older, words: "older", key: "older"),
    StatsAge(age: .unknown, words: "unknown", key: "unknown"),
  ]
}
