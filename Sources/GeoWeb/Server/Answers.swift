import GeoAtlas
import GeoCore
import GeoDraw
import GeoFormats
import GeoProjection
import GeoSystem
import GeoTree
import Synchronization

enum SearchAnswer {
  private static let duration: Int64 = 4_000_000_000
  private static let interval: Int64 = 100_000_000

  /// Sends hits as lines until everything was searched, time is up or the client has gone.
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
    let last = JSONBuilder.object { json in
      json.member("done", true)
      json.member("complete", isInTime && search.isComplete)
      json.member("folders", Int64(search.folders))
      json.member("matches", Int64(search.matches))
    }
    reply.send(piece: last + [10])
  }

  private static func send(_ hits: [NameHit], to reply: Reply) {
    let lines = hits.flatMap { hit -> [UInt8] in
      JSONBuilder.object { json in
        json.member("path", path: hit.path)
        json.member("name", text: Array(hit.name))
        json.member("kind", text: hit.kind.bytes)
        json.member("id", Int64(hit.id))
        json.put(hit.coordinate, digits: hit.digits)
        json.member("minzoom", Int64(hit.minzoom))
        json.member("score", Int64(hit.score))
      } + [10]
    }
    reply.send(piece: lines)
  }
}

extension FileConditions {
  /// Reads the conditions from the query: `name`, `type`, `size`, `newer`, `older`.
  init(_ request: HTTPRequest) throws(Failure) {
    self.init()
    if let name = request.parameter("name"), !name.isEmpty {
      if name.count > NameMatch.longestQuery {
        throw .usage("name: give up to \(NameMatch.longestQuery) bytes")
      }
      try rethrowing(selection.requireName(partOrGlob: name)) { (error: Selection.GlobError) in
        Failure.usage("name: \(error)")
      }
    }
    for word in (request.text("type") ?? "").split(separator: "|") {
      guard let sort = FileSort(word: word) else {
        let words = FileType.allCases.map(\.word.description).joined(separator: "|")
        throw .usage("type: '\(word)' is not one of \(words)|link|device")
      }
      sorts.insert(sort)
    }
    for size in (request.parameter("size") ?? []).split(separator: UInt8(ascii: ",")) {
      // An unencoded plus was decoded to a space.
      let text = size.first == 0x20 ? [UInt8(ascii: "+")] + size.dropFirst() : Array(size)
      guard let condition = Selection.SizeCondition(parsing: text) else {
        throw .usage(
          "size: give a sign and a number, such as +10M, -1kB or =0; units are \(SizeUnit.list)")
      }
      selection.requireSize(condition)
    }
    selection.newer = try Self.time(request, "newer")
    selection.older = try Self.time(request, "older")
    if !isActive {
      throw .usage("say what to look for: name=, type=, size=, newer= or older=")
    }
  }

  private static func time(
    _ request: HTTPRequest, _ name: StaticString
  ) throws(Failure) -> Int64? {
    if request.parameter(name)?.isEmpty == true { return nil }
    return try request.value(name, orRefuse: "\(name): give a time in Unix seconds") { Int64($0) }
  }
}

extension Router {
  /// `/sheet.svg?bbox=W,S,E,N`: draws a box of the world as a sheet to print, as `draw` does.
  ///
  /// `size`, `title`, `shade` and `date` are the options of `draw`; `dark` draws on a dark
  /// background.
  func sheet(_ request: HTTPRequest) throws(Failure) -> HTTPResponse {
    let target = try request.parameter("bbox").map { (text) throws(Failure) in
      PosterTarget.box(
        try rethrowing(BoundingBox(parsing: text)) { (fault: BoundingBox.Fault) in
          Failure.usage("bbox: \(fault)")
        })
    }
    var options = PosterOptions()
    options.title = request.parameter("title")
    options.isDark = request.has(parameter: "dark")
    let size = try request.value("size", orRefuse: "size: A0 to A6, or WxH in millimetres") {
      SheetSize(parsing: Array($0.utf8))
    }
    let words = Shading.allCases.map(\.rawValue).joined(separator: ", ")
    let shading = try request.value("shade", orRefuse: "shade: \(words)") { Shading(rawValue: $0) }
    let date = try request.value("date", orRefuse: "date: a time in Unix seconds") { Int64($0) }
    options.size = size ?? options.size
    options.shading = shading ?? options.shading
    options.date = date ?? options.date
    let known: TreeTotals?
    var compared: ComparedStates?
    if let changesHub {
      guard let changes = changesHub.changes.known else {
        return HTTPResponse(
          error: .unavailable, "what differs is not known yet: request /changes first")
      }
      compared = ComparedStates(changes.tree, configuration.states)
      known = totalsOfBoth
    } else {
      known = totals.complete?.tree
    }
    guard let known else {
      return HTTPResponse(error: .unavailable, "totals are not known yet: request /totals first")
    }
    let reader = world.reader()
    options.rootFiles = world.roots.indices.map { reader.root($0).files }
    do throws(GeoDrawingError) {
      let poster = try Poster(
        of: known, by: world.engine, showing: target ?? .world, options, comparing: compared)
      return HTTPResponse(type: FileFormat.svg.mediaType, poster.svg)
    } catch {
      throw .usage("bbox: a box with some extent, W west of E")
    }
  }

  /// The totals of the union of two states, counted now; nil if no thread can be started.
  private var totalsOfBoth: TreeTotals? {
    MainThreadExecutor().run { [roots = world.roots] in
      try? await TreeTotals.all(of: roots, options: FileSystemScanner.Options())
    }
  }
}

package final class PageAsset: Sendable {
  /// The path of its address, such as `/assets/page.js`; `/` for the HTML file.
  package let path: String
  private let hash: UInt64
  private let plain: Representation
  /// The compressed file; nil until a client takes it.
  private let packed = Mutex<Representation?>(nil)

  /// Larger files are compressed at once, so that no request waits longer than some 30 ms for it.
  private static let maximumLater = 1024 * 1024

  package init(path: String, type: String, bytes: [UInt8]) {
    self.path = path
    hash = XXH64.hash(bytes.span, seed: 1)
    plain = Representation(type: type, body: bytes, hash: hash, isPacked: false)
    if bytes.count > Self.maximumLater { _ = compressed() }
  }

  private func compressed() -> Representation {
    packed.withLock { file in
      if let file { return file }
      // A time line can be long; what all pages begin with is worth some milliseconds.
      let effort: Deflater.Effort = plain.body.count > Self.maximumLater ? .thorough : .utmost
      let made = Representation(
        type: plain.type, body: Gzip.compress(plain.body, effort: effort), hash: hash,
        isPacked: true)
      file = made
      return made
    }
  }

  /// The file with bytes inserted before the first occurrence of a text, or at the end
  /// without one.
  func adding(_ bytes: [UInt8], before text: String) -> PageAsset {
    let place = plain.body.firstRange(of: Array(text.utf8))?.lowerBound ?? plain.body.count
    let body = plain.body[..<place] + bytes + plain.body[place...]
    return PageAsset(path: path, type: plain.type, bytes: Array(body))
  }

  func representation(for request: HTTPRequest) -> Representation {
    request.takesGzip ? compressed() : plain
  }
}
