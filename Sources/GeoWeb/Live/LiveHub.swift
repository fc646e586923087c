import GeoAtlas
import GeoFormats
import GeoLive
import GeoSystem
import Synchronization

/// Sends pages the changes on disk in the folders that they show.
final class LiveHub: Sendable {
  let tree: LiveTree
  private let replies = Mutex<[Reply]>([])
  private let maximumListeners: Int

  /// The interval of checks for the roots, in milliseconds, and the number of checks between checks
  /// of listeners.
  private static let rootPause: UInt32 = 2000
  private static let checks = 7

  init(_ tree: LiveTree, maximumListeners: Int) throws(Errno) {
    self.tree = tree
    self.maximumListeners = maximumListeners
    tree.observeEvents { [weak self] events in
      self?.send(Array(events.map { Self.text(of: $0, tree.world) }.joined()))
    }
    try WorkerThread.start { [self] in
      while true {
        for _ in 0..<Self.checks {
          WorkerThread.pause(milliseconds: Self.rootPause)
          tree.checkRoots()
        }
        // A closed connection is only noticed when something is sent.
        send(Array(":\n\n".utf8))
      }
    }
  }

  var listenerCount: Int { replies.withLock { $0.count } }

  func add(_ reply: Reply) -> Bool {
    let isTaken = replies.withLock { replies in
      replies.removeAll { $0.isCancelled }
      if replies.count >= maximumListeners { return false }
      replies.append(reply)
      tree.begin()
      return true
    }
    // The mailbox sends it after the head of the stream.
    if isTaken { reply.send(piece: Array("retry: 2000\n\n".utf8)) }
    return isTaken
  }

  /// Removes a listener; without listeners nothing is watched.
  func remove(_ connection: UInt64) {
    replies.withLock { replies in
      replies.removeAll { $0.connection == connection }
      if replies.isEmpty { tree.end() }
    }
  }

  func send(_ piece: [UInt8]) {
    for reply in replies.withLock({ $0 }) { reply.send(piece: piece) }
  }

  private static func text(of event: LiveTree.Event, _ world: World) -> [UInt8] {
    var json = JSONBuilder()
    var writer = NodeWriter(world)
    json.object { json in
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
    return Array("event: change\ndata: ".utf8) + json.bytes + [10, 10]
  }
}
