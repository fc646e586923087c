import GeoAtlas
import GeoFormats
import GeoLive
import GeoSystem

/// Sends pages the changes on disk in the folders that they show.
final class LiveHub: Sendable {
  let tree: LiveTree
  private let listeners: Listeners

  /// The interval of checks for the roots, in milliseconds, and the number of checks between checks
  /// of listeners.
  private static let rootPause: UInt32 = 2000
  private static let checks = 7

  init(_ tree: LiveTree, maximumListeners: Int) throws(Errno) {
    self.tree = tree
    listeners = Listeners(maximum: maximumListeners)
    tree.observeEvents { [weak self] events in
      self?.listeners.send(
        Array(events.map { Self.text("change", Self.description(of: $0, tree.world)) }.joined()))
    }
    try WorkerThread.start { [self] in
      while true {
        for _ in 0..<Self.checks {
          WorkerThread.pause(milliseconds: Self.rootPause)
          tree.checkRoots()
        }
        // A closed connection is only noticed when something is sent.
        listeners.send(Array(":\n\n".utf8))
      }
    }
  }

  var listenerCount: Int { listeners.count }

  func add(_ reply: Reply) -> Bool {
    if !listeners.add(reply) { return false }
    tree.begin()
    // The mailbox sends it after the head of the stream.
    reply.send(piece: Array("retry: 2000\n\n".utf8))
    return true
  }

  /// Removes a listener; without listeners nothing is watched.
  func remove(_ connection: UInt64) { if listeners.remove(connection) { tree.end() } }

  func send(_ event: String, _ data: [UInt8] = Array("{}".utf8)) {
    listeners.send(Self.text(event, data))
  }

  private static func text(_ event: String, _ data: [UInt8]) -> [UInt8] {
    Array("event: \(event)\ndata: ".utf8) + data + [10, 10]
  }

  private static func description(of event: LiveTree.Event, _ world: World) -> [UInt8] {
    var writer = NodeWriter(world)
    return JSONBuilder.object { json in
      json.member("path", path: event.folder.path)
      writer.putBox(of: event.folder.place, to: &json)
      json.member("what", text: Array(event.what.rawValue.utf8))
      json.member("name", text: event.name)
      if let city = event.city, !event.name.isEmpty {
        let place = world.engine.placeFile(event.name.span, in: city)
        json.put(place.coordinate, digits: city.digits)
        json.member("minzoom", Int64(city.minzoom))
      }
    }
  }
}
