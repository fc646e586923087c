import GeoAtlas
import GeoFormats
import GeoSystem

/// Sends what a search finds while it looks.
enum SearchAnswer {
  /// How long it looks, in nanoseconds.
  private static let duration: Int64 = 4_000_000_000
  /// How often it sends what it has found.
  private static let interval: Int64 = 100_000_000

  /// Sends hits as lines until all has been looked at, time is up or nobody waits any more.
  static func send(_ search: NameSearch, to reply: Reply) {
    var search = search
    let start = ThisProcess.nanoseconds
    var nextSend = start
    var isInTime = true
    while isInTime, search.step() {
      if reply.isCancelled { return }
      let now = ThisProcess.nanoseconds
      isInTime = now - start <= duration
      if now >= nextSend {
        nextSend = now + interval
        send(search.takeNew(), to: reply)
      }
    }
    send(search.takeNew(), to: reply)
    var json = JSONBuilder()
    json.object { json in
      json.member("done", true)
      json.member("complete", isInTime && search.isComplete)
      json.member("folders", Int64(search.folders))
    }
    reply.send(piece: json.bytes + [10])
  }

  private static func send(_ hits: [NameHit], to reply: Reply) {
    var lines: [UInt8] = []
    for hit in hits {
      var json = JSONBuilder()
      json.object { json in
        json.member("path", path: hit.path)
        json.member("name", text: Array(hit.name))
        json.member("kind", text: hit.kind.bytes)
        json.member("id", Int64(hit.id))
        json.put(hit.coordinate, digits: hit.digits)
        json.member("minzoom", Int64(hit.minzoom))
        json.member("score", Int64(hit.score))
      }
      lines += json.bytes + [10]
    }
    reply.send(piece: lines)
  }
}
