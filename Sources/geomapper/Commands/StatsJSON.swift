import GeoFormats
import GeoSystem
import GeoTree

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
    return JSONBuilder.line { json in
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
