import GeoFormats
import GeoCore
import GeoTree
import GeoSystem

/// The totals of a tree as JSON.
struct StatsJSON {
  let stats: TreeStats
  /// Unix time from which ages are counted.
  let now: Int64

  /// The extensions, most bytes first.
  private var extensions: [(name: String, sums: TreeStats.Sums)] {
    stats.extensions.map { ($0.key.text, $0.value) }
      .sorted { ($1.sums.bytes ?? 0, $0.name) < ($0.sums.bytes ?? 0, $1.name) }
  }

  /// The JSON text.
  var text: [UInt8] {
    var json = JSONBuilder()
    json.object { json in
      put("total", stats.total, to: &json)
      json.member("unreadable", Int64(stats.unreadable))
      json.member("regions", each: stats.regions) { region, json in
        json.object { json in
          json.member("path", text: region.path)
          put("sums", region.sums, to: &json)
        }
      }
      json.member("extensions", each: extensions) { entry, json in
        json.object { json in
          json.member("extension", text: Array(entry.name.utf8))
          put("sums", entry.sums, to: &json)
        }
      }
      json.member("owners", each: stats.owners.sorted { $0.key < $1.key }) { entry, json in
        json.object { json in
          json.member("user", Int64(entry.key))
          if let name = UserNames.name(of: entry.key) { json.member("name", text: name) }
          put("sums", entry.value, to: &json)
        }
      }
      json.member("now", now)
      json.key("ages")
      json.object { json in
        for age in StatsAge.all { put(age.key, stats.ages[age.age.rawValue], to: &json) }
      }
      json.member("depths", each: stats.depths) { put($0, to: &$1) }
      put("largest", stats.largest, "size", to: &json)
      put("newest", stats.newest, "modified", to: &json)
      put("widest", stats.widest, "entries", to: &json)
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  private func put(_ name: String, _ sums: TreeStats.Sums, to json: inout JSONBuilder) {
    json.key(name)
    put(sums, to: &json)
  }

  private func put(_ sums: TreeStats.Sums, to json: inout JSONBuilder) {
    json.object { json in
      json.member("folders", Int64(sums.folders))
      json.member("files", Int64(sums.files))
      json.member("bytes", sums.bytes)
      json.member("allocated", sums.allocated)
      json.member("newest", sums.newest)
    }
  }

  private func put(
    _ name: String, _ entries: [TreeStats.Entry], _ key: String, to json: inout JSONBuilder
  ) {
    json.member(name, each: entries) { entry, json in
      json.object { json in
        json.member("path", text: entry.path)
        json.member(key, entry.value)
      }
    }
  }
}

/// The names of ages, the youngest first.
struct StatsAge {
  let age: TreeStats.Age
  let words: String
  /// The name in JSON.
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
