import GeoAtlas
import GeoCore
import GeoFormats
import GeoSystem
import Synchronization

/// Searches files that meet conditions, and sends matches as they are found.
final class MatchHub: Sendable {
  private let world: World
  private let running = Atomic(0)

  /// The maximum number of searches at once: each has its own threads.
  private static let maximumSearches = 4
  /// The number of unsent bytes at which a search waits for its client.
  private static let maximumWaiting = 512 << 10
  private static let defaultFiles = 500
  private static let maximumFiles = 5000

  init(_ world: World) { self.world = world }

  var isBusy: Bool { running.load(ordering: .relaxed) > 0 }

  /// `/matches`: the matches, as lines that each update the result.
  func answer(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse {
    let conditions: FileConditions
    let order: MatchOrder?
    let orders = MatchOrder.allCases.map(\.rawValue).joined(separator: ", ")
    do throws(Failure) {
      conditions = try FileConditions(request)
      order = try request.value("sort", orRefuse: "sort is one of \(orders)") {
        MatchOrder(rawValue: $0)
      }
    } catch {
      return HTTPResponse(error: .badRequest, error.message)
    }
    let response = HTTPResponse(streamOf: FileFormat.jsonl.mediaType)
    if request.method == .head { return response }
    if running.wrappingAdd(1, ordering: .relaxed).newValue > Self.maximumSearches {
      running.wrappingSubtract(1, ordering: .relaxed)
      return HTTPResponse(error: .unavailable, "too many searches; try again")
    }
    let limit = request.whole("limit") ?? Self.defaultFiles
    let search = MatchSearch(
      for: conditions, first: order ?? .size, limit: min(max(limit, 1), Self.maximumFiles),
      in: world)
    do throws(Errno) {
      // `run` sorts the matches.
      try WorkerThread.run { [self] _ in
        await send(search, to: reply)
        running.wrappingSubtract(1, ordering: .relaxed)
        reply.finish()
      }
    } catch {
      running.wrappingSubtract(1, ordering: .relaxed)
      return HTTPResponse(error: .unavailable, "there is no thread to search with; try again")
    }
    return response
  }

  private func send(_ search: MatchSearch, to reply: Reply) async {
    do {
      try await search.run(isUnwanted: { reply.isCancelled }) { news in
        reply.send(piece: Self.line(of: news))
        // A slow client slows the search, so that unsent bytes stay bounded.
        while reply.waiting > Self.maximumWaiting, !reply.isCancelled {
          try? await Task.sleep(nanoseconds: 5_000_000)
        }
      }
    } catch {
      // No thread could be started: the stream ends without its last line, which marks it as
      // incomplete.
    }
  }

  private static func line(of news: MatchNews) -> [UInt8] {
    JSONBuilder.object { json in
      json.member("files", Int64(news.files))
      json.member("bytes", news.bytes)
      json.member("lookedAt", Int64(news.lookedAt))
      json.member("folders", each: news.folders) { folder, json in
        json.array { json in
          json.value(text: folder.path)
          json.value(Int64(folder.files))
          json.value(folder.bytes)
        }
      }
      json.member("found", objects: news.found) { file, json in
        json.member("path", path: file.path)
        json.member("name", text: Array(file.name))
        json.member("size", file.size)
        json.member("modified", file.modified)
        if let special = file.kind.special { json.member("special", text: special.bytes) }
      }
      json.member("done", news.isDone)
      if !news.isDone { return }
      json.member("complete", news.isComplete)
      json.member(news.faults)
    } + [10]
  }
}
