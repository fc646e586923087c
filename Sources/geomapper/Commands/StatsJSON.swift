import GeoCore
import GeoFormats
import GeoSystem
import GeoTree

struct StatsJSON {
  let stats: TreeStats
  /// Unix time from which ages are counted.
  let now: Int64

  /// The extensions, most bytes first.
  private var extensions: [(name: String, sums: TreeStats.Sums)] {
    stats.extensions.map { ($0.key, $0.value) }
      .sorted { ($1.sums.bytes ?? 0, $0.name) < ($0.sums.bytes ?? 0, $1.name) }
  }

  var text: [UInt8] {
    return JSONBuilder.line { json in
      put("total", stats.total, to: &json)
      json.member("unreadable", Int64(stats.unreadable))
      json.member("regions", each: stats.regions.enumerated()) { element, json in
        let (index, region) = element
        json.object { json in
          json.member("path", text: region.rawPath)
          put("sums", region.sums, to: &json)
          if let layers = stats.layers {
            put(layers.cells[index], layers.schema, to: &json)
          }
        }
      }
      json.member("extensions", objects: extensions) { entry, json in
        json.member("extension", word: entry.name)
        put("sums", entry.sums, to: &json)
      }
      json.member("owners", objects: stats.owners.sorted { $0.key < $1.key }) { entry, json in
        json.member("user", Int64(entry.key))
        if let name = UserNames.name(of: entry.key) { json.member("name", text: name) }
        put("sums", entry.value, to: &json)
      }
      json.member("now", now)
      json.member("ages") { json in
        for age in TreeStats.Age.all { put(age.key, stats.ages[age.age.rawValue], to: &json) }
      }
      if let layers = stats.layers { put(layers, to: &json) }
      json.member("depths", each: stats.depths) { put($0, to: &$1) }
      put("largest", stats.largest, "size", to: &json)
      put("newest", stats.newest, "modified", to: &json)
      put("widest", stats.widest, "entries", to: &json)
    }
  }

  private func put(_ cells: [LayerCell], _ schema: LayerSchema, to json: inout JSONBuilder) {
    json.member("layers") { json in
      for column in schema.columns {
        guard let value = schema.value(column, of: cells[...], isFolder: true) else { continue }
        json.key(column.name)
        json.value(value)
      }
    }
  }

  private func put(_ layers: StatsLayers, to json: inout JSONBuilder) {
    json.member("layers", each: layers.schema.layers.enumerated()) { element, json in
      let (index, layer) = element
      json.object { json in
        json.member("name", word: layer.name)
        json.member("how", word: layer.summary.rawValue)
        let unmatched = layers.unmatched.counts[index]
        if unmatched > 0 { json.member("unmatched", Int64(unmatched)) }
        if layer.kind != .word { return }
        let words = layers.words[index].map { (layers.schema.words[$0.key], $0.value) }
          .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        json.member("words", objects: words) { word, json in
          json.member("word", text: word.0)
          put("sums", word.1, to: &json)
        }
      }
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
    json.member(name, objects: entries) { entry, json in
      json.member("path", text: entry.rawPath)
      json.member(key, entry.value)
    }
  }
}
