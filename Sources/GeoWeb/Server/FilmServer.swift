import GeoAtlas
import GeoFormats
import GeoSystem

package struct FrameSize: Sendable, Hashable {
  package let width: Int
  package let height: Int

  package static let maximumPixels = 8 << 20
  private static let sides = 64...8192

  package static let wide = FrameSize(1920, 1080)
  package static let small = FrameSize(960, 540)

  private init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  /// Parses `WxH`; nil for anything else, and for sizes that are not allowed.
  package init?(parsing text: [UInt8]) {
    let sides = text.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
      .map { Int64(wholeNumber: $0).map { Int(clamping: $0) } ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ Self.sides ~= $0 && $0 % 2 == 0 }),
      sides[0] * sides[1] <= Self.maximumPixels
    else { return nil }
    self.init(sides[0], sides[1])
  }
}

package struct FilmPlan: Sendable {
  package var size: FrameSize
  package var rate: Int
  package var frames: Int
  /// The title; nil for that of the world.
  package var title: [UInt8]?
  package var isDark = true

  package init(_ size: FrameSize, rate: Int, frames: Int) {
    (self.size, self.rate, self.frames) = (size, rate, frames)
  }

  /// The size of a frame in bytes: four for each pixel, red, green, blue and alpha.
  package var bytes: Int { 4 * size.width * size.height }

  /// The files of a page, whose head says that it draws the film.
  func described(in assets: [PageAsset], of world: World, _ token: [UInt8]) -> [PageAsset] {
    var json = JSONBuilder()
    json.object { json in
      json.member("width", Int64(size.width))
      json.member("height", Int64(size.height))
      json.member("fps", Int64(rate))
      json.member("frames", Int64(frames))
      json.member("title", text: title ?? world.title)
      json.member("dark", isDark)
      json.member("token", text: token)
      json.member("seconds", decimal: Double(frames) / Double(rate))
    }
    let element =
      Array("<script type=\"application/json\" id=\"film\">".utf8) + json.scriptBytes
      + Array("</script>\n".utf8)
    return assets.map { $0.path == "/" ? $0.adding(element, before: "<title>") : $0 }
  }
}

/// A server for the page that draws a film, which takes its frames.
///
/// It listens on this machine only, and ends with this value.
package final class FilmServer: Sendable {
  /// The address of the page, with its token.
  package let address: String
  package let port: UInt16
  private let frames: FrameQueue
  private let poller: Poller

  package init(_ configuration: ServerConfiguration, _ plan: FilmPlan) throws {
    var configuration = configuration
    configuration.film = plan
    configuration.requiresToken = true
    (configuration.host, configuration.port) = ("127.0.0.1", 0)
    let parts = try ServerParts(configuration)
    (address, port, poller) = (parts.address, parts.listener.port, parts.poller)
    frames = FrameQueue(of: plan)
    do throws(Errno) {
      try WorkerThread.start(stackSize: 8 << 20) { [frames] in
        guard let loop = try? parts.loop(FilmRouter(parts.router, frames)) else { return }
        try? loop.run { frames.isOver }
      }
    } catch {
      throw ServerParts.failure(error)
    }
  }

  deinit {
    frames.end()
    poller.wake()
  }

  package enum Arrival: Sendable, Equatable {
    /// The next frame, as `FilmPlan.bytes` bytes.
    case frame([UInt8])
    /// Why the page can't go on.
    case failure([UInt8])
  }

  /// nil if none comes in that time. The page may send another one once this has returned.
  package func next(within nanoseconds: Int64) -> Arrival? { frames.next(within: nanoseconds) }
}

/// At most one frame that has arrived, and what is expected next.
private final class FrameQueue: @unchecked Sendable {
  // Sendable: the state is accessed only with the monitor's lock.
  private let monitor = Monitor()
  private let plan: FilmPlan
  private var expected = 0
  private var sender: UInt64?
  /// A frame that has arrived, and the reply to it.
  private var arrived: (frame: [UInt8], reply: Reply)?
  private var failure: [UInt8]?
  private var hasEnded = false

  private static let longestReason = 1 << 16

  init(of plan: FilmPlan) { self.plan = plan }

  var isOver: Bool { monitor.withLock { hasEnded } }

  func end() { monitor.withLock { hasEnded = true } }

  /// nil to receive what a connection is about to send.
  func refusal(of request: HTTPRequest, from connection: UInt64) -> HTTPResponse? {
    if request.path.elementsEqual("/film/failed") {
      return request.bodyLength <= Self.longestReason
        ? nil : HTTPResponse(error: .tooLarge, "a reason has \(Self.longestReason) bytes at most")
    }
    return monitor.withLock {
      guard request.path.elementsEqual("/film/\(expected)".utf8), expected < plan.frames,
        sender == nil, arrived == nil
      else { return HTTPResponse(error: .conflict, "it is not the turn of this frame") }
      if request.bodyLength != plan.bytes {
        return HTTPResponse(error: .badRequest, "a frame has \(plan.bytes) bytes")
      }
      sender = connection
      return nil
    }
  }

  /// Forgets a connection that was closed before its frame was complete.
  func forget(_ connection: UInt64) {
    monitor.withLock { if sender == connection { sender = nil } }
  }

  /// Accepts a frame or a failure; frames are answered later.
  func accept(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
    monitor.withLock {
      defer { monitor.wakeReserve() }
      if sender == reply.connection {
        (sender, expected, arrived) = (nil, expected + 1, (request.body, reply))
        return nil
      }
      failure = request.body
      return HTTPResponse(.noContent)
    }
  }

  func next(within nanoseconds: Int64) -> FilmServer.Arrival? {
    monitor.withLock {
      if arrived == nil, failure == nil { monitor.waitInReserve(nanoseconds: nanoseconds) }
      if let failure { return .failure(failure) }
      guard let (frame, reply) = arrived else { return nil }
      arrived = nil
      reply.send(HTTPResponse(.noContent))
      return .frame(frame)
    }
  }
}

private final class FilmRouter: RequestHandler {
  private let router: Router
  private let frames: FrameQueue

  init(_ router: Router, _ frames: FrameQueue) { (self.router, self.frames) = (router, frames) }

  var maximumBody: Int { 4 * FrameSize.maximumPixels }

  func refusal(ofBodyOf request: HTTPRequest, from connection: UInt64) -> HTTPResponse? {
    if !request.path.starts(with: "/film/".utf8) {
      return HTTPResponse(error: .notFound, "there is nothing here")
    }
    if let refusal = router.gatekeeper.refusal(of: request) { return refusal }
    // A cookie is not enough to send anything.
    if router.gatekeeper.shownToken(request) == nil {
      return HTTPResponse(error: .unauthorized, "a frame has the token in its address")
    }
    return frames.refusal(of: request, from: connection)
  }

  func handle(_ request: HTTPRequest, _ reply: Reply) -> HTTPResponse? {
    if request.method == .post { return frames.accept(request, reply) }
    // What a film shows doesn't change while it is made.
    if request.path.elementsEqual("/events") {
      return HTTPResponse(error: .notFound, "there is nothing here")
    }
    return router.handle(request, reply)
  }

  func streamEnded(_ connection: UInt64) {
    frames.forget(connection)
    router.streamEnded(connection)
  }
}
